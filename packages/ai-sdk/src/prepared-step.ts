// What the model reads in a step: the conversation with the truth about declined calls, and around
// it what changes from step to step. None of it enters the conversation: the next step replaces it.

import type { HostCalls, HostContext } from "@opstate/agent";
import type { Instructions, ModelMessage } from "ai";
import { DeclinedCalls } from "./declined-calls.ts";

/** A `prepareStep` for runs with any tools. */
export type PrepareStep = (options: {
  readonly messages: ModelMessage[];
  readonly initialInstructions: Instructions | undefined;
}) => Promise<{ messages: ModelMessage[]; instructions?: Instructions }>;

/** Names the messages that are shown for a step alone. Providers ignore it. */
const SHOWN = { opstate: { shown: true } };

export function preparedStep(
  calls: HostCalls,
  context: HostContext,
  { inSystem }: { readonly inSystem: boolean },
): PrepareStep {
  const declined = new DeclinedCalls(calls);
  return async ({ messages, initialInstructions }) => {
    const own = await declined.corrected(messages.filter((message) => !isShown(message)));
    const { instructions, start, end } = await context.words({
      results: resultsIn(own),
      characters: charactersIn(own),
    });
    if (inSystem) return { messages: [...own], ...withText(initialInstructions, instructions, start, end) };
    return {
      messages: [...messageOf(start), ...own, ...messageOf(end)],
      ...withText(initialInstructions, instructions),
    };
  };
}

function messageOf(text: string): readonly ModelMessage[] {
  return text === "" ? [] : [{ role: "user", content: text, providerOptions: SHOWN }];
}

function isShown({ providerOptions }: ModelMessage): boolean {
  return providerOptions?.["opstate"]?.["shown"] === true;
}

function withText(given: Instructions | undefined, ...texts: readonly string[]): { instructions?: Instructions } {
  const text = texts.filter((part) => part !== "").join("\n\n");
  if (text === "") return given === undefined ? {} : { instructions: given };
  if (given === undefined || given === "") return { instructions: text };
  if (typeof given === "string") return { instructions: `${given}\n\n${text}` };
  return { instructions: [...(Array.isArray(given) ? given : [given]), { role: "system", content: text }] };
}

/** The texts of the results of tools: what is said of the agent's own changes. */
function resultsIn(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap((message) =>
    message.role !== "tool"
      ? []
      : message.content.flatMap((part) =>
          part.type === "tool-result" && part.output.type === "text" ? [part.output.value] : [],
        ),
  );
}

function charactersIn(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + JSON.stringify(content).length, 0);
}
