// The pure fold of an agent's events.
//
// Invariants:
// - It is total: any value is an event, and nothing is thrown, printed, awaited or drawn at random.
// - A state is never mutated.
// - An event that changes nothing gives the same state.

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

/** State and event in, next state out. The event may be any value. It is not changed. */
export type ChatReducer<State = unknown> = <S extends ChatState<State>>(state: S, event: unknown) => S;

export interface ChatReducerOptions {
  /** Handlers for CUSTOM events, by name; made with `customHandler`. */
  readonly custom?: Readonly<Record<string, CustomHandler>>;
  /**
   * Decides about a conflict of the agent's state: "keep" the state (the default), go back to the
   * last "snapshot", or use another state. It must be pure. The conflict is recorded with the
   * resolution.
   */
  readonly resolveConflict?: (conflict: StateConflict, snapshot: unknown) => Resolution;
  /**
   * Whether states are frozen; default "development", because frozen arrays are slow to read.
   */
  readonly freeze?: Freeze;
}

/**
 * A reducer like {@link chatReducer}, with options. With a `definition`, the agent's state is
 * typed. It always satisfies the definition's schema and has its derived fields: an event that
 * would break it is recorded as a conflict and changes nothing.
 *
 * @example
 * ```ts
 * import { createChatReducer, initialChatState } from "@opstate/ag-ui";
 * import { defineState } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.number() }),
 *   initial: { count: 0 },
 *   operations: {},
 * });
 * const reducer = createChatReducer({ definition: counter });
 * const start = initialChatState({ state: counter.initial });
 *
 * const delta = [{ op: "replace", path: "/count", value: "many" }];
 * const next = reducer(start, { type: "STATE_DELTA", delta });
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
    // Every fold function spreads the state, so the members that S adds are still there.
    return (freeze && next !== state ? deepFreeze(next) : next) as S;
  };
}

/**
 * The fold of an AG-UI stream: gives the conversation after each event, a {@link ChatState}. It
 * accepts chunks, and the events of older and newer agents. It does not check the order of events:
 * put `verifyEvents` before it for that.
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
    // One event may undo what the event before it did.
    return events.length > 1 ? restoreIdentity(state, next) : next;
  } catch (error) {
    // No known event gets here. An unknown failure becomes an error of the conversation.
    const message = `An event could not be folded: ${error instanceof Error ? error.message : "unknown error"}`;
    return failed(state, { kind: "malformed", message });
  }
}

/** A malformed event changes nothing else. The first error of a run is the one that is shown. */
function failed(state: ChatState, error: NonNullable<ChatState["error"]>): ChatState {
  return state.error === undefined ? { ...state, phase: "error", error } : state;
}

function anything(_previous: unknown, next: unknown): Checked {
  return { ok: true, state: next };
}

/**
 * Undefined when the patch is refused. Its result may still be accepted as a whole, for example
 * when the patch repairs a state that is not valid.
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
  // Where a definition starts without a state, null means that there is none yet.
  if (next === null && definition.initial === null) return { ok: true, state: null };
  const transition = definition.transition(previous, { type: "$replace", value: next });
  if (transition.accepted) return { ok: true, state: transition.state };
  const { code, message } = transition.rejection;
  return { ok: false, code, reason: message };
}
