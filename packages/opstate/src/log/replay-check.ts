// Whether a thread's definition still leads to what is stored: each operation is tried again by its
// reducer, on the state that it was accepted on.
//
//   stored      s0 ── patches ──> s1 ── patches ──> s2
//   replayed    s0 ── reducer ──> s1'   s1 ── reducer ──> s2'      s1' = s1? s2' = s2?
//
// Not tried again is what today's code need not give: commits of another version of the definition,
// migrations, and history before an erasure.

import type { AnyDefinition, Commit } from "@opstate/core";
import { equal } from "@opstate/core/json";
import { isMigrate, type ReplayedLog, replayLog, type VerdictChange } from "@opstate/core/log";

/** Differences that are named one by one. */
const NAMED = 10;

export interface ReplayCheckOptions {
  readonly definition: AnyDefinition;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch: string | undefined;
  /** The version of the last `$redact`; 0: there is none. */
  readonly erasedTo: number;
  /** Gets each difference, in words that follow the thread's id. */
  readonly onDifference: (what: string) => void;
}

export class ReplayCheck {
  readonly #options: ReplayCheckOptions;
  /** The engine's own copy of the stored state, while they are the same. */
  #state: unknown;
  #hasState = false;
  #differences = 0;

  constructor(options: ReplayCheckOptions) {
    this.#options = options;
  }

  /** A commit, with the stored states before and after it. */
  commit(commit: Commit, before: unknown, after: unknown): void {
    const { definition, branch, erasedTo } = this.#options;
    const { version, definitionVersion, operation } = commit;
    if (version <= erasedTo || definitionVersion !== definition.version || isMigrate(operation)) {
      this.#hasState = false;
      return;
    }
    const from = { version: version - 1, state: this.#hasState ? this.#state : before };
    const replayed: ReplayedLog<AnyDefinition> = replayLog(
      definition,
      [{ kind: "commit", commit }],
      from,
      branch === undefined ? {} : { branch },
    );
    const [change] = replayed.changes;
    const isSame = change === undefined || (change.now === "accepted" && equal(replayed.state, after, Infinity));
    this.#hasState = isSame;
    this.#state = replayed.state;
    if (!isSame) this.#differ(`${nameOf(commit)}: ${changeText(change)}`);
  }

  /** The newest stored state, and the version of the definition that wrote it. */
  end(state: unknown, definitionVersion: number): void {
    const { definition, onDifference } = this.#options;
    if (this.#differences > NAMED) onDifference(`has ${this.#differences - NAMED} more such differences`);
    if (definitionVersion > definition.version)
      return onDifference(
        `was written by version ${definitionVersion} of "${definition.name}"; the one given is version ${definition.version}`,
      );
    if (definitionVersion < definition.version || (state === null && definition.initial === null)) return;
    const replaced = definition.transition(definition.initial, { type: "$replace", value: state });
    if (!replaced.accepted) onDifference(`has a state that its definition refuses: ${replaced.rejection.message}`);
    else if (!equal(replaced.state, state, Infinity))
      onDifference("has a state whose derived fields are not what its definition derives");
  }

  #differ(what: string): void {
    this.#differences += 1;
    if (this.#differences <= NAMED) this.#options.onDifference(`does not lead to what is stored at ${what}`);
  }
}

function nameOf({ version, operation }: Commit): string {
  return `version ${version} (${operation.type})`;
}

function changeText(change: VerdictChange): string {
  return change.now === "accepted"
    ? "its operation gives another state now"
    : `its operation is refused now: ${change.now.message}`;
}
