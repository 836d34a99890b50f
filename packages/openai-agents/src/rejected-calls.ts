// Calls that a person rejected in a run's state. The SDK makes no call of them, so their proposals
// are declined here, and the model reads what became of them: a page may have approved one before.

import { needsApproval, type HostCalls } from "@opstate/agent";
import type { AgentInputItem } from "@openai/agents";

type FunctionCall = Extract<AgentInputItem, { readonly type: "function_call" }>;
type FunctionResult = Extract<AgentInputItem, { readonly type: "function_call_result" }>;

/** What the results of the thread's own tools begin with. */
const OWN_RESULT = /^(?:Accepted: |Refused \(|Proposed as "|I stopped: )/;

/** The result that the SDK gives where the person gave no reason. */
const NO_REASON = "Tool execution was not approved.";

export class RejectedCalls {
  readonly #calls: HostCalls;
  /** What the model reads of each, by call id; undefined where the thread knows none. */
  readonly #texts = new Map<string, string | undefined>();

  constructor(calls: HostCalls) {
    this.#calls = calls;
  }

  /** The items, with the thread's verdict as the result of each rejected call. */
  async corrected(items: readonly AgentInputItem[]): Promise<readonly AgentInputItem[]> {
    const made = new Map<string, FunctionCall>();
    const corrected: AgentInputItem[] = [];
    for (const item of items) {
      if (item.type === "function_call" && this.#canBeRejected(item)) made.set(item.callId, item);
      const call = item.type === "function_call_result" ? made.get(item.callId) : undefined;
      corrected.push(
        call === undefined || item.type !== "function_call_result" ? item : await this.#withVerdict(item, call),
      );
    }
    return corrected;
  }

  async #withVerdict(result: FunctionResult, call: FunctionCall): Promise<FunctionResult> {
    const given = resultText(result);
    if (OWN_RESULT.test(given)) return result;
    if (!this.#texts.has(call.callId)) {
      const { callId, name } = call;
      const declined = await this.#calls.declined(
        name,
        argumentsOf(call),
        { callId, message: callId },
        given === NO_REASON ? undefined : given,
      );
      this.#texts.set(callId, declined?.text);
    }
    const text = this.#texts.get(call.callId);
    return text === undefined ? result : { ...result, output: text };
  }

  #canBeRejected({ name }: FunctionCall): boolean {
    const { thread, actor } = this.#calls.session;
    const operation = this.#calls.tools.find((tool) => tool.name === name)?.operation;
    return operation !== undefined && needsApproval(thread.definition, operation, { actor, thread });
  }
}

/** The text of a result, whichever form it has. */
export function resultText({ output }: FunctionResult): string {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output : [output];
  return parts.map((part) => ("text" in part ? part.text : "")).join("");
}

function argumentsOf({ arguments: text }: FunctionCall): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
