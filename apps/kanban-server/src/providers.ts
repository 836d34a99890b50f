// The providers of models that a page may talk to with a key of the person's own. Their origins
// are in the page's content security policy, and no others.
//
// - Ollama is looked for from here, when a page wants the list: the server is on the same machine,
//   needs no permission of it, and a page that looked itself would report an error wherever there
//   is none. The page's runs then go to Ollama directly, which allows pages of this machine.
// - A key never comes here.

import { z } from "zod";

export interface Provider {
  readonly name: string;
  /** Of an API like OpenAI's: "https://api.openai.com/v1". */
  readonly url: string;
  /** The models to choose from; the first is the suggestion. */
  readonly models: readonly string[];
  readonly needsKey: boolean;
}

export interface ProvidersOptions {
  /** One more provider: the address of an API like OpenAI's. */
  readonly own?: string | undefined;
  /** Default: where Ollama listens. */
  readonly ollama?: string | undefined;
}

export interface Providers {
  /** What a page may connect to beside its server. */
  readonly origins: readonly string[];
  /** Ollama only where it answers, with the models that it has. */
  list(): Promise<readonly Provider[]>;
}

const HOSTED: readonly Provider[] = [
  { name: "OpenAI", url: "https://api.openai.com/v1", models: ["gpt-4.1-mini", "gpt-4.1"], needsKey: true },
  { name: "OpenRouter", url: "https://openrouter.ai/api/v1", models: ["openai/gpt-4.1-mini"], needsKey: true },
];
const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const PROBE_MS = 1_000;

/** Throws a TypeError for an address that is none. */
export function createProviders({ own, ollama = "http://localhost:11434" }: ProvidersOptions = {}): Providers {
  const more = own ? [{ name: new URL(own).host, url: own.replace(/\/$/, ""), models: [], needsKey: true }] : [];
  const fixed = [...more, ...HOSTED];
  return {
    origins: [...fixed.map(({ url }) => url), ollama].map((url) => new URL(url).origin),
    async list() {
      const models = await ollamaModels(ollama);
      if (models.length === 0) return fixed;
      return [{ name: "Ollama", url: new URL("/v1", ollama).href, models, needsKey: false }, ...fixed];
    },
  };
}

/** None where there is no Ollama. */
async function ollamaModels(url: string): Promise<readonly string[]> {
  try {
    const response = await fetch(new URL("/api/tags", url), { signal: AbortSignal.timeout(PROBE_MS) });
    return Tags.parse(await response.json()).models.map(({ name }) => name);
  } catch {
    return [];
  }
}
