// What the order of events is judged by: what is open, who owns what, and how far the run is.
// Immutable; a fragment changes nothing of it.

import { PersistentMap } from "./persistent-map.ts";

/** What can be open. A reasoning span and a reasoning message are two things, even under one id. */
export type OpenKind = "text message" | "tool call" | "reasoning span" | "reasoning message";
/**
 * What has an owner: a subagent, or the agent itself (undefined). Kept for the whole run, since a
 * closed thing may be continued.
 */
export type OwnedKind = "message" | "tool call" | "activity" | "reasoning message";

export type Owners = PersistentMap<string | undefined>;

/** Ids; an id that is in has the value true. */
export type Ids = PersistentMap<true>;

export interface OpenStep {
  readonly name: string;
  readonly owner: string | undefined;
}

export interface VerifyState {
  /** `before` the first event; `stopped` after a violation: nothing passes until a run starts. */
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
