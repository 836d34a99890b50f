// One answer of a model, by an API like OpenAI's. The key goes into this request and nowhere else:
// no error says what the provider wrote, which may repeat it.

import { randomId } from "@opstate/core/thread";
import type { OwnModel } from "./own-model.ts";

export interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Completion {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

/** Throws an Error that says what went wrong, for a person. */
export async function complete(
  { provider, model, key }: OwnModel,
  messages: readonly ModelMessage[],
  tools: readonly ModelTool[],
  signal: AbortSignal,
): Promise<Completion> {
  const { name, url } = provider;
  const headers = { "content-type": "application/json", ...(key !== "" && { authorization: `Bearer ${key}` }) };
  const body = JSON.stringify({
    model,
    messages,
    tools: tools.map((tool) => ({ type: "function", function: tool })),
  });
  // Without cookies and without the page's address.
  const options = {
    method: "POST",
    headers,
    body,
    signal,
    credentials: "omit",
    referrerPolicy: "no-referrer",
  } as const;
  const response = await fetch(`${url}/chat/completions`, options).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Error(`${name} cannot be reached from this page.`);
  });
  if (!response.ok) throw new Error(wordsFor(response.status, name, model));
  const answer = messageIn(await response.json().catch(() => undefined));
  if (answer === undefined) throw new Error(`${name} gave an answer that is no chat completion.`);
  return answer;
}

function wordsFor(status: number, name: string, model: string): string {
  if (status === 401 || status === 403) return `${name} refused the key (${status}). Choose the model again.`;
  if (status === 404) return `${name} has no model "${model}" (404).`;
  return status === 429 ? `${name} accepts no more requests for now (429).` : `${name} failed (${status}).`;
}

function messageIn(answer: unknown): Completion | undefined {
  const message = field(at(field(answer, "choices"), 0), "message");
  if (message === undefined) return undefined;
  const text = field(message, "content");
  const calls = field(message, "tool_calls");
  return {
    text: typeof text === "string" ? text : "",
    calls: Array.isArray(calls) ? calls.flatMap(callIn) : [],
  };
}

function callIn(call: unknown): readonly ToolCall[] {
  const [id, name, args] = [
    field(call, "id"),
    field(field(call, "function"), "name"),
    field(field(call, "function"), "arguments"),
  ];
  if (typeof name !== "string") return [];
  return [
    {
      id: typeof id === "string" && id !== "" ? id : randomId(),
      type: "function",
      function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}) },
    },
  ];
}

const at = (list: unknown, index: number): unknown => (Array.isArray(list) ? list[index] : undefined);
const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
