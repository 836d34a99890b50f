// Immer as the drafting engine, for reducers that rely on what immer does: `defineState({ drafts:
// immerDrafts, ... })`.
//
// Immer makes the next value; the rest is done to it here: it is compared with the base, container
// by container, and every new part is copied and checked to be JSON, since immer keeps what a
// operation puts in as it is. The cost is that of the containers on the way, not of the edits.
//
// Immer's own habits remain: a plain value that was put in and then edited through the draft is
// itself edited, a list that grows without end is met when the operation is over only,
// `Object.defineProperty` is refused, and a rare program that puts one item in
// several places leaves a revoked draft behind (then `finish` throws).

import { Immer } from "immer";
import { Derivation, type FieldRule } from "./engine/draft/derive.ts";
import { JsonCopier } from "./engine/draft/json-copier.ts";
import {
  isContainer,
  type Change,
  type Container,
  type Key,
  type Finalized,
  type Splice,
} from "./engine/draft/touched.ts";
import type { DraftEngine, Drafting, Edited } from "./engine/draft/draft.ts";
import { freezeOne } from "./engine/draft/freeze.ts";
import { FrozenParts } from "./engine/draft/frozen-parts.ts";
import { Room } from "./engine/draft/room.ts";
import { diff } from "./patch/index.ts";

/**
 * A drafting engine on immer. Same laws as the built-in one, and patches that lead to the same
 * state; slower, and minimal where a comparison of the two states finds it. Needs the package
 * `immer`.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { immerDrafts } from "@opstate/core/immer";
 * import * as z from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.number() }),
 *   initial: { count: 0 },
 *   drafts: immerDrafts,
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.number() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 * counter.reduce(undefined, { type: "add", by: 2 }); // { count: 2 }
 * ```
 */
export const immerDrafts: DraftEngine = {
  name: "immer",
  begin: (base, { freeze, frozen = new FrozenParts(freeze), most }) =>
    new ImmerDrafting(base as Container, frozen, new Room(base, most)),
};

class ImmerDrafting implements Drafting {
  readonly draft: unknown;
  readonly #immer = new Immer({ autoFreeze: false });
  readonly #base: Container;
  readonly #frozen: FrozenParts;
  readonly #room: Room;
  readonly #created: object[] | undefined;
  #finalized: Finalized | undefined;
  #derivation: Derivation | undefined;

  constructor(base: Container, frozen: FrozenParts, room: Room) {
    this.#base = base;
    this.#room = room;
    this.#frozen = frozen;
    this.#created = frozen.freezing === false ? undefined : [];
    this.draft = this.#immer.createDraft(base);
  }

  derive(rule: FieldRule): void {
    this.#derivation ??= new Derivation(this.#finalize(), this.#frozen);
    this.#derivation.run(rule);
  }

  finish(): Edited {
    const { root, created } = this.#finalize();
    for (const container of created ?? []) freezeOne(container, this.#frozen.freezing);
    const patches = root === undefined ? [] : diff(this.#base, root.value);
    if (root === undefined || patches.length === 0)
      return { state: this.#base, patches: [], inverse: [], touched: undefined };
    return { state: root.value, patches, inverse: diff(root.value, this.#base), touched: root };
  }

  discard(): void {
    try {
      this.#next();
    } catch {
      // What the operation left behind cannot be finished, and need not be.
    }
  }

  #finalize(): Finalized {
    return (this.#finalized ??= {
      root: new Comparison(this.#created, this.#room).root(this.#base, this.#next()),
      created: this.#created,
      kept: { inList: 0, moved: [], copies: undefined },
      aliased: false,
      room: this.#room,
    });
  }

  #next(): Container {
    return this.#immer.finishDraft(this.draft as Container);
  }
}

/** Finds what immer changed, and copies it. */
class Comparison extends JsonCopier {
  /** Containers of the base that may stand elsewhere now. */
  readonly #known = new Set<object>();

  constructor(created: object[] | undefined, room: Room) {
    super(created, [], room);
  }

  root(base: Container, next: Container): Change | undefined {
    if (base === next) return undefined;
    this.#gather(base, next);
    return this.#compare("", base, next);
  }

  protected override resolve(value: object): object | undefined {
    return this.#known.has(value) ? value : undefined;
  }

  /** Everything that stands below a part of the base which is not in its place as it was. */
  #gather(base: Container, next: Container): void {
    const kept = Array.isArray(next) ? new Set<unknown>(next) : undefined;
    for (const key of Object.keys(base)) {
      const before = base[key];
      if (!isContainer(before)) continue;
      this.#known.add(before);
      const after = next[key];
      if (kept?.has(before) || before === after) continue;
      if (kept === undefined && sameKind(before, after)) this.#gather(before, after);
      else this.#gather(before, {});
    }
  }

  #compare(key: Key, base: Container, next: Container): Change | undefined {
    return Array.isArray(base) && Array.isArray(next) ? this.#array(key, base, next) : this.#object(key, base, next);
  }

  #object(key: Key, base: Container, next: Container): Change | undefined {
    const value: Container = {};
    const assigned: string[] = [];
    const children: Change[] = [];
    for (const name of Object.keys(next)) {
      if (next[name] === undefined) continue;
      const before = Object.hasOwn(base, name) ? base[name] : undefined;
      value[name] = this.#part(name, before, next[name], children);
      if (before !== next[name] && children.at(-1)?.key !== name) assigned.push(name);
    }
    for (const name of Object.keys(base)) if (!Object.hasOwn(value, name)) assigned.push(name);
    this.checkKeys(value);
    return this.#change(key, base, value, assigned, children, []);
  }

  #array(key: Key, base: readonly unknown[], next: readonly unknown[]): Change | undefined {
    const shorter = Math.min(base.length, next.length);
    let start = 0;
    while (start < shorter && base[start] === next[start]) start += 1;
    let end = 0;
    while (end < shorter - start && base[base.length - 1 - end] === next[next.length - 1 - end]) end += 1;

    const value = [...next];
    const assigned: number[] = [];
    const children: Change[] = [];
    const splices: Splice[] = [];
    const aligned = base.length === next.length;
    if (!aligned)
      splices.push({ from: start, removed: base.length - start - end, at: start, inserted: next.length - start - end });
    for (let i = start; i < next.length - end; i++) {
      if (next[i] === undefined)
        throw this.fault(i in next ? "must be JSON, got undefined" : "must be JSON, got a hole in an array", i);
      value[i] = this.#part(i, aligned ? base[i] : undefined, next[i], children);
      if ((aligned && base[i] === next[i]) || children.at(-1)?.key === i) continue;
      assigned.push(i);
      if (aligned) splices.push({ from: i, removed: 1, at: i, inserted: 1 });
    }
    return this.#change(key, base, value, assigned, children, splices);
  }

  /**
   * The value at a key: the base's own, its own with changes (then one more child), or a new one.
   */
  #part(key: Key, before: unknown, after: unknown, children: Change[]): unknown {
    if (before === after) return after;
    if (!isContainer(before) || !sameKind(before, after) || this.#known.has(after)) return this.below(key, after);
    this.path.push(key);
    const change = this.#compare(key, before, after);
    this.path.pop();
    if (change !== undefined) children.push(change);
    return change?.value ?? before;
  }

  #change(
    key: Key,
    base: object,
    value: object,
    assigned: Key[],
    children: Change[],
    splices: readonly Splice[],
  ): Change | undefined {
    if (assigned.length + children.length + splices.length === 0) return undefined;
    this.created?.push(value);
    return {
      key,
      from: key,
      base: base as Container,
      value: value as Container,
      assigned,
      children,
      splices,
      reordered: false,
    };
  }
}

function sameKind(before: Container, after: unknown): after is Container {
  return isContainer(after) && Array.isArray(before) === Array.isArray(after);
}
