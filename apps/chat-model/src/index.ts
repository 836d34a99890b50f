// The model of a demo's agents: the one that OPSTATE_MODEL names, else the demo's offline model.

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { initChatModel } from "langchain";

export interface ChosenModel {
  readonly model: BaseChatModel;
  readonly name: string;
  readonly offline: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Provider {
  readonly package: string;
  /** The package's version that fits this repository's LangChain. */
  readonly version: string;
  readonly key?: string;
  readonly example: string;
}

const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ["openai", { package: "@langchain/openai", version: "1.6.0", key: "OPENAI_API_KEY", example: "openai:gpt-4.1-mini" }],
  [
    "anthropic",
    {
      package: "@langchain/anthropic",
      version: "1.5.11",
      key: "ANTHROPIC_API_KEY",
      example: "anthropic:claude-sonnet-4-5",
    },
  ],
  ["ollama", { package: "@langchain/ollama", version: "1.3.0", example: "ollama:qwen3" }],
]);

export interface Choice {
  readonly environment: Environment;
  /** Creates the offline model. `delayMs` is its pause before each word. */
  readonly offline: (options: { readonly delayMs?: number }) => BaseChatModel;
}

/** Throws an Error that says what to set or install. */
export async function chooseModel({ environment, offline }: Choice): Promise<ChosenModel> {
  const wanted = environment["OPSTATE_MODEL"]?.trim();
  if (!wanted) return offlineModel({ environment, offline });

  const [name = "", model] = wanted.split(/:(.*)/s);
  const provider = PROVIDERS.get(name);
  if (!provider || !model) {
    const examples = [...PROVIDERS.values()].map(({ example }) => example).join(", ");
    throw new Error(
      `OPSTATE_MODEL="${wanted}" is not "<provider>:<model>". For example: ${examples}. Leave it unset for the offline model.`,
    );
  }
  if (provider.key !== undefined && !environment[provider.key])
    throw new Error(
      `OPSTATE_MODEL=${wanted} needs an API key: set ${provider.key}. Leave OPSTATE_MODEL unset for the offline model.`,
    );
  try {
    return { model: await initChatModel(model, { modelProvider: name }), name: wanted, offline: false };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (!why.startsWith("Unable to import"))
      throw new Error(`OPSTATE_MODEL=${wanted} does not work: ${why}`, { cause: error });
    throw new Error(
      `OPSTATE_MODEL=${wanted} needs the package ${provider.package}. Install it, from the root of the repository: npx -y pnpm@12.21.0 --filter @opstate/chat-model add ${provider.package}@${provider.version}`,
      { cause: error },
    );
  }
}

/** The offline model. OPSTATE_OFFLINE_DELAY is its pause before each word, in milliseconds. */
export function offlineModel({ environment, offline }: Pick<Choice, "environment" | "offline">): ChosenModel {
  const delay = environment["OPSTATE_OFFLINE_DELAY"];
  if (delay && !/^\d{1,5}$/.test(delay))
    throw new Error(`OPSTATE_OFFLINE_DELAY="${delay}" is not a number of milliseconds, such as 15.`);
  return { model: offline(delay ? { delayMs: Number(delay) } : {}), name: "offline", offline: true };
}
