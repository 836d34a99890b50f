// What is left of a history without some commits: what stays is done again, one after another.
//
// Invariant: what is kept changes exactly the things that it changed on the line that counts, with
// the values that were recorded or computed anew. Of what was done nothing is held but the end.

import type { Model } from "../../engine/model.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import { isEmpty, type NamedState } from "../../engine/things/index.ts";
import type { ReplayedCommit } from "../entries.ts";
import type { OnDependent } from "../options.ts";
import { originOf } from "../origin.ts";
import type { Pace } from "../pace.ts";
import { again, exactPatches, keep } from "./again.ts";
import { withAllPermissions } from "./all-permissions.ts";
import type { Dependent } from "./dependents.ts";
import { isSame, mayHaveEffect } from "./history.ts";
import type { Pass, Step } from "./pass.ts";
import { wouldDo } from "./would.ts";

/** Where what is kept begins: all before `from` stays. */
export interface Beginning {
  readonly end: NamedState;
  readonly from: number;
  readonly omitted: ReadonlySet<number>;
  /** What is computed anew or carried before that. */
  readonly marks: readonly (readonly [version: number, how: "recomputed" | "carried"])[];
}

export class Kept {
  readonly dependents: Dependent[] = [];
  /** Dependents that were to be kept, and of which nothing is left: their things are gone. */
  readonly lost: number[] = [];
  readonly versions = { recorded: [] as number[], recomputed: [] as number[], carried: [] as number[] };
  readonly replayed: ReplayedCommit[] = [];
  readonly #model: Model;
  readonly #branch: string | undefined;
  readonly #pass: Pass;
  readonly #omitted: ReadonlySet<number>;
  readonly #from: number;
  readonly #onDependent: OnDependent | undefined;
  #end: NamedState;

  constructor(
    { definition, branch }: { readonly definition: AnyDefinition; readonly branch: string | undefined },
    pass: Pass,
    { end, from, omitted, marks }: Beginning,
    onDependent: OnDependent | undefined,
  ) {
    this.#model = withAllPermissions(definition.model);
    this.#branch = branch;
    this.#pass = pass;
    this.#omitted = omitted;
    this.#from = from;
    this.#onDependent = onDependent;
    this.#end = end;
    for (const [version, how] of marks) this.versions[how].push(version);
  }

  get end(): NamedState {
    return this.#end;
  }

  /** The end of the line that counts. */
  get before(): NamedState {
    return this.#pass.end;
  }

  /** Goes on with those that it has not had yet. False when they are gone. */
  async keep(version: number, pace: Pace): Promise<boolean> {
    for await (const step of this.#pass.steps(version, pace)) this.#take(step);
    return !this.#pass.isBroken;
  }

  #take({ commit, effect: recorded, first }: Step): void {
    const { version } = commit;
    if (recorded === undefined || version < this.#from || this.#omitted.has(version)) return;
    const to = this.#end;
    if (isSame(recorded.before, to)) {
      this.#end = recorded.after;
      return;
    }
    const model = this.#model;
    // The rest of an undo is no operation: it stays as far as its things do.
    let outcome = mayHaveEffect(commit)
      ? again(model, originOf(commit, this.#branch), recorded, to, first)
      : keep(model, recorded, to);
    if (outcome.kind === "dependent") {
      const { found } = outcome;
      if (this.#onDependent === "keep") outcome = keep(model, recorded, to);
      if (outcome.kind === "carried" && isEmpty(outcome.effect)) {
        this.lost.push(version);
        outcome = { kind: "nothing" };
      }
      if (outcome.kind === "dependent") {
        if (mayHaveEffect(commit)) this.dependents.push({ commit, found, would: wouldDo(model, found, recorded, to) });
        return;
      }
    }
    if (outcome.kind === "nothing") return;
    this.#end = outcome.effect.after;
    this.versions[outcome.kind].push(version);
    const patches = outcome.kind === "recorded" ? exactPatches(model, recorded, to, outcome) : outcome.patches;
    if (patches !== undefined) this.replayed.push({ version, patches });
  }
}
