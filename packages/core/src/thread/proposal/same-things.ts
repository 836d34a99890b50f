// Holds an approval to the things that its approver was shown (law 10), whatever stands in their
// places by now.

import type { AnyOperation } from "../../engine/operation.ts";
import { pointerTo } from "../../engine/things/index.ts";
import type { Transition } from "../../engine/transition.ts";
import { Lineage, type LineageOptions } from "../authority/lineage.ts";
import type { Commit } from "../commit.ts";
import type { ProposeOperation } from "../entries.ts";
import { originOf } from "../origin.ts";
import { Pace } from "../pace.ts";
import { isHeldToThings, nameStep } from "../submitted-things.ts";

/** Over more commits than this, what was shown is known by its content alone. */
const REACH = 1_000;
const NONE: readonly string[] = [];

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

  add(commit: Commit, state: unknown): void {
    if (commit.patches.length > 0) this.#changedAt = commit.version;
    this.#lineage.add(commit, state);
  }

  invalidate(): void {
    this.#changedAt = Infinity;
    this.#lineage.invalidate();
  }

  /** The places of what a proposal would change now, and what its approver was not shown. */
  others(
    { operation: proposed, ...commit }: Commit<ProposeOperation>,
    head: { readonly version: number; readonly state: unknown },
    next: Transition<unknown, AnyOperation>,
  ): readonly string[] | Promise<readonly string[]> {
    // No state was changed since.
    if (commit.version > this.#changedAt) return NONE;
    const { definition, branch, scheduler } = this.#options;
    const { model } = definition;
    const find = async (): Promise<readonly string[]> => {
      if (!next.accepted || next.patches.length === 0 || !isHeldToThings(model, next.operation)) return [];
      await this.#lineage.prepare([proposed.basedOn, head.version], head, new Pace(scheduler));
      const base = this.#lineage.at(proposed.basedOn);
      const now = this.#lineage.at(head.version);
      if (base === undefined || now === undefined) return [];
      const { source } = originOf({ ...commit, operation: proposed }, branch);
      const { operation } = next;
      const shown = nameStep(model, base, { state: base.state, patches: proposed.patches, operation }, source);
      const meant = new Set(shown.touched);
      const { touched } = nameStep(model, now, next, source);
      return touched.filter((name) => !meant.has(name)).map((name) => pointerTo(now, name) ?? "");
    };
    // One after another: they share the names.
    const found = this.#last.then(find, find);
    this.#last = found.catch(() => undefined);
    return found;
  }
}
