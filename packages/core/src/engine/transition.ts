// The result of one update: what `reduce`, `transition`, a thread and a replica all read.

import type { Patch } from "../patch/index.ts";
import type { Rejection } from "./rejection/rejection.ts";

/**
 * Accepted: the next state and the exact patches both ways (empty when nothing changed). Refused:
 * the same reference, and why.
 */
export type Transition<State, Operation> = Accepted<State, Operation> | Refused<State>;

export interface Accepted<State, Operation> {
  readonly accepted: true;
  readonly state: State;
  /**
   * The update as it was accepted: parsed, with the schema's defaults. A replacement is `{ type:
   * "$replace", value }`.
   */
  readonly operation: Operation;
  readonly patches: Patch;
  readonly inverse: Patch;
}

export interface Refused<State> {
  readonly accepted: false;
  readonly state: State;
  readonly rejection: Rejection;
}
