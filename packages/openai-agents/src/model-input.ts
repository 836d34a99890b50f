// What the model reads: the run's items with the truth about rejected calls, and around them what
// changes from call to call.

import type { HostCalls, HostContext } from "@opstate/agent";
import type { CallModelInputFilter } from "@openai/agents";
import { RejectedCalls, resultText } from "./rejected-calls.ts";
import type { ShownItems } from "./shown-items.ts";

export function modelInput(
  calls: HostCalls,
  context: HostContext,
  shown: ShownItems,
  { inSystem }: { readonly inSystem: boolean },
): CallModelInputFilter {
  const rejected = new RejectedCalls(calls);
  return async ({ modelData: { input, instructions: given } }) => {
    const own = await rejected.corrected(input.filter((item) => !shown.has(item)));
    const results = own.flatMap((item) => (item.type === "function_call_result" ? [resultText(item)] : []));
    const { instructions, start, end } = await context.words({ results, characters: JSON.stringify(own).length });
    if (inSystem) return { input: [...own], instructions: joined(given, instructions, start, end) };
    return { input: [...shown.of(start), ...own, ...shown.of(end)], instructions: joined(given, instructions) };
  };
}

function joined(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n\n");
}
