// A confirmed state that is made when it is read: from the one before it and its commit.
//
// Of a batch only the last state is kept by the authority that judged it. Those in between are for
// a follower of each commit, and there is seldom one.

import type { AnyDefinition } from "../definition/definition.ts";
import type { Commit } from "./commit.ts";
import { type Confirmed, confirmCommits } from "./confirmed.ts";

export class LaterState implements Confirmed {
  readonly isValid = true;
  readonly #definition: AnyDefinition;
  /** Until it is known. */
  #step: { readonly before: Confirmed; readonly commit: Commit } | undefined;
  #state: unknown;

  constructor(definition: AnyDefinition, before: Confirmed, commit: Commit) {
    this.#definition = definition;
    this.#step = { before, commit };
  }

  /** It is known already. */
  is(state: unknown): void {
    this.#state = state;
    this.#step = undefined;
  }

  /** Also after many commits, each large object on the way is copied once. */
  get state(): unknown {
    if (this.#step === undefined) return this.#state;
    const commits = [this.#step.commit];
    let known = this.#step.before;
    while (known instanceof LaterState && known.#step !== undefined) {
      commits.push(known.#step.commit);
      known = known.#step.before;
    }
    this.is(confirmCommits(this.#definition, known, commits.reverse()).state);
    return this.#state;
  }
}
