// Chat models of three providers, and what stands in a request of each: its stable beginning, and
// its conversation in blocks. `faultIn` refuses what the provider itself answers with 400.

import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";

/** What the model answers: calls of tools, or words. */
export type Turn = string | readonly (readonly [name: string, args: object])[];

export interface Block {
  readonly role: string;
  readonly kind: "text" | "call" | "result";
  readonly text: string;
  /** Of a call and its result. Google's have none: a result is known by its tool's name. */
  readonly id?: string;
  readonly name?: string;
}

// Requests are JSON from outside; the faults below say what is wrong with one.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

export interface Provider {
  readonly name: string;
  model(url: string): BaseChatModel;
  /** The answer of the endpoint to its nth request. */
  answer(turn: Turn, nth: number): object;
  /** What stands before the conversation and is cached first. */
  tools(body: Json): readonly { readonly name: string; readonly schema: Json }[];
  system(body: Json): string;
  blocks(body: Json): readonly Block[];
  /** What the provider refuses; undefined for a valid request. */
  faultIn(body: Json): string | undefined;
}

const text = (content: Json): string =>
  typeof content === "string" ? content : ((content ?? []) as Json[]).map((part) => part.text ?? "").join("");

const openai: Provider = {
  name: "OpenAI",
  model: (url) =>
    new ChatOpenAI({ model: "gpt-4.1-mini", apiKey: "none", configuration: { baseURL: `${url}/v1` }, maxRetries: 0 }),
  answer: (turn, nth) => ({
    id: `chatcmpl-${nth}`,
    object: "chat.completion",
    model: "gpt-4.1-mini",
    created: 1,
    choices: [
      {
        index: 0,
        finish_reason: typeof turn === "string" ? "stop" : "tool_calls",
        message:
          typeof turn === "string"
            ? { role: "assistant", content: turn }
            : {
                role: "assistant",
                content: null,
                tool_calls: turn.map(([name, args], index) => ({
                  id: `call_${nth}_${index}`,
                  type: "function",
                  function: { name, arguments: JSON.stringify(args) },
                })),
              },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  tools: (body) => body.tools.map((tool: Json) => ({ name: tool.function.name, schema: tool.function.parameters })),
  system: (body) => text(body.messages.find(({ role }: Json) => role === "system")?.content),
  blocks: (body) =>
    body.messages
      .filter(({ role }: Json) => role !== "system")
      .flatMap(({ role, content, tool_calls = [], tool_call_id }: Json) => [
        ...(role === "tool"
          ? [{ role, kind: "result", id: tool_call_id, text: text(content) }]
          : text(content) === ""
            ? []
            : [{ role, kind: "text", text: text(content) }]),
        ...tool_calls.map((call: Json) => ({
          role,
          kind: "call",
          id: call.id,
          name: call.function.name,
          text: call.function.arguments,
        })),
      ]),
  faultIn({ messages }) {
    let open: string[] = [];
    for (const [index, { role, tool_calls = [], tool_call_id }] of messages.entries()) {
      if (role === "system" && index > 0) return "a system message after others";
      if (role === "tool") {
        if (!open.includes(tool_call_id)) return `a result without a call: ${tool_call_id}`;
        open = open.filter((id) => id !== tool_call_id);
        continue;
      }
      if (open.length > 0) return `calls without a result: ${open.join()}`;
      open = tool_calls.map(({ id }: Json) => id);
      for (const call of tool_calls) JSON.parse(call.function.arguments);
    }
    return open.length > 0 ? `calls without a result: ${open.join()}` : undefined;
  },
};

const anthropic: Provider = {
  name: "Anthropic",
  model: (url) =>
    new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "none", anthropicApiUrl: url, maxRetries: 0 }),
  answer: (turn, nth) => ({
    id: `msg_${nth}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    stop_reason: typeof turn === "string" ? "end_turn" : "tool_use",
    stop_sequence: null,
    content:
      typeof turn === "string"
        ? [{ type: "text", text: turn }]
        : turn.map(([name, input], index) => ({ type: "tool_use", id: `toolu_${nth}_${index}`, name, input })),
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  tools: (body) => body.tools.map((tool: Json) => ({ name: tool.name, schema: tool.input_schema })),
  system: (body) => text(body.system),
  blocks: (body) =>
    body.messages.flatMap(({ role, content }: Json) =>
      (typeof content === "string" ? [{ type: "text", text: content }] : content).map((part: Json) => {
        if (part.type === "tool_use")
          return { role, kind: "call", id: part.id, name: part.name, text: JSON.stringify(part.input) };
        if (part.type === "tool_result")
          return { role, kind: "result", id: part.tool_use_id, text: text(part.content) };
        return { role, kind: "text", text: part.text };
      }),
    ),
  faultIn({ messages }) {
    if (messages[0]?.role !== "user") return "the first message is not the user's";
    const partsOf = ({ content }: Json): Json[] => (typeof content === "string" ? [{ type: "text" }] : content);
    for (const [index, message] of messages.entries()) {
      const parts = partsOf(message);
      if (parts.length === 0) return "an empty message";
      if (parts.some(({ type, text }) => type === "text" && text === "")) return "an empty text";
      // What stands in several messages of the user counts as one.
      const next: Json[] = [];
      for (const later of messages.slice(index + 1)) {
        if (later.role !== "user") break;
        next.push(...partsOf(later));
      }
      const calls = parts.filter(({ type }) => type === "tool_use").map(({ id }) => id);
      const first = next
        .slice(0, calls.length)
        .map(({ type, tool_use_id }) => (type === "tool_result" ? tool_use_id : type));
      if (calls.toSorted().join() !== first.toSorted().join())
        return `the results of ${calls.join()} do not come first: ${first.join()}`;
      const known = messages[index - 1]?.role === "assistant" ? partsOf(messages[index - 1]) : undefined;
      for (const { type, tool_use_id } of parts)
        if (type === "tool_result" && known !== undefined && !known.some(({ id }) => id === tool_use_id))
          return `a result without a call: ${tool_use_id}`;
    }
    return undefined;
  },
};

const google: Provider = {
  name: "Google",
  model: (url) =>
    new ChatGoogleGenerativeAI({ model: "gemini-2.5-flash", apiKey: "none", baseUrl: url, maxRetries: 0 }),
  answer: (turn) => ({
    candidates: [
      {
        index: 0,
        finishReason: "STOP",
        content: {
          role: "model",
          parts:
            typeof turn === "string"
              ? [{ text: turn }]
              : turn.map(([name, args]) => ({ functionCall: { name, args } })),
        },
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }),
  tools: (body) =>
    body.tools.flatMap(({ functionDeclarations }: Json) =>
      functionDeclarations.map(({ name, parameters }: Json) => ({ name, schema: parameters })),
    ),
  system: (body) => text(body.systemInstruction?.parts),
  blocks: (body) =>
    body.contents.flatMap(({ role, parts }: Json) =>
      parts.map((part: Json) => {
        if (part.functionCall !== undefined)
          return { role, kind: "call", name: part.functionCall.name, text: JSON.stringify(part.functionCall.args) };
        if (part.functionResponse !== undefined)
          return {
            role,
            kind: "result",
            name: part.functionResponse.name,
            text: String(part.functionResponse.response.result ?? part.functionResponse.response.content),
          };
        return { role, kind: "text", text: part.text };
      }),
    ),
  faultIn({ contents }) {
    if (contents[0]?.role !== "user") return "the first content is not the user's";
    for (const [index, { role, parts }] of contents.entries()) {
      if (role === "system") return "a system content";
      const calls = parts.filter(({ functionCall }: Json) => functionCall !== undefined).length;
      if (calls === 0) continue;
      const results: Json[] = [];
      for (const later of contents.slice(index + 1)) {
        const found = later.parts.filter(({ functionResponse }: Json) => functionResponse !== undefined);
        if (found.length === 0) break;
        results.push(...found);
      }
      if (results.length !== calls) return `${calls} calls and ${results.length} results`;
    }
    return undefined;
  },
};

export const providers: readonly Provider[] = [openai, anthropic, google];
