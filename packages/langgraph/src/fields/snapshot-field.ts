// The channel that a thread is synced with: the state with its version, and the verdicts of what
// was folded here.
//
// Invariants: total and pure; a thread's snapshot always wins, whatever its version (a "higher
// version wins" would let an input with version 999 poison the run); a value of the field's own
// shape changes nothing as input (LangChain sends the whole present state again with every invoke),
// begins a subgraph, and is taken when it leaves one (`subgraph.ts`); one submission id is folded
// once; a refusal keeps version and state.

import { ReducedValue } from "@langchain/langgraph";
import type { Actor, AnyDefinition, Snapshot, StateOf, UpdateOf } from "@opstate/core";
import { diff } from "@opstate/core/json-patch";
import * as z from "zod";
import { changed } from "./changed.ts";
import { record, refusal, type Outcome, type Outcomes } from "./outcomes.ts";
import { acceptAnything } from "./accept-anything.ts";
import { storedAsVersion } from "./stored-as-version.ts";
import {
  begin,
  beginningOf,
  followOut,
  inThread,
  isSubgraph,
  leave,
  markBeginning,
  type Subgraph,
} from "./subgraph.ts";
import { isThreadSnapshot, writtenIn, type ThreadSnapshot } from "./thread-snapshot.ts";

/**
 * What a `snapshotField` holds. `outcomes` has the verdicts of what was submitted to the field
 * itself, newest last, by submission id.
 */
export interface FieldSnapshot<State = unknown> extends Snapshot<State> {
  readonly outcomes: Outcomes;
  /**
   * In a subgraph only: where it began. By this the field of the graph around it knows what to make
   * of the value.
   */
  readonly subgraph?: Subgraph;
}

/**
 * An update with the id its verdict is recorded under, and who asks: with an actor, permission is
 * checked. Plain JSON, so that it survives a checkpoint.
 */
export interface FieldSubmission<Update = unknown> {
  readonly type: "$submission";
  readonly id: string;
  readonly operation: Update;
  readonly actor?: Actor;
}

export interface SnapshotFieldOptions {
  /** What a checkpoint stores of the field: all of it (the default), or its version only. */
  readonly checkpoint?: "state" | "version";
}

/** What a node may return for a `snapshotField`. */
export type SnapshotFieldUpdate<D extends AnyDefinition> =
  | UpdateOf<D>
  | FieldSubmission<UpdateOf<D>>
  | ThreadSnapshot<StateOf<D>>
  | FieldSnapshot<StateOf<D>>
  | null
  | undefined;

/**
 * A field of a `StateSchema` that holds `{ version, state, outcomes }`. It takes a thread's
 * snapshot (`snapshotOf(thread)`, which is what `opstateMiddleware` writes), and without a thread
 * the definition's operations and replacements, each accepted one adding 1 to the version. Wrapped
 * as `{ type: "$submission", id, operation }` the verdict is recorded in `outcomes[id]`.
 *
 * With `{ checkpoint: "version" }` a checkpoint stores the version and no state: a constant, where
 * LangGraph would store the whole value with every superstep. Such a field needs a thread, and is
 * updated by it only; `opstateMiddleware` fills it in again from the thread. As JSON, and read from
 * a checkpoint until then, its `state` is null.
 *
 * @example
 * ```ts
 * import { START, StateGraph, StateSchema } from "@langchain/langgraph";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { snapshotField, snapshotOf } from "@opstate/langgraph";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 * await thread.dispatch(counter.op.add({ by: 7 }), { actor: { kind: "user", id: "ada" } });
 *
 * const State = new StateSchema({ counter: snapshotField(counter) });
 * const graph = new StateGraph(State)
 *   .addNode("sync", () => ({ counter: snapshotOf(thread) }))
 *   .addEdge(START, "sync")
 *   .compile();
 *
 * await graph.invoke({}); // { counter: { version: 1, state: { count: 7 }, outcomes: {} } }
 * ```
 */
export function snapshotField<D extends AnyDefinition>(
  definition: D,
  options: SnapshotFieldOptions = {},
): ReducedValue<FieldSnapshot<StateOf<D>>, SnapshotFieldUpdate<D>> {
  const initial: FieldSnapshot<StateOf<D>> = { version: 0, state: definition.initial, outcomes: {} };
  const valueSchema = z.object({
    version: z.int().min(0),
    state: z.nullable(definition.schema),
    outcomes: z.record(z.string(), z.custom<Outcome>()),
    subgraph: z.optional(z.custom<Subgraph>()),
  });
  // A definition forgets its schema's type; what the schema parses to is its state.
  return new ReducedValue(z._default(valueSchema, () => initial) as unknown as z.ZodType<FieldSnapshot<StateOf<D>>>, {
    // The mark is of the type of what it is put on.
    inputSchema: acceptAnything<SnapshotFieldUpdate<D>>().transform(
      (update) => markBeginning(update, isFieldSnapshot) as typeof update,
    ),
    reducer: (current, update) => {
      const present = isFieldSnapshot<StateOf<D>>(current) ? current : initial;
      return options.checkpoint === "version" ? followOnly(present, update) : fold(definition, present, update);
    },
  });
}

/** The field's reducer. Total and pure. */
export function fold<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  update: unknown,
): FieldSnapshot<StateOf<D>> {
  if (update === null || update === undefined) return current;
  if (isThreadSnapshot<StateOf<D>>(update)) return follow(current, update);
  if (!isFieldSnapshot<StateOf<D>>(update)) return submit(definition, current, update);
  const within = beginningOf(update);
  return within === undefined ? leave(definition, current, update) : begin(definition, current, update, within);
}

/** A state that no checkpoint holds cannot be folded on: only the thread is heard. */
function followOnly<State>(current: FieldSnapshot<State>, update: unknown): FieldSnapshot<State> {
  const next = isThreadSnapshot<State>(update) ? follow(current, update) : followSubgraph(current, update);
  return next === current ? current : storedAsVersion(next);
}

function followSubgraph<State>(current: FieldSnapshot<State>, update: unknown): FieldSnapshot<State> {
  if (!isFieldSnapshot<State>(update)) return current;
  const { version, state, subgraph } = update;
  const within = beginningOf(update);
  if (within !== undefined) return { version, state, outcomes: {}, subgraph: { within, began: { version, hash: "" } } };
  return subgraph?.thread !== true || subgraph.within === current.subgraph?.within
    ? current
    : followOut(current, update, subgraph);
}

/** The thread's word; the same reference when it says what is there already. */
function follow<State>(current: FieldSnapshot<State>, update: ThreadSnapshot<State>): FieldSnapshot<State> {
  const { version, state } = update;
  const { subgraph } = inThread(current.subgraph, writtenIn(update));
  const isMarked = subgraph === undefined || current.subgraph?.thread === true;
  const same =
    isMarked && current.version === version && (current.state === state || diff(current.state, state).length === 0);
  return same
    ? current
    : { version, state, outcomes: current.outcomes, ...(subgraph === undefined ? {} : { subgraph }) };
}

function submit<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  update: unknown,
): FieldSnapshot<StateOf<D>> {
  const { id, operation, actor } = isSubmission(update)
    ? update
    : { id: undefined, operation: update, actor: undefined };
  if (id !== undefined && Object.hasOwn(current.outcomes, id)) return current;
  const transition = definition.transition(current.state, operation, actor === undefined ? {} : { actor });
  const keep = (outcome: Outcome) => (id === undefined ? current.outcomes : record(current.outcomes, id, outcome));
  if (!transition.accepted) {
    const outcomes = keep(refusal(current.outcomes, operation, current.version, transition.rejection));
    return outcomes === current.outcomes ? current : { ...current, outcomes };
  }
  const { patches } = transition;
  const version = current.version + (patches.length === 0 ? 0 : 1);
  const outcomes = keep({ accepted: true, version, ...(patches.length === 0 ? {} : { changed: changed(patches) }) });
  return version === current.version && outcomes === current.outcomes
    ? current
    : { ...current, version, state: transition.state, outcomes };
}

export function isFieldSnapshot<State>(value: unknown): value is FieldSnapshot<State> {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value && "state" in value && "outcomes" in value)) return false;
  if (Object.keys(value).length !== ("subgraph" in value && isSubgraph(value.subgraph) ? 4 : 3)) return false;
  const { version, outcomes } = value;
  return (
    Number.isSafeInteger(version) &&
    Number(version) >= 0 &&
    typeof outcomes === "object" &&
    outcomes !== null &&
    !Array.isArray(outcomes)
  );
}

function isSubmission(value: unknown): value is FieldSubmission {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === "$submission" &&
    "operation" in value &&
    "id" in value &&
    typeof value.id === "string"
  );
}
