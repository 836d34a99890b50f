// What an AG-UI page wrote into its state before it requested a run, as a submission of its person.
//
// Invariants:
// - The thread decides, by the rights of who sends the run, and the page gets the verdict as an
//   event, or the reason why nothing was submitted.
// - A request that is sent again writes nothing twice: the update follows from the page's state and
//   from the one that it began with, and its id from the run's.

import { type AGUIEvent, EventType, type RunAgentInput } from "@ag-ui/core";
import { type Actor, OpstateError, type Thread } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import type { Patch } from "@opstate/core/json-patch";
import type { ThreadRuns } from "../../runs/thread-runs.ts";
import { baseOf, type Base } from "./base.ts";
import { changesOf } from "./changes.ts";
import { guardedPatch, operationsFor, type Update, valueAt } from "./express.ts";

/** The names of the CUSTOM events that a page gets. */
const VERDICT_EVENT = "opstate.verdict";
const WARNING_EVENT = "opstate.warning";

export interface PageRun {
  readonly thread: Thread;
  readonly threadRuns: Pick<ThreadRuns, "all">;
  readonly input: RunAgentInput;
  readonly actor: Actor;
  /** The page's copy of the state, as it was sent. */
  readonly pageState: unknown;
}

/** Submits what the page changed, and gives the event that reports it, if there is one. */
export async function* writePageState(run: PageRun): AsyncGenerator<AGUIEvent, void> {
  const { thread, threadRuns, input, actor, pageState } = run;
  const { definition } = thread;
  if (pageState === undefined || pageState === null) return;
  const base = await baseOf(input, actor, threadRuns.all);
  if (!base.known) {
    const isShown = isObject(pageState) && changesOf(definition, thread.getState(), pageState).length === 0;
    if (!isShown) yield warning(base.code, base.message);
    return;
  }
  if (!isObject(pageState)) return yield warning("invalid_state", "the page's state is not an object");
  if (Object.keys(pageState).length === 0)
    return yield warning("empty_state", "the page's state is empty; what it leaves out stays as it is");
  const before = await stateAt(thread, base.version);
  if (before === undefined)
    return yield warning("unknown_base", `version ${base.version}, which the page began with, is not kept any more`);
  const patch = changesOf(definition, before, pageState);
  if (patch.length === 0) return;
  if (changesOf(definition, definition.initial, pageState).length === 0 && removesSome(before, patch))
    return yield warning(
      "initial_state",
      `the page's state is the one that "${definition.name}" begins with, so the page may never have had another`,
    );
  const update = operationsFor(definition, before, patch) ?? guardedPatch(before, patch);
  if (update.type !== "$patch" || definition.model.patches) yield await submitted(run, update, base);
  else yield warning("not_expressible", inexpressible(run, before, update));
}

/** Whether something that was there is not there any more. */
function removesSome(before: unknown, patch: Patch): boolean {
  return patch.some(
    (step) =>
      step.op === "remove" || (step.op === "replace" && sizeOf(step.value) < sizeOf(valueAt(before, step.path))),
  );
}

/** The members of an object or list. */
function sizeOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

async function submitted(
  { thread, actor, input }: PageRun,
  update: Update,
  { version: basedOn, isRepeated }: Extract<Base, { known: true }>,
): Promise<AGUIEvent> {
  const id = isRepeated ? `${input.runId}/state/${basedOn}` : `${input.runId}/state`;
  const verdict = await thread.submit(update, { actor, id, basedOn, madeAt: Date.now() });
  const { accepted, version } = verdict;
  const about = { id, type: update.type, basedOn, accepted, version };
  const value = accepted ? about : { ...about, rejection: verdict.rejection };
  return { type: EventType.CUSTOM, name: VERDICT_EVENT, value };
}

/** Undefined when the history does not have it any more. */
async function stateAt(thread: Thread, version: number): Promise<unknown> {
  if (version === thread.version) return thread.getState();
  try {
    return await thread.stateAt(version);
  } catch (error) {
    if (error instanceof OpstateError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Why there is no update: the result breaks a rule, or no operation does it. */
function inexpressible({ thread: { definition } }: PageRun, before: unknown, update: Update): string {
  const result = definition.transition(before, update, { patches: true });
  if (!result.accepted) return `the page's state is refused: ${result.rejection.message}`;
  return `"${definition.name}" has no operation that does what the page changed, and accepts no patches`;
}

function warning(code: string, reason: string): AGUIEvent {
  const message = `Nothing of the page's state was written: ${reason}.`.replace(/\.\.$/, ".");
  return { type: EventType.CUSTOM, name: WARNING_EVENT, value: { code, message } };
}
