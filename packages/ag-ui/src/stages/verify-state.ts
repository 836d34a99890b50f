// What the order of events is judged by: what is open, who owns what, and how far the run is. Immutable; a fragment changes nothing of it.

/** What can be open. A reasoning span and a reasoning message are two things, even under one id. */
export type OpenKind = "text message" | "tool call" | "reasoning span" | "reasoning message";
/** What has an owner: a subagent, or the agent itself (undefined). Kept for the whole run, since a closed thing may be continued. */
export type OwnedKind = "message" | "tool call" | "activity" | "reasoning message";

export type Owners = ReadonlyMap<string, string | undefined>;

export interface OpenStep {
  readonly name: string;
  readonly owner: string | undefined;
}

export interface VerifyState {
  /** `before` the first event; `stopped` after a violation: nothing passes until a run starts. */
  readonly phase: "before" | "running" | "finished" | "failed" | "stopped";
  readonly open: Readonly<Record<OpenKind, ReadonlySet<string>>>;
  readonly owners: Readonly<Record<OwnedKind, Owners>>;
  readonly steps: readonly OpenStep[];
  readonly subagents: { readonly active: ReadonlySet<string>; readonly closed: ReadonlySet<string> };
}

const nothing: ReadonlySet<string> = new Set();
const nobody: Owners = new Map();

export const initialVerifyState: VerifyState = {
  phase: "before",
  open: { "text message": nothing, "tool call": nothing, "reasoning span": nothing, "reasoning message": nothing },
  owners: { message: nobody, "tool call": nobody, activity: nobody, "reasoning message": nobody },
  steps: [],
  subagents: { active: nothing, closed: nothing },
};

export function opened(state: VerifyState, kind: OpenKind, id: string): VerifyState {
  return { ...state, open: { ...state.open, [kind]: new Set(state.open[kind]).add(id) } };
}

export function closed(state: VerifyState, kind: OpenKind, id: string): VerifyState {
  return { ...state, open: { ...state.open, [kind]: new Set([...state.open[kind]].filter((other) => other !== id)) } };
}

export function owned(state: VerifyState, kind: OwnedKind, entries: Iterable<readonly [string, string | undefined]>): VerifyState {
  return { ...state, owners: { ...state.owners, [kind]: new Map([...state.owners[kind], ...entries]) } };
}
