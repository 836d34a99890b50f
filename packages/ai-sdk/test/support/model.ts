// The SDK's own mock model with a script: a step is the calls that the model makes, or its last
// words.

import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

type Options = Parameters<MockLanguageModelV4["doGenerate"]>[0];
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
/** A function is called when the model is: what others do in the middle of a run. */
export type Step = string | readonly Call[] | (() => Promise<string | readonly Call[]>);

export const call = (id: string, name: string, input: unknown): Call => ({ id, name, input });

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function scripted(...steps: readonly Step[]): MockLanguageModelV4 {
  const left = [...steps];
  const next = async () => {
    const step = left.shift();
    if (step === undefined) throw new Error("The script has no step left.");
    return typeof step === "function" ? step() : step;
  };
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const step = await next();
      return { content: contentOf(step), finishReason: reasonOf(step), usage, warnings: [] };
    },
    doStream: async () => {
      const step = await next();
      const chunks: StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...contentOf(step).flatMap((part): StreamPart[] =>
          part.type === "tool-call"
            ? [part]
            : [
                { type: "text-start", id: "t" },
                { type: "text-delta", id: "t", delta: part.text },
                { type: "text-end", id: "t" },
              ],
        ),
        { type: "finish", finishReason: reasonOf(step), usage },
      ];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}

function contentOf(step: string | readonly Call[]) {
  if (typeof step === "string") return [{ type: "text" as const, text: step }];
  return step.map(({ id, name, input }) => ({
    type: "tool-call" as const,
    toolCallId: id,
    toolName: name,
    input: JSON.stringify(input),
  }));
}

function reasonOf(step: string | readonly Call[]) {
  return { unified: typeof step === "string" ? ("stop" as const) : ("tool-calls" as const), raw: undefined };
}

/** What the model was shown in a call, message by message. */
export function shown(options: Options | undefined): readonly string[] {
  return (options?.prompt ?? []).map(({ role, content }) =>
    typeof content === "string" ? `${role}: ${content}` : `${role}: ${content.map(textOf).join(" ")}`,
  );
}

function textOf(part: object): string {
  if ("text" in part && typeof part.text === "string") return part.text;
  if ("output" in part) {
    const { output } = part;
    if (typeof output === "object" && output !== null && "value" in output && typeof output.value === "string")
      return output.value;
    return JSON.stringify(output);
  }
  return "toolName" in part ? `call ${String(part.toolName)}` : JSON.stringify(part);
}
