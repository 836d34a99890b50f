// What a model was shown of a state that has no log, such as a field of a graph. A log could say
// the changes since a version; here the states themselves are compared.
//
//   base    the snapshot. A large one stands before the conversation, and is made anew when the
//           changes, over all calls since, have cost as much (`state-base.ts` says why)
//   known   the state of the last call, as changes of the base: what the model has read
//   news    the state before others changed it, as long as the model has not answered to that
//
// Invariant: base and changes give the shown state exactly. It is plain JSON: a checkpoint stores
// it.

import { defined, type Snapshot } from "@opstate/core";
import { applyPatch, diff, type Patch } from "@opstate/core/json-patch";
import { patchLines } from "./changes-since.ts";
import { recentPointers } from "./recent-pointers.ts";
import { isWorthKeeping } from "./state-base.ts";

/** A state, as changes of a base. */
export interface SeenState {
  readonly version: number;
  readonly changes: Patch;
}

/** Plain JSON. */
export interface StateView {
  readonly base: Snapshot & {
    /** Whether it stands before the conversation. */
    readonly isLarge: boolean;
    /** JSON Pointers of what was touched before it, the last one first. */
    readonly focus: readonly string[];
    /** Characters of changes that were sent since. */
    readonly spent: number;
  };
  readonly known: SeenState;
  readonly news?: SeenState;
}

export interface ViewRequest {
  /** Whether the snapshot stands before the conversation. */
  readonly isLarge: boolean;
  /** Whether others may have made the changes since the last call. */
  readonly byOthers: boolean;
  /** Whether the model answered to the last call. */
  readonly isAnswered: boolean;
  /** The characters of the conversation, and of the snapshot. */
  readonly conversation: number;
  readonly snapshot: number;
}

const MAX_FOCUS = 30;

/** The view of the next call. */
export function nextView(last: StateView | undefined, { version, state }: Snapshot, request: ViewRequest): StateView {
  const { isLarge, byOthers, isAnswered, conversation, snapshot } = request;
  const changes = last === undefined ? [] : diff(last.base.state, state);
  const isChanged = last !== undefined && byOthers && diff(stateOf(last, last.known), state).length > 0;
  const unread = isAnswered ? undefined : last?.news;
  const news = unread ?? (isChanged ? last.known : undefined);
  if (last !== undefined && isLarge && last.base.isLarge) {
    const size = patchLines(changes).reduce((sum, line) => sum + line.length + 1, 0);
    const spent = last.base.spent + size;
    if (isWorthKeeping({ size, spent, conversation, snapshot }))
      return { base: { ...last.base, spent }, known: { version, changes }, ...defined({ news }) };
  }
  const focus = recentPointers([changes], MAX_FOCUS);
  return {
    base: { version, state, isLarge, focus, spent: 0 },
    known: { version, changes: [] },
    ...(last && news && { news: { version: news.version, changes: diff(state, stateOf(last, news)) } }),
  };
}

/** The view after a run: what the agent changed last is known to it. */
export function viewAtEnd(
  last: StateView,
  { version, state }: Snapshot,
  { isAnswered }: Pick<ViewRequest, "isAnswered">,
): StateView {
  const { base, news } = last;
  const known: SeenState = { version, changes: diff(base.state, state) };
  return news === undefined || isAnswered ? { base, known } : { base, known, news };
}

/** The view of an agent that begins anew, and knows the state from elsewhere. */
export function viewOf({ version, state }: Snapshot): StateView {
  return { base: { version, state, isLarge: false, focus: [], spent: 0 }, known: { version, changes: [] } };
}

/** What the model is shown of the changes: in lines, without `<`. */
export function viewLines(
  { base, news }: StateView,
  state: unknown,
): { readonly earlier: readonly string[]; readonly sinceLastLook: readonly string[] } {
  if (news === undefined) return { earlier: patchLines(diff(base.state, state)), sinceLastLook: [] };
  const before = stateOf({ base }, news);
  return { earlier: patchLines(diff(base.state, before)), sinceLastLook: patchLines(diff(before, state)) };
}

function stateOf({ base }: Pick<StateView, "base">, { changes }: SeenState): unknown {
  const applied = applyPatch(base.state, changes);
  // A checkpoint that was edited: all of it is new.
  return applied.ok ? applied.document : base.state;
}
