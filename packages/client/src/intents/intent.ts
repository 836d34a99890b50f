// What an agent is about to do in a thread, as a page shows it.

import type { Actor, AnyDefinition, OperationOf, Readable, Rejection, Replica, StateOf } from "@opstate/core";
import type { IntentChange } from "./changes.ts";

/** One tool call from its first argument to its verdict. */
export interface Intent<D extends AnyDefinition = AnyDefinition> {
  /** The id of the tool call. */
  readonly id: string;
  readonly runId?: string;
  readonly actor: Actor;
  readonly type: OperationOf<D>["type"];
  /** The arguments that count by now: those that are closed, and an open free text. */
  readonly input: Readonly<Record<string, unknown>>;
  /** `writing`: arguments arrive. `waiting`: they are complete, and the verdict has not come. */
  readonly status: "writing" | "waiting";
  /**
   * What it would change in `view`, in no particular order. Empty when nothing of it is shown: its
   * arguments do not suffice yet, it would be refused, or it removes or replaces something.
   */
  readonly changes: readonly IntentChange[];
  /** The state with this intent and the earlier ones. */
  readonly view: StateOf<D>;
}

/** An intent whose call was refused, as it was shown last. */
export interface RefusedIntent<D extends AnyDefinition = AnyDefinition> extends Omit<Intent<D>, "status"> {
  readonly status: "refused";
  readonly rejection: Pick<Rejection, "message"> & Partial<Rejection>;
}

export interface IntentsState<D extends AnyDefinition = AnyDefinition> {
  /** The thread's state with all intents. It shares with it what they do not change. */
  readonly view: StateOf<D>;
  /** In the order in which their calls began. */
  readonly intents: readonly Intent<D>[];
  /** The newest ten that were refused, oldest first, until `forget`. */
  readonly refused: readonly RefusedIntent<D>[];
}

/** How a call ended, where its feed knows. */
export type CallOutcome =
  /** `version`: of the thread. The intent is shown until that version is here. */
  | { readonly accepted: true; readonly version: number }
  | { readonly accepted: false; readonly rejection: RefusedIntent["rejection"] };

export interface IntentCallOptions {
  /** The id of the tool call, by which its commit or refusal is recognized. */
  readonly id: string;
  /** The operation. A call of anything else is no intent. */
  readonly type: string;
  /**
   * Where the arguments have other names than the operation's members: the member that each is, by
   * its own name. Arguments without one are left out.
   */
  readonly names?: Readonly<Record<string, string>>;
  /** Default `{ kind: "agent", id: "agent" }`. */
  readonly actor?: Actor;
  readonly runId?: string;
}

/** A call whose arguments arrive. After its end its functions do nothing. */
export interface IntentCall {
  /** The next piece of the arguments, which are JSON. */
  write(text: string): void;
  /** Without an outcome the intent is removed silently. */
  end(outcome?: CallOutcome): void;
}

/** The intents of one thread. Nothing of them is in its log, and its own state is without them. */
export interface ThreadIntents<D extends AnyDefinition = AnyDefinition> extends Readable<IntentsState<D>> {
  /** That of the thread. */
  readonly sync: Replica<D>["sync"];
  /**
   * Begins a call. It ends with the commit or refusal that has its id, or by its `end`. One of the
   * same id that is open ends.
   */
  open(call: IntentCallOptions): IntentCall;
  /** Takes a refused intent out of the list. */
  forget(id: string): void;
  /**
   * Follows the thread's verdicts, so that a call whose verdict comes before its arguments is no
   * intent. For feeds. Returns the function that stops.
   */
  watch(): () => void;
}

/** What intents use of a client's thread. */
export interface IntentThread<D extends AnyDefinition = AnyDefinition> extends Pick<
  Replica<D>,
  "definition" | "getState" | "getInitialState" | "subscribe" | "sync" | "onCommit" | "onRejection"
> {
  readonly threadId: string;
}
