// A field's value across the borders of graphs: what a subgraph begins with, and what is made of
// what leaves it.
//
// Invariants: only a graph's own start gives a subgraph its beginning, and never the start of the
// outermost graph, whose input may come from anybody; what leaves is taken when the field still
// stands where the subgraph began; else each verdict that changed something is recorded as not
// taken, so that whoever reads verdicts afterwards learns it; a thread's snapshot is followed.

import { createHash } from "node:crypto";
import { getConfig } from "@langchain/langgraph";
import type { AnyDefinition, StateOf } from "@opstate/core";
import { isOutcome, KEPT, type Outcome, type Outcomes } from "./outcomes.ts";
import type { FieldSnapshot } from "./snapshot-field.ts";

/** Where a value in a subgraph comes from. Plain JSON, so that it survives a checkpoint. */
export interface Subgraph {
  /**
   * The subgraph's namespace in its run: it tells one run of a subgraph from another, and from the
   * graph around it.
   */
  readonly within: string;
  /** How the field around it stood: its version, its state as a hash, and its last outcome. */
  readonly began?: { readonly version: number; readonly hash: string; readonly after?: string };
  /** Whether the value is a thread's: then the thread is the truth, and nothing is to be merged. */
  readonly thread?: true;
}

const beginning: unique symbol = Symbol.for("opstate.subgraph-beginning");

/**
 * The namespace of the graph that the running task belongs to; undefined in the outermost graph and
 * outside of any.
 */
export function subgraphNow(): string | undefined {
  const task = configNow()?.configurable?.["checkpoint_ns"];
  return typeof task === "string" ? around(task) : undefined;
}

/**
 * A snapshot that is a graph's input: where a subgraph begins. As input of the outermost graph it
 * is what LangChain sends back, or forged.
 */
export function markBeginning(update: unknown, isSnapshot: (value: unknown) => value is FieldSnapshot): unknown {
  if (!isSnapshot(update) || configNow()?.metadata?.["langgraph_node"] !== "__start__") return update;
  const within = subgraphNow();
  if (within === undefined) return undefined;
  // As JSON a value that is stored as its version stays so: that stands on its prototype.
  return Object.assign(Object.create(Object.getPrototypeOf(update)), update, { [beginning]: within });
}

/** The namespace of the subgraph that begins with this value. */
export function beginningOf(update: object): string | undefined {
  const within: unknown = beginning in update ? update[beginning] : undefined;
  return typeof within === "string" ? within : undefined;
}

/**
 * A subgraph's field as it begins. A state that the definition refuses, or that no checkpoint held,
 * is no beginning.
 */
export function begin<D extends AnyDefinition>(
  definition: D,
  current: FieldSnapshot<StateOf<D>>,
  { version, state, outcomes }: FieldSnapshot,
  within: string,
): FieldSnapshot<StateOf<D>> {
  const taken = definition.transition(current.state, { type: "$replace", value: state });
  if (!taken.accepted && state !== definition.initial) return current;
  const known = Object.fromEntries(Object.entries(outcomes).filter(([, outcome]) => isOutcome(outcome)));
  const after = Object.keys(known).at(-1);
  const began = { version, hash: hashOf(state), ...(after === undefined ? {} : { after }) };
  return {
    version,
    state: taken.accepted ? taken.state : definition.initial,
    outcomes: known,
    subgraph: { within, began },
  };
}

/**
 * The field after a value that left a subgraph was written to it; the same reference when that says
 * nothing new.
 */
export function leave<D extends AnyDefinition>(
  { name }: D,
  current: FieldSnapshot<StateOf<D>>,
  update: FieldSnapshot<StateOf<D>>,
): FieldSnapshot<StateOf<D>> {
  const { subgraph } = update;
  // What a node was given, and gives back.
  if (subgraph !== undefined && subgraph.within === current.subgraph?.within) return current;
  if (subgraph?.thread === true) return followOut(current, update, subgraph);
  const fresh = freshIn(current.outcomes, update.outcomes, subgraph?.began?.after);
  const stands = subgraph?.began?.version === current.version && subgraph.began.hash === hashOf(current.state);
  if (fresh.length === 0 && (!stands || update.version === current.version)) return current;
  const settled = fresh.map(([id, outcome]): [string, Outcome] => [
    id,
    stands || !hasChanged(outcome) ? outcome : notTaken(name, current),
  ]);
  const outcomes: Outcomes = Object.fromEntries([...Object.entries(current.outcomes), ...settled].slice(-KEPT));
  return stands ? { ...current, version: update.version, state: update.state, outcomes } : { ...current, outcomes };
}

/**
 * A thread's snapshot as it leaves a subgraph: of parallel ones the newest, whatever order they are
 * folded in; else whatever it says.
 */
export function followOut<State>(
  current: FieldSnapshot<State>,
  update: FieldSnapshot<State>,
  { within, began }: Subgraph,
): FieldSnapshot<State> {
  const { version, state } = update;
  const hasMoved = began !== undefined && began.version !== current.version;
  if (current.version === version ? current.state === state : hasMoved && version < current.version) return current;
  const subgraph = current.subgraph ?? outOf(within);
  return {
    version,
    state,
    outcomes: current.outcomes,
    ...(subgraph === undefined ? {} : { subgraph: { ...subgraph, thread: true } }),
  };
}

/** A subgraph's value that is a thread's. */
export function inThread(current: Subgraph | undefined, within: string | undefined): { readonly subgraph?: Subgraph } {
  const subgraph = current ?? (within === undefined ? undefined : { within });
  return subgraph === undefined ? {} : { subgraph: { ...subgraph, thread: true } };
}

export function isSubgraph(value: unknown): value is Subgraph {
  if (typeof value !== "object" || value === null || !("within" in value) || typeof value.within !== "string")
    return false;
  const began: unknown = "began" in value ? value.began : undefined;
  return began === undefined || (typeof began === "object" && began !== null && "version" in began && "hash" in began);
}

/**
 * The outcomes that came after those that both know. An old one that only the field has forgotten
 * is not new.
 */
function freshIn(known: Outcomes, given: Outcomes, after: string | undefined): [string, Outcome][] {
  const entries = Object.entries(given);
  const last = entries.findLastIndex(([id]) => id === after || (after === undefined && Object.hasOwn(known, id)));
  return entries.slice(last + 1).filter(([id, outcome]) => !Object.hasOwn(known, id) && isOutcome(outcome));
}

function hasChanged(outcome: Outcome): boolean {
  return outcome.accepted && outcome.changed !== undefined;
}

function notTaken(name: string, { version }: FieldSnapshot): Outcome {
  const message = `It was done in a subgraph, and ${name} had changed around it meanwhile: nothing of it was taken. Look at the present state, and do again what is still wanted.`;
  return {
    accepted: false,
    version,
    attempt: 1,
    rejection: { code: "conflict", reason: "not_taken", message, operation: { type: "$subgraph" } },
  };
}

function hashOf(state: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(state ?? null))
    .digest("hex");
}

/** The namespace around a task's or a subgraph's, or undefined when that is the outermost graph. */
function around(namespace: string): string | undefined {
  const end = namespace.lastIndexOf("|");
  return end <= 0 ? undefined : namespace.slice(0, end);
}

function outOf(within: string): Subgraph | undefined {
  const outer = around(within);
  return outer === undefined ? undefined : { within: outer };
}

function configNow(): ReturnType<typeof getConfig> | undefined {
  try {
    return getConfig();
  } catch {
    // Outside of any run.
    return undefined;
  }
}
