// The state of `verifyEvents`: what is open, who owns what, and the phase of the run.
//
// Invariants: it is immutable, and a fragment does not change it.

import { PersistentMap } from "./persistent-map.ts";

/** What can be open. A reasoning span and a reasoning message may have the same id. */
export type OpenKind = "text message" | "tool call" | "reasoning span" | "reasoning message";
/**
 * What has an owner: a subagent, or the agent itself (undefined). Owners are kept for the whole
 * run, because what was closed may be continued.
 */
export type OwnedKind = "message" | "tool call" | "activity" | "reasoning message";

export type Owners = PersistentMap<string | undefined>;

/** A set of ids. */
export type Ids = PersistentMap<true>;

export interface OpenStep {
  readonly name: string;
  readonly owner: string | undefined;
}

export interface VerifyState {
  /** `before` the first event. `stopped` after a violation: nothing passes until a run starts. */
  readonly phase: "before" | "running" | "finished" | "failed" | "stopped";
  readonly open: Readonly<Record<OpenKind, Ids>>;
  readonly owners: Readonly<Record<OwnedKind, Owners>>;
  readonly steps: readonly OpenStep[];
  readonly subagents: { readonly active: Ids; readonly closed: Ids };
}

const NO_IDS: Ids = new PersistentMap();
const NO_OWNERS: Owners = new PersistentMap();

export const INITIAL_VERIFY_STATE: VerifyState = {
  phase: "before",
  open: { "text message": NO_IDS, "tool call": NO_IDS, "reasoning span": NO_IDS, "reasoning message": NO_IDS },
  owners: { message: NO_OWNERS, "tool call": NO_OWNERS, activity: NO_OWNERS, "reasoning message": NO_OWNERS },
  steps: [],
  subagents: { active: NO_IDS, closed: NO_IDS },
};

export function withOpen(state: VerifyState, kind: OpenKind, id: string): VerifyState {
  return { ...state, open: { ...state.open, [kind]: state.open[kind].set(id, true) } };
}

export function withoutOpen(state: VerifyState, kind: OpenKind, id: string): VerifyState {
  return { ...state, open: { ...state.open, [kind]: state.open[kind].delete(id) } };
}

export function withOwners(
  state: VerifyState,
  kind: OwnedKind,
  entries: readonly (readonly [string, string | undefined])[],
): VerifyState {
  const owners = entries.reduce((before, [id, owner]) => before.set(id, owner), state.owners[kind]);
  return { ...state, owners: { ...state.owners, [kind]: owners } };
}
