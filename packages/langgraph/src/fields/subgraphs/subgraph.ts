// A field's value across the borders of graphs: how a subgraph's field begins, and how its result
// is folded into the field of the graph around it, the parent.
//
//   parent    v3 --------------------------------- v4 -> fold [a, b] -> v6
//                 \                                 /    (another subgraph was folded before it)
//   subgraph       v3 -> a: v4 -> b: v5 -> c refused     outcomes: a and b as the parent judged
//                  begins with v3, submissions []        them, c as its model has read it
//
// Invariants:
// - A subgraph's value carries what was submitted since the subgraph began, in order.
// - The parent folds each submission once, by its id. Its own verdict is the recorded one.
// - What was refused in the subgraph stays refused: a model has read it, and went on.
// - Only the input of the outermost graph is not folded: any client may have sent it.
// - A thread's snapshot is not folded but followed: the thread decides.

import { defined, type Actor, type AnyDefinition, type StateOf } from "@opstate/core";
import { inherited, isOutcome, record, type Outcome } from "../outcomes.ts";
import type { FieldSnapshot } from "../snapshot-field.ts";
import { isWrittenBy, parentNamespace, type SubgraphCall, type WrittenBy } from "../written.ts";

/** What a subgraph's field knows of the subgraph. Plain JSON: it survives a checkpoint. */
export interface Subgraph {
  /** The subgraph's namespace in its run. */
  readonly within: string;
  /** The run of the subgraph (`written.ts`). */
  readonly call?: string;
  /** The parent's version at the beginning. */
  readonly began?: number;
  /** What was submitted since the beginning, oldest first. */
  readonly submissions?: readonly CarriedSubmission[];
  /** The parent's task that wrote the value to the parent's field. */
  readonly writtenBy?: WrittenBy;
  /** Set when the value is a thread's: the thread decides, and nothing is folded. */
  readonly thread?: true;
}

/**
 * A submission on its way to the parent: with its operation, or with the refusal that a model has
 * read. One that was written without an id has an id of the field's own, and is `unnamed`.
 */
export interface CarriedSubmission {
  readonly id: string;
  readonly operation?: unknown;
  readonly actor?: Actor;
  readonly unnamed?: true;
  readonly refused?: Outcome;
}

/** A subgraph's field as it begins with the parent's value. */
export function beginSubgraph<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  { version, state, outcomes }: FieldSnapshot,
  { within, call }: SubgraphCall,
): FieldSnapshot<StateOf<D>> {
  const replaced = definition.transition(current.state, { type: "$replace", value: state });
  // It stays as it is when the definition refuses the state, or a checkpoint did not store it.
  if (!replaced.accepted && state !== definition.initial) return current;
  return {
    version,
    state: replaced.accepted ? replaced.state : definition.initial,
    outcomes: inherited(outcomes),
    subgraph: { within, call, began: version, submissions: [] },
  };
}

/** A subgraph's field as it begins with a plain state, which is no submission of the subgraph. */
export function beginWithState<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  update: unknown,
  { within, call }: SubgraphCall,
): FieldSnapshot<StateOf<D>> {
  const replaced = definition.transition(current.state, update);
  const isChanged = replaced.accepted && replaced.patches.length > 0;
  const version = current.version + (isChanged ? 1 : 0);
  return {
    version,
    state: isChanged ? replaced.state : current.state,
    outcomes: current.outcomes,
    subgraph: { within, call, began: version, submissions: [] },
  };
}

/** The field with one more submission to carry. Only in a subgraph is there anything to carry. */
export function carry<S extends FieldSnapshot>(
  field: S,
  by: WrittenBy | undefined,
  submission: (id: string) => CarriedSubmission,
): S {
  const { subgraph } = field;
  // A subgraph that was given no value of the field begins with its first submission.
  const isNewCall = by?.subgraph !== undefined && by.subgraph.call !== subgraph?.call;
  const begun: Subgraph | undefined = isNewCall ? { ...by.subgraph, submissions: [] } : subgraph;
  if (begun?.submissions === undefined) return field;
  const added = submission(`$${begun.call ?? ""}/${begun.submissions.length}`);
  return { ...field, subgraph: { ...begun, submissions: [...begun.submissions, added] } };
}

/**
 * The parent's field after a subgraph's result was written to it. The same object when the result
 * contains nothing new. `submit` folds one submission as the field does.
 */
export function mergeSubgraph<State>(
  current: FieldSnapshot<State>,
  update: FieldSnapshot<State>,
  submit: (field: FieldSnapshot<State>, submission: CarriedSubmission, by: WrittenBy) => FieldSnapshot<State>,
): FieldSnapshot<State> {
  const { subgraph } = update;
  if (subgraph === undefined) return current;
  if (subgraph.thread === true)
    // A node returned the value that it was given.
    return subgraph.within === current.subgraph?.within ? current : followSubgraphThread(current, update, subgraph);
  const by = writerOf(subgraph);
  const carried = new Set(current.subgraph?.submissions?.map(({ id }) => id));
  let field = current;
  for (const submission of subgraph.submissions ?? []) {
    const { id, refused } = submission;
    if (carried.has(id) || Object.hasOwn(field.outcomes, id)) continue;
    field =
      refused === undefined
        ? submit(field, submission, by)
        : carry({ ...field, outcomes: record(field.outcomes, id, refused, by.step) }, by, () => submission);
  }
  return field;
}

/** A value that a hook of the subgraph itself has read is not yet the parent's. */
function writerOf({ call, writtenBy = {} }: Subgraph): WrittenBy {
  return writtenBy.subgraph !== undefined && writtenBy.subgraph.call === call ? {} : writtenBy;
}

/**
 * The parent's field after a subgraph with a thread returned its snapshot. Of parallel subgraphs
 * the newest snapshot wins, in whatever order they are folded. Otherwise the snapshot is adopted,
 * also when its version is lower.
 */
export function followSubgraphThread<State>(
  current: FieldSnapshot<State>,
  update: FieldSnapshot<State>,
  { within, began }: Subgraph,
): FieldSnapshot<State> {
  const { version, state } = update;
  const hasMoved = began !== undefined && began !== current.version;
  if (current.version === version ? current.state === state : hasMoved && version < current.version) return current;
  return { version, state, outcomes: current.outcomes, ...threadSubgraph(current.subgraph ?? parentOf(within)) };
}

/** The `subgraph` member of a value that is a thread's. */
export function threadSubgraph(subgraph: Subgraph | undefined): { readonly subgraph?: Subgraph } {
  if (subgraph === undefined) return {};
  return { subgraph: { within: subgraph.within, ...defined({ began: subgraph.began }), thread: true } };
}

/** Checks a value from another graph or from a checkpoint, which may be anything. */
export function isSubgraph(value: unknown): value is Subgraph {
  if (typeof value !== "object" || value === null || !("within" in value) || typeof value.within !== "string")
    return false;
  const submissions: unknown = "submissions" in value ? value.submissions : undefined;
  if ("writtenBy" in value && !isWrittenBy(value.writtenBy)) return false;
  return submissions === undefined || (Array.isArray(submissions) && submissions.every(isCarried));
}

function isCarried(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("id" in value) || typeof value.id !== "string") return false;
  return "refused" in value ? isOutcome(value.refused) : "operation" in value;
}

function parentOf(within: string): Subgraph | undefined {
  const outer = parentNamespace(within);
  return outer === undefined ? undefined : { within: outer };
}
