// The pure fold of an agent's events. Total: any value is an event, nothing is thrown, printed,
// awaited or drawn at random; a state is never mutated; an event that changes nothing gives the
// very state that came in.

import { deepFreeze } from "@opstate/core/json";
import type { AnyDefinition, StateOf } from "@opstate/core";
import type { Patch } from "@opstate/core/json-patch";
import type { ChatState, StateConflict } from "../state/chat-state.ts";
import type { CustomHandler } from "../state/custom-handler.ts";
import { enforceOnce } from "../enforce/enforce-once.ts";
import { applyEvent } from "../fold/apply-event.ts";
import { restoreIdentity } from "../fold/restore-identity.ts";
import { type Checked, type Fold, type Resolution, warn } from "../fold/fold.ts";
import { MessageLists } from "../fold/message-list.ts";
import { type Freeze, freezes } from "../state/freeze.ts";
import { expand } from "../stages/expand-chunks.ts";

/** State and event in, next state out. The event may be anything that came from a stream. */
export type ChatReducer<State = unknown> = <S extends ChatState<State>>(state: S, event: unknown) => S;

export interface ChatReducerOptions {
  /** Handlers for CUSTOM events, by name; made with `customHandler`. */
  readonly custom?: Readonly<Record<string, CustomHandler>>;
  /**
   * Decides what a conflict of the agent's state comes to: "keep" what was there (so it is without
   * this hook), go back to the last "snapshot", or take another state. It must be pure. The
   * conflict is recorded all the same, with the resolution.
   */
  readonly resolveConflict?: (conflict: StateConflict, snapshot: unknown) => Resolution;
  /**
   * Whether states are frozen; in development only unless told, because frozen arrays are slow to
   * read.
   */
  readonly freeze?: Freeze;
}

/**
 * A reducer like {@link chatReducer}, with options. With a `definition`, the agent's state is
 * typed, satisfies the definition's schema and has its derived fields, whatever the agent sends:
 * what breaks it is a conflict and changes nothing.
 *
 * @example
 * ```ts
 * import { createChatReducer, initialChatState } from "@opstate/ag-ui";
 * import { defineState } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({ name: "counter", version: 1, schema: z.object({ count: z.number() }), initial: { count: 0 }, operations: {} });
 * const reducer = createChatReducer({ definition: counter });
 * const start = initialChatState({ state: counter.initial });
 *
 * const next = reducer(start, { type: "STATE_DELTA", delta: [{ op: "replace", path: "/count", value: "many" }] });
 * next.state; // { count: 0 }
 * next.conflicts[0]?.code; // "invalid_state"
 * ```
 */
export function createChatReducer<D extends AnyDefinition>(
  options: ChatReducerOptions & { readonly definition: D },
): ChatReducer<StateOf<D>>;
export function createChatReducer(options?: ChatReducerOptions): ChatReducer;
export function createChatReducer(
  options: ChatReducerOptions & { readonly definition?: AnyDefinition } = {},
): ChatReducer {
  const { definition, resolveConflict, custom = {} } = options;
  const fold: Fold = {
    lists: new MessageLists(),
    check: definition === undefined ? anything : (previous, next) => checkedBy(definition, previous, next),
    patch: definition === undefined ? () => undefined : (previous, patches) => patchedBy(definition, previous, patches),
    resolve: resolveConflict,
    handlers: new Map(Object.entries(custom)),
  };
  const freeze = freezes(options.freeze);
  return <S extends ChatState>(state: S, event: unknown): S => {
    const next = step(fold, state, event);
    // The families spread the state they were given, so whatever else it holds is still there.
    return (freeze && next !== state ? deepFreeze(next) : next) as S;
  };
}

/**
 * The fold of an AG-UI stream: gives the conversation after each event. See {@link ChatState} for
 * what it holds. It takes the events as they come, chunks and what older or newer agents send
 * included; put `verifyEvents` before it to have their order judged as well.
 *
 * @example
 * ```ts
 * import { chatReducer, initialChatState } from "@opstate/ag-ui";
 *
 * const chat = [
 *   { type: "RUN_STARTED", threadId: "t1", runId: "r1" },
 *   { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" },
 *   { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta: "Hello" },
 * ].reduce(chatReducer, initialChatState());
 *
 * chat.phase; // "running"
 * chat.messages[0]; // { id: "m1", role: "assistant", status: "streaming", content: "Hello" }
 * ```
 */
export const chatReducer: ChatReducer = createChatReducer();

function step(fold: Fold, state: ChatState, raw: unknown): ChatState {
  try {
    const enforced = enforceOnce(raw);
    if (enforced.warnings === undefined) return failed(state, enforced.error);
    let next = state;
    for (const warning of enforced.warnings) next = warn(next, warning);
    if (enforced.event === undefined) return next;
    const [protocol, events] = expand(next.protocol, enforced.event);
    if (protocol !== next.protocol) next = { ...next, protocol };
    for (const event of events) next = applyEvent(fold, next, event);
    // What one event of several does, the next may undo.
    return events.length > 1 ? restoreIdentity(state, next) : next;
  } catch (error) {
    // Nothing known comes here; should something, the conversation says so instead of breaking.
    const message = `An event could not be folded: ${error instanceof Error ? error.message : "unknown error"}`;
    return failed(state, { kind: "malformed", message });
  }
}

/**
 * A malformed event changes nothing else. The first thing that went wrong in a run is the one to
 * show.
 */
function failed(state: ChatState, error: NonNullable<ChatState["error"]>): ChatState {
  return state.error === undefined ? { ...state, phase: "error", error } : state;
}

function anything(_previous: unknown, next: unknown): Checked {
  return { ok: true, state: next };
}

/**
 * A patch that is refused here may still lead to a state that is taken as a whole: from one that is
 * not valid, say.
 */
function patchedBy(
  definition: AnyDefinition,
  previous: unknown,
  patch: Patch,
): { readonly state: unknown } | undefined {
  const transition = definition.transition(previous, { type: "$patch", patch }, { patches: true });
  return transition.accepted ? { state: transition.state } : undefined;
}

function checkedBy(definition: AnyDefinition, previous: unknown, next: unknown): Checked {
  // Where there may be no state yet, null is how an agent says so.
  if (next === null && definition.initial === null) return { ok: true, state: null };
  const transition = definition.transition(previous, { type: "$replace", value: next });
  if (transition.accepted) return { ok: true, state: transition.state };
  const { code, message } = transition.rejection;
  return { ok: false, code, reason: message };
}
