// The channel that follows a thread, or decides by itself: the state with its version, and the
// outcomes of what was submitted to the field.
//
// Invariants:
// - The reducer is total and pure.
// - A thread's snapshot always wins, whatever its version: if the higher version won, an input with
//   version 999 would poison the run.
// - A value of the field's own shape is ignored as the outermost graph's input, because LangChain
//   sends the whole current state again with every invoke. It begins a subgraph, and what was
//   submitted there is folded when it leaves one (`subgraph.ts`).
// - A submission's id is folded once.
// - A refusal keeps version and state.
//
// Long because it is all of one reducer, with what a field takes and holds.

import { ReducedValue } from "@langchain/langgraph";
import { describeChanges, describeCreated } from "@opstate/agent";
import { defined, type Actor, type AnyDefinition, type Snapshot, type StateOf, type UpdateOf } from "@opstate/core";
import { diff } from "@opstate/core/json-patch";
import * as z from "zod";
import { record, refusal, type Outcome, type Outcomes } from "./outcomes.ts";
import { acceptAnything } from "./accept-anything.ts";
import { droppedUpdate, reportTo, type FieldOptions, type Report } from "./on-reject.ts";
import { storedAsVersion } from "./stored-as-version.ts";
import {
  beginSubgraph,
  beginWithState,
  carry,
  followSubgraphThread,
  threadSubgraph,
  isSubgraph,
  mergeSubgraph,
  type CarriedSubmission,
  type Subgraph,
} from "./subgraphs/subgraph.ts";
import { isThreadSnapshot, isUnmarkedSnapshot, subgraphOfSnapshot, type ThreadSnapshot } from "./thread-snapshot.ts";
import { currentTask, isWrittenBy, markWritten, readWritten, type WrittenBy } from "./written.ts";

/**
 * What a `snapshotField` holds. `outcomes` has the verdicts on what was submitted to the field
 * itself, by submission id, newest last.
 */
export interface FieldSnapshot<State = unknown> extends Snapshot<State> {
  readonly outcomes: Outcomes;
  /** In a subgraph only: what was submitted since it began. The parent's field folds it. */
  readonly subgraph?: Subgraph;
}

/**
 * An update with the id that its verdict is recorded under. With an actor, permission is checked.
 * Plain JSON: it survives a checkpoint.
 */
export interface FieldSubmission<Update = unknown> {
  readonly type: "$submission";
  readonly id: string;
  readonly operation: Update;
  readonly actor?: Actor;
  /** The field's own note of the task that wrote it. */
  readonly by?: WrittenBy;
}

/** `onReject` is not called with submissions: their verdicts are in the field's `outcomes`. */
export interface SnapshotFieldOptions extends FieldOptions {
  /** What a checkpoint stores of the field: everything (the default), or its version only. */
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
 * A field of a `StateSchema` that holds `{ version, state, outcomes }`. With a thread it adopts the
 * thread's snapshots (`snapshotOf(thread)`; `opstateMiddleware` writes them). Without one it
 * accepts the definition's operations and replacements, and each accepted one adds 1 to the
 * version. The verdict on `{ type: "$submission", id, operation }` is recorded in `outcomes[id]`.
 * `onReject` is called with another update that is refused, or by default a warning in development.
 *
 * With `{ checkpoint: "version" }` a checkpoint stores the version and no state: a few bytes, where
 * LangGraph would store the whole value with every superstep. Such a field needs a thread and
 * accepts nothing else. As JSON, and when it is read from a checkpoint, its `state` is null until
 * `opstateMiddleware` brings the thread's state again.
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
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
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
  const report = reportTo(options);
  const valueSchema = z.object({
    version: z.int().min(0),
    state: z.nullable(definition.schema),
    outcomes: z.record(z.string(), z.custom<Outcome>()),
    subgraph: z.optional(z.custom<Subgraph>()),
  });
  // `AnyDefinition` has no type of its schema. What the schema parses to is the definition's state.
  return new ReducedValue(z._default(valueSchema, () => initial) as unknown as z.ZodType<FieldSnapshot<StateOf<D>>>, {
    // A marked update keeps the type of the update.
    inputSchema: acceptAnything<SnapshotFieldUpdate<D>>({ field: definition.name, report }).transform(
      (update) => noteWriter(update) as typeof update,
    ),
    reducer: (current, update) => {
      const present = isFieldSnapshot<StateOf<D>>(current) ? current : initial;
      return options.checkpoint === "version"
        ? followThreadOnly(definition, present, update, report)
        : fold(definition, present, update, report);
    },
  });
}

/**
 * Notes on an update which task writes it. A snapshot that is the outermost graph's input is
 * dropped: it is LangChain's echo, or forged.
 */
function noteWriter(update: unknown): unknown {
  const by = currentTask();
  if (by === undefined || typeof update !== "object" || update === null) return update;
  if (Array.isArray(update) || isThreadSnapshot(update)) return update;
  if (isSubmission(update)) return { ...update, by };
  if (!isFieldSnapshot(update)) return by.subgraph === undefined ? update : markWritten(update, by);
  if (by.isInput === true) return by.subgraph === undefined ? undefined : markWritten(update, by);
  if (update.subgraph === undefined) return update;
  // A copy with the same prototype: it may be one that is stored as its version.
  const subgraph: Subgraph = { ...update.subgraph, writtenBy: by };
  return Object.assign(Object.create(Object.getPrototypeOf(update)), update, { subgraph });
}

/** The field's reducer. Total and, but for `report`, pure. */
export function fold<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  written: unknown,
  report: Report = () => undefined,
): FieldSnapshot<StateOf<D>> {
  const { update, by } = readWritten(written);
  if (update === null || update === undefined) return current;
  if (isThreadSnapshot<StateOf<D>>(update)) return followThread(current, update);
  const input = by?.isInput === true ? by.subgraph : undefined;
  if (isFieldSnapshot<StateOf<D>>(update)) {
    return input === undefined
      ? mergeSubgraph(current, update, (field, submission, writer) =>
          submit(definition, field, submission, writer, report),
        )
      : beginSubgraph(definition, current, update, input);
  }
  if (isSubmission(update)) return submit(definition, current, update, update.by, report);
  return input === undefined || isOperation(update)
    ? submit(definition, current, { operation: update }, by, report)
    : beginWithState(definition, current, update, input);
}

/** Without a stored state nothing can be folded: the field follows the thread only. */
function followThreadOnly<State>(
  { name }: AnyDefinition,
  current: FieldSnapshot<State>,
  written: unknown,
  report: Report,
): FieldSnapshot<State> {
  const { update, by } = readWritten(written);
  const isSnapshot = isThreadSnapshot(update) || isFieldSnapshot(update) || isUnmarkedSnapshot(update);
  if (update !== null && update !== undefined && !isSnapshot)
    report(droppedUpdate("The field follows its thread: submit to the thread"), { field: name, update });
  const next = isThreadSnapshot<State>(update) ? followThread(current, update) : followSubgraph(current, update, by);
  return next === current ? current : storedAsVersion(next);
}

function followSubgraph<State>(
  current: FieldSnapshot<State>,
  update: unknown,
  by: WrittenBy | undefined,
): FieldSnapshot<State> {
  if (!isFieldSnapshot<State>(update)) return current;
  const { version, state, subgraph } = update;
  if (by?.isInput === true && by.subgraph !== undefined)
    return { version, state, outcomes: {}, subgraph: { within: by.subgraph.within, began: version } };
  return subgraph?.thread !== true || subgraph.within === current.subgraph?.within
    ? current
    : followSubgraphThread(current, update, subgraph);
}

/** The field with the thread's snapshot; the same object when it holds that snapshot already. */
function followThread<State>(current: FieldSnapshot<State>, update: ThreadSnapshot<State>): FieldSnapshot<State> {
  const { version, state } = update;
  const within = subgraphOfSnapshot(update);
  const subgraph = threadSubgraph(current.subgraph ?? (within === undefined ? undefined : { within }));
  const isMarked = subgraph.subgraph === undefined || current.subgraph?.thread === true;
  const isSame =
    isMarked && current.version === version && (current.state === state || diff(current.state, state).length === 0);
  return isSame ? current : { version, state, outcomes: current.outcomes, ...subgraph };
}

function submit<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  { id, operation, actor, unnamed }: Partial<CarriedSubmission>,
  by: WrittenBy | undefined,
  report: Report,
): FieldSnapshot<StateOf<D>> {
  if (id !== undefined && Object.hasOwn(current.outcomes, id)) return current;
  // A field has no time, since a clock would differ in every run of its reducer.
  const context = defined({ actor, id: unnamed === true ? undefined : id });
  const transition = definition.transition(current.state, operation, context);
  const withOutcome = (outcome: Outcome) =>
    id === undefined ? current.outcomes : record(current.outcomes, id, outcome, by?.step);
  if (!transition.accepted) {
    if ((id === undefined || unnamed === true) && !isUnmarkedSnapshot(operation))
      report(transition.rejection, { field: definition.name, update: operation });
    if (id === undefined) return current;
    const refused = refusal(current.outcomes, operation, current.version, transition.rejection);
    return carry({ ...current, outcomes: withOutcome(refused) }, by, () => ({ id, refused }));
  }
  const { patches, inverse } = transition;
  const version = current.version + (patches.length === 0 ? 0 : 1);
  const changed = patches.length === 0 ? undefined : describeChanges(patches);
  const outcomes = withOutcome(
    defined({ accepted: true, version, changed, created: describeCreated(patches, inverse) }),
  );
  if (version === current.version && id === undefined) return current;
  return carry({ ...current, version, state: transition.state, outcomes }, by, (ownId) =>
    id === undefined ? { id: ownId, operation, unnamed: true } : defined({ id, operation, actor, unnamed }),
  );
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
    typeof value.id === "string" &&
    (!("by" in value) || isWrittenBy(value.by))
  );
}

function isOperation(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
