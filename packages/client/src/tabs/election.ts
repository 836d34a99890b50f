// Which tab of a group has the connection: a pure function of a tab's state and what happens to it.
//
//              start        confirmed         entered            granted
//      idle ─────────> alone ───────> entering ───────> waiting <────────> leading
//                                                       │     ^    lost
//                                        lead: join ────┘     └─── gone, ended: part
//
// A group is the tabs of one origin with the same address, confirmed actor, rights and definition
// versions. Its lock is held by the tab that leads. A tab is its own leader until it knows of
// another one, so it never waits for others before it shows something.
//
// Invariants:
// - A tab has its own connection only while it is its own leader.
// - The lock decides. Who loses it closes its connection before anything else.
// - A leader that ends is noticed by its lock, one that does not answer by the timer; then its lock
//   is stolen. Two tabs that lead for a moment send edits under their ids: one effect.

import type { ElectionMessage, Leader } from "./messages.ts";

export interface Election {
  readonly tab: string;
  readonly phase: "idle" | "alone" | "entering" | "waiting" | "leading";
  readonly group?: string | undefined;
  /** Who carries the threads of this tab: itself, another tab, or none. */
  readonly leader?: Leader | undefined;
  /** Beats of the timer since the last message of a leader. */
  readonly missed: number;
  /** How often this tab began to lead, for its terms. */
  readonly terms: number;
  /** This host does not let tabs find each other. */
  readonly isUnable: boolean;
}

export type ElectionEvent =
  /** The first thread is followed. */
  | { readonly type: "start" }
  /** The authority said who this tab's own connection is. */
  | { readonly type: "confirmed"; readonly group: string }
  /** This tab can be watched by others now. */
  | { readonly type: "entered" }
  | { readonly type: "granted" }
  | { readonly type: "lost" }
  /** The locks or the channel do not work. */
  | { readonly type: "unable" }
  | { readonly type: "heard"; readonly from: string; readonly message: ElectionMessage }
  /** Another tab ended. */
  | { readonly type: "gone"; readonly tab: string }
  | { readonly type: "timer" }
  /** The connection is closed here. */
  | { readonly type: "closed" };

export type ElectionEffect =
  /** Opens, or closes, this tab's own connection. */
  | { readonly do: "open" }
  | { readonly do: "close" }
  | { readonly do: "enter"; readonly group: string }
  | { readonly do: "leave" }
  | { readonly do: "lock"; readonly steal: boolean }
  | { readonly do: "post"; readonly message: ElectionMessage }
  /** Reports when a tab ends. */
  | { readonly do: "watch"; readonly tab: string }
  /** This tab's threads are carried by this leader from now on. */
  | { readonly do: "join"; readonly leader: Leader }
  /** No tab carries them. */
  | { readonly do: "part" }
  /** It is decided who leads: what the own connection says may be believed. */
  | { readonly do: "decided" }
  | { readonly do: "timer"; readonly milliseconds: number };

export interface Step {
  readonly state: Election;
  readonly effects: readonly ElectionEffect[];
}

/** How long a tab does not say that it is online while it looks for others. */
const DECISION = 500;
const BEAT = 5_000;
/** After so many beats without a message a leader counts as stuck. */
const PATIENCE = 2;

export function startElection(tab: string): Election {
  return { tab, phase: "idle", missed: 0, terms: 0, isUnable: false };
}

export function elect(state: Election, event: ElectionEvent): Step {
  switch (event.type) {
    case "start":
      return state.phase === "idle" ? lead({ ...state, phase: "alone" }, []) : stay(state);
    case "confirmed":
      return confirmed(state, event.group);
    case "entered": {
      if (state.phase !== "entering") return stay(state);
      return step({ ...state, phase: "waiting", missed: 0 }, ask(false), post({ type: "who" }), timer(DECISION));
    }
    case "granted": {
      if (state.phase !== "waiting") return stay(state);
      const led = lead({ ...state, phase: "leading", missed: 0 }, []);
      const term = led.state.leader?.term ?? "";
      return step(led.state, ...led.effects, post({ type: "lead", term }), { do: "decided" });
    }
    case "lost": {
      if (state.phase !== "leading") return stay(state);
      const next: Election = { ...state, phase: "waiting", leader: undefined, missed: 0 };
      return step(next, { do: "close" }, { do: "part" }, ask(false), post({ type: "who" }), timer(BEAT));
    }
    case "unable": {
      const left: readonly ElectionEffect[] = state.group === undefined ? [] : [{ do: "leave" }];
      const next: Election = { ...state, group: undefined, isUnable: true };
      if (state.phase === "idle") return step(next, ...left);
      const led = lead({ ...next, phase: "alone" }, left);
      return step(led.state, ...led.effects, { do: "decided" });
    }
    case "heard":
      return received(state, event.from, event.message);
    case "gone":
      return state.phase === "waiting" && state.leader?.tab === event.tab ? part(state, []) : stay(state);
    case "timer":
      return beat(state);
    case "closed": {
      const left: readonly ElectionEffect[] = state.group === undefined ? [] : [{ do: "leave" }];
      const next: Election = { ...state, phase: "idle", group: undefined, leader: undefined };
      return step(next, ...left, { do: "close" });
    }
  }
}

/** Another actor is another group, whose tabs share nothing with those of this one. */
function confirmed(state: Election, group: string): Step {
  if (state.group === group || state.isUnable || !isItsLeader(state)) return stay(state);
  const left: readonly ElectionEffect[] = state.group === undefined ? [] : [...resign(state), { do: "leave" }];
  return step({ ...state, phase: "entering", group, missed: 0 }, ...left, { do: "enter", group });
}

function received(state: Election, from: string, message: ElectionMessage): Step {
  const isLeading = state.phase === "leading";
  switch (message.type) {
    case "who":
      return isLeading ? step(state, ...announce(state, from)) : stay(state);
    case "ping": {
      const { term } = message;
      const isHeld = isLeading && state.leader?.term === term;
      return step(state, post(isHeld ? { type: "alive", term, to: from } : { type: "ended", term }));
    }
    case "alive":
      return { state: { ...state, missed: 0 }, effects: [] };
    case "ended":
      return state.phase === "waiting" && state.leader?.term === message.term
        ? part(state, [post({ type: "who" })])
        : stay(state);
    case "lead": {
      if (state.phase !== "waiting") return stay(state);
      const leader: Leader = { tab: from, term: message.term };
      const closed: readonly ElectionEffect[] = isItsLeader(state) ? [{ do: "close" }] : [];
      const next: Election = { ...state, leader, missed: 0 };
      return step(next, ...closed, { do: "watch", tab: from }, { do: "join", leader }, { do: "decided" });
    }
  }
}

function beat(state: Election): Step {
  if (state.phase !== "waiting") return stay(state);
  if (state.missed >= PATIENCE) return step({ ...state, missed: 0 }, ask(true), { do: "decided" }, timer(BEAT));
  const { leader } = state;
  const question: ElectionMessage =
    leader === undefined || isItsLeader(state) ? { type: "who" } : { type: "ping", term: leader.term, to: leader.tab };
  return step({ ...state, missed: state.missed + 1 }, post(question), { do: "decided" }, timer(BEAT));
}

/** This tab is its own leader: it keeps the connection that it has, or opens one. */
function lead(state: Election, before: readonly ElectionEffect[]): Step {
  if (isItsLeader(state)) return step(state, ...before);
  const terms = state.terms + 1;
  const leader: Leader = { tab: state.tab, term: `${state.tab} ${terms}` };
  return step({ ...state, terms, leader }, ...before, { do: "open" }, { do: "join", leader });
}

function part(state: Election, after: readonly ElectionEffect[]): Step {
  return step({ ...state, leader: undefined, missed: 0 }, { do: "part" }, ...after);
}

function resign({ phase, leader }: Election): readonly ElectionEffect[] {
  return phase === "leading" && leader !== undefined ? [post({ type: "ended", term: leader.term })] : [];
}

function announce({ leader }: Election, to: string): readonly ElectionEffect[] {
  return leader === undefined ? [] : [post({ type: "lead", term: leader.term, to })];
}

function isItsLeader({ tab, leader }: Election): boolean {
  return leader?.tab === tab;
}

function stay(state: Election): Step {
  return { state, effects: [] };
}

function step(state: Election, ...effects: readonly ElectionEffect[]): Step {
  return { state, effects };
}

function ask(steal: boolean): ElectionEffect {
  return { do: "lock", steal };
}

function post(message: ElectionMessage): ElectionEffect {
  return { do: "post", message };
}

function timer(milliseconds: number): ElectionEffect {
  return { do: "timer", milliseconds };
}
