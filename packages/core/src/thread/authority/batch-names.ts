// Checks that the submissions of one batch change only the things that they were sent for (law 10).
//
// What the batch commits is not in the log yet: its names are here, beside those of the lineage.

import type { AnyDefinition } from "../../definition/definition.ts";
import { sameActor } from "../../engine/actor.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import { run } from "../../engine/run.ts";
import type { Source } from "../../engine/source.ts";
import { type NamedState, nameState, type Name } from "../../engine/things/index.ts";
import type { Accepted } from "../../engine/transition.ts";
import type { Commit } from "../commit.ts";
import { originOf } from "../origin.ts";
import { hasParts, type PartsRun, runByParts, strayedParts, writtenIntoOwn } from "../things/parts-of-batch.ts";
import { isHeldToThings, nameStep, namesOfThings, otherThing, unknownThings } from "../things/submitted-things.ts";
import { approved, type Judge } from "./approval.ts";
import type { Proposed } from "./computed.ts";
import type { Names } from "./lineage.ts";
import type { ParsedSubmission } from "./parse-submission.ts";

/** Of the edits that a sender made before a batch, the newest that are looked at. */
const MOST_EARLIER = 20;

type Step = Accepted<unknown, AnyOperation>;

/** The names after an operation that may be carried out, or why it may not. */
export type Held =
  | { readonly rejection: Rejection; readonly after?: undefined }
  | { readonly rejection?: undefined; readonly after: NamedState };

export interface BatchNamesOptions {
  readonly definition: AnyDefinition;
  readonly branch: string | undefined;
  readonly judge: Judge;
  readonly lineage: Names;
  /** The version that the batch begins at. */
  readonly version: number;
  /** Commits up to that version: see `readEarlier`. */
  readonly earlier: readonly Commit[];
}

export class BatchNames {
  readonly #options: BatchNamesOptions;
  /** Those after what was judged last, as far as they are known. */
  #named: NamedState | undefined;
  #hasMoved = false;
  /** What was committed since. */
  #behind: { readonly commit: Commit; readonly state: unknown }[] = [];
  readonly #earlier: Commit[];

  constructor(options: BatchNamesOptions) {
    this.#options = options;
    this.#named = options.lineage.at(options.version);
    this.#earlier = [...options.earlier];
  }

  /**
   * Whether an accepted operation changes only what it was sent for. Undefined where it is not held
   * to that. `proposed`: it changes nothing, and proposes this.
   */
  hold(submission: ParsedSubmission, state: unknown, accepted: Step, proposed?: Proposed): Held | undefined {
    const { definition, lineage, version } = this.#options;
    const { model } = definition;
    const { basedOn, things } = submission;
    const next = proposed?.step ?? accepted;
    if (basedOn === undefined || !isHeldToThings(model, next.operation)) return undefined;
    // The parts of a batch that changes nothing may have changed other things, and back.
    if (next.patches.length === 0 && !hasParts(next.operation)) return undefined;
    // What it names is looked at in any case: the code of its sender may be another than this one.
    if (basedOn === version && !this.#hasMoved && things === undefined) return undefined;
    const base = lineage.at(basedOn);
    const now = this.#now(state);
    const source = this.#sourceOf(submission);
    const { after, touched } = nameStep(model, now, next, source);
    const others = this.#others(submission, base, now, touched, next, proposed);
    if (others.length > 0) return { rejection: otherThing(next.operation.type, now, others) };
    return { after: proposed === undefined ? after : now };
  }

  /** Those that it was not sent for. */
  #others(
    submission: ParsedSubmission,
    base: NamedState | undefined,
    now: NamedState,
    touched: readonly Name[],
    next: Step,
    proposed: Proposed | undefined,
  ): readonly Name[] {
    const { definition, branch } = this.#options;
    const { actor, things = [] } = submission;
    if (base === undefined) return unknownThings(definition.model, now, touched, things, { actor, branch });
    const meant = this.#meant(submission, base, proposed);
    if (meant === undefined) return [];
    const others = touched.filter((name) => !meant.has(name));
    return others.length > 0 ? others : this.#strayed(submission, base, now, { meant, touched }, next.operation);
  }

  /** What a part of a batch would change in the place of what it was sent for. */
  #strayed(
    submission: ParsedSubmission,
    base: NamedState,
    now: NamedState,
    { meant, touched }: { readonly meant: ReadonlySet<Name>; readonly touched: readonly Name[] },
    operation: AnyOperation,
  ): readonly Name[] {
    if (!hasParts(operation)) return [];
    const model = approved(this.#options.definition.model);
    const { actor, basedOn = 0 } = submission;
    const source = this.#sourceOf(submission);
    const isMeant = ({ on, step }: PartsRun): boolean => {
      const names = nameStep(model, on, step, source).touched;
      return names.length === meant.size && names.every((name) => meant.has(name));
    };
    const asSent = (on: NamedState): PartsRun | undefined => {
      const made = runByParts(model, on, operation, { actor, source });
      return made !== undefined && isMeant(made) ? made : undefined;
    };
    const mine = this.#earlier.filter((commit) => commit.version > basedOn && sameActor(commit.actor, actor));
    let then = asSent(base);
    for (let count = 1; then === undefined && count <= Math.min(mine.length, MOST_EARLIER); count++)
      then = asSent(this.#with(mine.slice(-count), base));
    const today = runByParts(model, now, operation, { actor, source });
    if (today === undefined) return [];
    if (then !== undefined) return strayedParts(model, then, today);
    // What it did for its sender is unknown when it does that on none of these states: the code of
    // its sender may be another. Then what is left out may have gone into what the batch creates.
    return touched.length === meant.size ? [] : writtenIntoOwn(model, today);
  }

  /** A version with edits that its sender had made by then: they were in the sender's view. */
  #with(edits: readonly Commit[], base: NamedState): NamedState {
    const { definition, branch } = this.#options;
    const model = approved(definition.model);
    let seen = base;
    for (const commit of edits) {
      const { source } = originOf(commit, branch);
      const next = run(model, seen.state, commit.operation, { actor: commit.actor, source });
      if (next.accepted) seen = nameStep(model, seen, next, source).after;
    }
    return seen;
  }

  #sourceOf({ actor, id, at }: ParsedSubmission): Source {
    const { branch } = this.#options;
    return { actor, id, at, ...(branch === undefined ? {} : { branch }) };
  }

  /** Something was committed; gives the names after it, where they are known. */
  add(commit: Commit, state: unknown, after: NamedState | undefined): NamedState | undefined {
    this.#hasMoved = true;
    this.#earlier.push(commit);
    if (after === undefined) this.#behind.push({ commit, state });
    else this.#named = after;
    return after;
  }

  /** What it was sent for. Undefined where it is not valid on its version: then it is not known. */
  #meant(
    submission: ParsedSubmission,
    base: NamedState,
    proposed: Proposed | undefined,
  ): ReadonlySet<Name> | undefined {
    const { definition, branch } = this.#options;
    const { actor, id, at, things } = submission;
    const { judge, update: operation } = proposed ?? { ...this.#options, update: submission.operation };
    if (things !== undefined) return namesOfThings(definition.model, base, things, { actor, branch });
    const then = judge(base.state, operation, { actor, id, at });
    if (!then.accepted) return undefined;
    const source = this.#sourceOf(submission);
    return new Set(nameStep(definition.model, base, then, source).touched);
  }

  #now(state: unknown): NamedState {
    const { definition, branch } = this.#options;
    let named = this.#named ?? nameState(state);
    for (const { commit, state: after } of this.#behind.splice(0)) {
      const { source, operation } = originOf(commit, branch);
      const { patches } = commit;
      named = nameStep(definition.model, named, { state: after, patches, operation }, source).after;
    }
    return (this.#named = named);
  }
}
