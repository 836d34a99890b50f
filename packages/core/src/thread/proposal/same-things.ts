// Checks that an approval changes only the things that its approver was shown (law 10), whatever is
// in their places by now. This applies to replacements as well: what others did since stays.

import type { AnyOperation } from "../../engine/operation.ts";
import type { Model } from "../../engine/model.ts";
import { run } from "../../engine/run.ts";
import type { Source } from "../../engine/source.ts";
import {
  compareEffects,
  type Effect,
  effectOf,
  listsPlacedOtherwise,
  type Name,
  type NamedState,
  pointerTo,
  replaces,
  replacesWhole,
  sourceText,
  underived,
} from "../../engine/things/index.ts";
import type { Accepted, Transition } from "../../engine/transition.ts";
import { equal } from "../../json/equal.ts";
import type { Patch } from "../../patch/index.ts";
import { Lineage, type LineageOptions } from "../authority/lineage.ts";
import type { Commit } from "../commit.ts";
import type { Confirmed } from "../confirmed.ts";
import type { ProposeOperation } from "../entries.ts";
import { originOf, type Submitted } from "../origin.ts";
import { hasParts, runByParts, strayedParts } from "../things/parts-of-batch.ts";
import { Pace } from "../pace.ts";
import { mayRetarget, nameStep } from "../things/submitted-things.ts";
import { withAllPermissions } from "../undo/all-permissions.ts";

/** Over more commits than this, what was shown is known by its content alone. */
const REACH = 1_000;
const NONE: NotShown = { things: [], placed: [] };

/** What of a proposal's change its approver was not shown, as pointers. */
interface NotShown {
  /** What it would change now besides. */
  readonly things: readonly string[];
  /** The lists in which today's code would put it elsewhere. */
  readonly placed: readonly string[];
}

export class ProposedThings {
  readonly #options: LineageOptions;
  readonly #lineage: Lineage;
  #last: Promise<unknown> = Promise.resolve();

  /** The newest version that may have changed the state. */
  #changedAt: number;

  /** `version`: the one that the thread is at. */
  constructor(options: LineageOptions, version: number) {
    this.#options = options;
    this.#changedAt = version;
    this.#lineage = new Lineage({ ...options, reach: REACH });
  }

  add(commit: Commit, after: Pick<Confirmed, "state">): void {
    if (commit.patches.length > 0) this.#changedAt = commit.version;
    this.#lineage.add(commit, after);
  }

  invalidate(): void {
    this.#changedAt = Infinity;
    this.#lineage.invalidate();
  }

  /** What a proposal would change now that its approver was not shown. */
  notShown(
    { operation: proposed, ...commit }: Commit<ProposeOperation>,
    head: { readonly version: number; readonly state: unknown },
    next: Transition<unknown, AnyOperation>,
  ): NotShown | Promise<NotShown> {
    // No state was changed since.
    if (commit.version > this.#changedAt) return NONE;
    const { definition, branch, scheduler } = this.#options;
    const { model } = definition;
    const find = async (): Promise<NotShown> => {
      if (!next.accepted || mayRetarget(model, next.operation)) return NONE;
      // The parts of a batch that changes nothing may have changed other things, and back.
      if (next.patches.length === 0 && (replaces(next.operation) || !hasParts(next.operation))) return NONE;
      const [base, now] = await this.#namesAt([proposed.basedOn, head.version], head, new Pace(scheduler));
      if (base === undefined || now === undefined) return NONE;
      const { source } = originOf({ ...commit, operation: proposed }, branch);
      const { operation } = next;
      const shown = { state: base.state, patches: proposed.patches, operation };
      const whole = replaces(operation)
        ? placesNotShown(model, [base, shown], [now, next], source)
        : thingsNotShown(model, [base, shown], [now, next], source);
      const others = whole.length > 0 ? whole : partsNotShown(model, [base, shown], [now, next], source);
      const placed = placedElsewhere(model, [base, shown], next, source);
      const pointers = (names: readonly Name[]) => [...new Set(names)].map((name) => pointerTo(now, name) ?? "");
      return { things: pointers(others), placed: pointers(placed) };
    };
    // One after another: they share the names.
    const found = this.#last.then(find, find);
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #namesAt(
    versions: readonly [number, number],
    head: { readonly version: number; readonly state: unknown },
    pace: Pace,
  ): Promise<readonly [NamedState | undefined, NamedState | undefined]> {
    try {
      await this.#lineage.prepare(versions, head, pace);
      return [this.#lineage.at(versions[0]), this.#lineage.at(versions[1])];
    } finally {
      this.#lineage.release();
    }
  }
}

type Step = readonly [NamedState, Pick<Accepted<unknown, AnyOperation>, "state" | "patches" | "operation">];

function thingsNotShown(model: Model, [base, shown]: Step, [now, next]: Step, source: Source): readonly Name[] {
  const meant = new Set(nameStep(model, base, shown, source).touched);
  return nameStep(model, now, next, source).touched.filter((name) => !meant.has(name));
}

/** What a part of a batch would change in the place of what was shown. */
function partsNotShown(
  model: Model,
  [base, shown]: Step,
  [now, { operation }]: Step,
  source: Submitted,
): readonly Name[] {
  if (!hasParts(operation) || replacesWhole(operation)) return [];
  const open = withAllPermissions(model);
  const [then, today] = [base, now].map((on) => runByParts(open, on, operation, { actor: source.actor, source }));
  const isAsShown = then !== undefined && equal(underived(model.derive, then.step.patches), shown.patches, Infinity);
  return isAsShown && today !== undefined ? strayedParts(open, then, today) : [];
}

/**
 * The lists in which today's code would put things elsewhere on the very state of then. On another
 * state they have other places anyway: others came or went.
 */
function placedElsewhere(model: Model, [base, shown]: Step, next: Step[1], source: Submitted): readonly Name[] {
  const { operation } = next;
  const isAsShown = ({ patches }: { readonly patches: Patch }) =>
    equal(underived(model.derive, patches), shown.patches, Infinity);
  if (isAsShown(next)) return [];
  const today = run(withAllPermissions(model), base.state, operation, { actor: source.actor, source });
  if (!today.accepted || isAsShown(today)) return [];
  const effectIn = ({ patches }: { readonly patches: Patch }) =>
    effectOf(model, base, patches, { source: sourceText(source), operation });
  return listsPlacedOtherwise(effectIn(shown), effectIn(today));
}

/**
 * A replacement says what the whole is to be, so it would also write over what others did since.
 */
function placesNotShown(model: Model, shown: Step, now: Step, source: Source): readonly Name[] {
  const effectIn = ([state, { patches, operation }]: Step): Effect =>
    effectOf(model, state, patches, { source: sourceText(source), operation });
  const [then, today] = [effectIn(shown), effectIn(now)];
  const { births } = compareEffects(then, today);
  return [
    ...[...today.sets.keys()].filter((place) => !then.sets.has(place)),
    ...today.born.filter(({ name }) => !births.has(name)).map(({ list }) => list),
    ...[...today.removed.keys()].filter((name) => !then.removed.has(name)),
    ...[...today.moved.keys()].filter((name) => !then.moved.has(name)),
    ...[...today.ordered].filter((list) => !then.ordered.has(list)),
    ...[...today.values]
      .filter(([list, values]) => !equal(then.values.get(list), values, Infinity))
      .map(([list]) => list),
  ];
}
