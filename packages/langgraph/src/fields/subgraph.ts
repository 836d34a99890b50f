// A field's value across the borders of graphs: how a subgraph's field begins, and how its result
// is merged into the field of the graph around it, the parent.
//
//   parent    v3 ---------------------------- v3 -> merged: state and outcomes of v5
//                 \                          /       (had the parent moved to v4: not merged, and
//   subgraph       v3 -> v4 -> v5 ----------'         each outcome that changed something becomes
//                  began: { v3, hash }                "Refused (not_merged)")
//
// Invariants:
// - Only the start of a subgraph sets its beginning. The start of the outermost graph never does,
//   because its input may come from anybody.
// - A result is merged when the parent's field is still where the subgraph began.
// - Otherwise each outcome that changed something is recorded as refused, so that messages and
//   models learn of it.
// - A thread's snapshot is not merged but followed: the thread decides.

import { createHash } from "node:crypto";
import { getConfig } from "@langchain/langgraph";
import { defined, type AnyDefinition, type StateOf } from "@opstate/core";
import { isOutcome, MAX_OUTCOMES, type Outcome, type Outcomes } from "./outcomes.ts";
import type { FieldSnapshot } from "./snapshot-field.ts";

/** Where the value of a subgraph's field comes from. Plain JSON: it survives a checkpoint. */
export interface Subgraph {
  /** The subgraph's namespace in its run. Each run of a subgraph has another one. */
  readonly within: string;
  /** The parent's field at the beginning: version, hash of the state, id of the last outcome. */
  readonly began?: { readonly version: number; readonly hash: string; readonly after?: string };
  /** Set when the value is a thread's: the thread decides, and nothing is merged. */
  readonly thread?: true;
}

const INPUT_OF: unique symbol = Symbol.for("opstate.subgraph-beginning");

/**
 * The namespace of the subgraph that the running task belongs to. Undefined in the outermost graph,
 * and outside of a run.
 */
export function currentSubgraph(): string | undefined {
  const task = currentConfig()?.configurable?.["checkpoint_ns"];
  return typeof task === "string" ? parentNamespace(task) : undefined;
}

/**
 * Marks a snapshot that is a subgraph's input: the subgraph's field begins with it. A snapshot that
 * is the outermost graph's input is ignored: it is LangChain's echo, or forged.
 */
export function markSubgraphInput(update: unknown, isSnapshot: (value: unknown) => value is FieldSnapshot): unknown {
  if (!isSnapshot(update) || currentConfig()?.metadata?.["langgraph_node"] !== "__start__") return update;
  const within = currentSubgraph();
  if (within === undefined) return undefined;
  // A copy with the same prototype: it may be one that is stored as its version.
  return Object.assign(Object.create(Object.getPrototypeOf(update)), update, { [INPUT_OF]: within });
}

/** The namespace of the subgraph whose input this value is, if it is one's. */
export function subgraphOfInput(update: object): string | undefined {
  const within: unknown = INPUT_OF in update ? update[INPUT_OF] : undefined;
  return typeof within === "string" ? within : undefined;
}

/**
 * A subgraph's field as it begins with its input. It stays as it is when the definition refuses the
 * input's state, or when a checkpoint did not store that state.
 */
export function beginSubgraph<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  { version, state, outcomes }: FieldSnapshot,
  within: string,
): FieldSnapshot<StateOf<D>> {
  const replaced = definition.transition(current.state, { type: "$replace", value: state });
  if (!replaced.accepted && state !== definition.initial) return current;
  const known = Object.fromEntries(Object.entries(outcomes).filter(([, outcome]) => isOutcome(outcome)));
  const after = Object.keys(known).at(-1);
  const began = defined({ version, hash: hashOf(state), after });
  return {
    version,
    state: replaced.accepted ? replaced.state : definition.initial,
    outcomes: known,
    subgraph: { within, began },
  };
}

/**
 * The parent's field after a subgraph's result was written to it. The same object when the result
 * contains nothing new.
 */
export function mergeSubgraph<D extends AnyDefinition>(
  { name }: D,
  current: FieldSnapshot<StateOf<D>>,
  update: FieldSnapshot<StateOf<D>>,
): FieldSnapshot<StateOf<D>> {
  const { subgraph } = update;
  // A node returned the value that it was given.
  if (subgraph !== undefined && subgraph.within === current.subgraph?.within) return current;
  if (subgraph?.thread === true) return followSubgraphThread(current, update, subgraph);
  const added = newOutcomes(current.outcomes, update.outcomes, subgraph?.began?.after);
  const isUnmoved = subgraph?.began?.version === current.version && subgraph.began.hash === hashOf(current.state);
  if (added.length === 0 && (!isUnmoved || update.version === current.version)) return current;
  const recorded = added.map(([id, outcome]): [string, Outcome] => [
    id,
    isUnmoved || !hasChanged(outcome) ? outcome : notMerged(name, current),
  ]);
  const outcomes: Outcomes = Object.fromEntries(
    [...Object.entries(current.outcomes), ...recorded].slice(-MAX_OUTCOMES),
  );
  return isUnmoved ? { ...current, version: update.version, state: update.state, outcomes } : { ...current, outcomes };
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
  const hasMoved = began !== undefined && began.version !== current.version;
  if (current.version === version ? current.state === state : hasMoved && version < current.version) return current;
  return { version, state, outcomes: current.outcomes, ...threadSubgraph(current.subgraph ?? parentOf(within)) };
}

/** The `subgraph` member of a value that is a thread's. */
export function threadSubgraph(subgraph: Subgraph | undefined): { readonly subgraph?: Subgraph } {
  return subgraph === undefined ? {} : { subgraph: { ...subgraph, thread: true } };
}

export function isSubgraph(value: unknown): value is Subgraph {
  if (typeof value !== "object" || value === null || !("within" in value) || typeof value.within !== "string")
    return false;
  const began: unknown = "began" in value ? value.began : undefined;
  return began === undefined || (typeof began === "object" && began !== null && "version" in began && "hash" in began);
}

/**
 * The subgraph's outcomes that are new to the parent: those after the last one that both know. An
 * old outcome that the parent has dropped is not new.
 */
function newOutcomes(known: Outcomes, given: Outcomes, after: string | undefined): [string, Outcome][] {
  const entries = Object.entries(given);
  const last = entries.findLastIndex(([id]) => id === after || (after === undefined && Object.hasOwn(known, id)));
  return entries.slice(last + 1).filter(([id, outcome]) => !Object.hasOwn(known, id) && isOutcome(outcome));
}

function hasChanged(outcome: Outcome): boolean {
  return outcome.accepted && outcome.changed !== undefined;
}

function notMerged(name: string, { version }: FieldSnapshot): Outcome {
  const message = `This was done in a subgraph and was not kept, because ${name} changed outside of the subgraph in the meantime. Check the current state, and repeat what is still needed.`;
  return {
    accepted: false,
    version,
    attempt: 1,
    rejection: { code: "conflict", reason: "not_merged", message, operation: { type: "$subgraph" } },
  };
}

function hashOf(state: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(state ?? null))
    .digest("hex");
}

/** The namespace around that of a task or a subgraph. Undefined when it is the outermost graph. */
function parentNamespace(namespace: string): string | undefined {
  const end = namespace.lastIndexOf("|");
  return end <= 0 ? undefined : namespace.slice(0, end);
}

function parentOf(within: string): Subgraph | undefined {
  const outer = parentNamespace(within);
  return outer === undefined ? undefined : { within: outer };
}

function currentConfig(): ReturnType<typeof getConfig> | undefined {
  try {
    return getConfig();
  } catch {
    // Outside of a run.
    return undefined;
  }
}
