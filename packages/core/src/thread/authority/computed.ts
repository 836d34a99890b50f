// What a submission comes to when the log had to be read for it.

import type { AnyOperation } from "../../engine/operation.ts";
import type { Rejection } from "../../engine/rejection.ts";
import type { Transition } from "../../engine/transition.ts";
import type { Confirmed } from "../confirmed.ts";

/** The newest confirmed state, and its version. */
export interface Head {
  readonly confirmed: Confirmed;
  readonly version: number;
}

/**
 * A transition that no reducer gives, such as an undo's. `records`: it makes a commit even when the
 * state stays what it is.
 */
export interface Computed {
  readonly transition: Transition<unknown, AnyOperation>;
  readonly records: boolean;
}

export function refuse({ state }: Confirmed, why: Rejection): Computed {
  return { transition: { accepted: false, state, rejection: why }, records: false };
}
