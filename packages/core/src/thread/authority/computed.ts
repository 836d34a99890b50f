// The result of a submission for which the log had to be read.

import type { AnyOperation } from "../../engine/operation.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Accepted, Transition } from "../../engine/transition.ts";
import type { Judge } from "./approval.ts";
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
  readonly proposed?: Proposed;
}

/** It takes long: it is prepared beside the queue, and then computed by the result of that. */
export interface Aside {
  readonly aside: Promise<(head: Head) => Promise<Computed | Aside>>;
}

/** What a proposal would do: it is held to the things that its sender saw, as if done now. */
export interface Proposed {
  readonly update: unknown;
  readonly step: Accepted<unknown, AnyOperation>;
  readonly judge: Judge;
}

export function refuse({ state }: Confirmed, why: Rejection): Computed {
  return { transition: { accepted: false, state, rejection: why }, records: false };
}
