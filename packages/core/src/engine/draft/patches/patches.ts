// The patches of an edit, both ways, from the tree of what it touched.
//
// In two parts. First what does not shift anything: keys, and items that gave way to others, all at
// the paths of the base. Then what was inserted into arrays and removed from them, the inner arrays
// before the outer ones, so that the paths of the base still lead there. The inverse is the same,
// back to front.

import { diff } from "../../../patch/index.ts";
import { equal } from "../../../json/equal.ts";
import { escapeToken, isBelow } from "../../../patch/pointer.ts";
import { movePatches } from "./moves.ts";
import { PatchWriter, type Patches } from "./patch-writer.ts";
import { added, isContainer, type Change, type Key, type KeptContainers, type Splice } from "../touched.ts";

/** Equality is not looked for any deeper. */
const LEVELS = 256;

export function patchesOf(root: Change | undefined, kept: KeptContainers): Patches {
  const { inList, moved, copies } = kept;
  const script = new Script();
  if (root === undefined) return script.patches();
  const [only] = moved;
  if (inList + moved.length > 1 || only?.touched !== undefined || copies !== undefined) return movePatches(root, kept);
  script.change(root, "");
  const isMoved = only === undefined ? inList === 0 || script.isMove() : script.isMove(only.finalized);
  return isMoved && !script.isRough ? script.patches() : movePatches(root, kept);
}

/**
 * An item that was inserted into an array or removed from it; `index` as it is when its turn comes.
 */
interface Shift {
  readonly op: "add" | "remove";
  readonly list: string;
  readonly index: number;
  readonly value: unknown;
}

interface Move {
  readonly from: string;
  readonly path: string;
}

class Script {
  readonly #writer = new PatchWriter();
  #shifts: Shift[] = [];
  #found: Move | null | undefined;
  /** A list was replaced, and its items do not show what was edited in them. */
  isRough = false;

  change(change: Change, path: string): void {
    if (Array.isArray(change.base) && Array.isArray(change.value)) this.#array(change, change.base, change.value, path);
    else this.#object(change, path);
  }

  /** Whether all that was shifted is one container, from one place to another. */
  isMove(value = this.#shifts[0]?.value): boolean {
    return isContainer(value) && this.#shifts[0]?.value === value && this.#move !== null;
  }

  /** What `moveOf` found when all shifts were there; null for nothing. */
  get #move(): Move | null {
    return this.#found === undefined ? (this.#found = moveOf(this.#shifts) ?? null) : this.#found;
  }

  patches(): Patches {
    const moved = this.#move;
    if (moved !== null) this.#writer.move(moved.from, moved.path);
    else
      for (const { op, list, index, value } of this.#shifts) {
        if (op === "add") this.#writer.add(`${list}/${index}`, value);
        else this.#writer.remove(`${list}/${index}`, value);
      }
    return this.#writer.finish();
  }

  #object({ base, value, assigned, children }: Change, path: string): void {
    this.#children(children, path);
    for (const key of assigned) {
      const place = `${path}/${segment(key)}`;
      if (!Object.hasOwn(base, key)) {
        if (!Object.hasOwn(value, key)) continue;
        this.#writer.add(place, value[key]);
      } else if (Object.hasOwn(value, key)) {
        this.#writer.replace(place, base[key], value[key]);
      } else {
        this.#writer.remove(place, base[key]);
      }
    }
  }

  #array(change: Change, base: readonly unknown[], value: readonly unknown[], path: string): void {
    const { splices, children, reordered } = change;
    const [first] = splices;
    if (first === undefined) return this.#children(children, path);
    if (children.length === 0 && equalFrom(first.at, base, value)) return;
    const isCostly = costOf(splices) > value.length + 1;
    if (reordered || (isCostly && splices.every(({ inserted }) => inserted === 0))) {
      this.isRough ||= children.length > 0;
      return this.#writer.put(path, base, value);
    }
    if (isCostly || splices.some((splice) => isShuffle(splice, base, value))) {
      const forth = diff(base, value);
      const back = diff(value, base);
      if (Math.max(forth.length, back.length) <= countOf(splices)) {
        this.isRough ||= children.length > 0 || isMixed(base, value);
        return this.#writer.compared(path, forth, back);
      }
    }
    this.#children(children, path);
    for (const { from, removed, at, inserted } of splices) {
      const pairs = Math.min(removed, inserted);
      for (let i = 0; i < pairs; i++) this.#writer.replace(`${path}/${from + i}`, base[from + i], value[at + i]);
      for (let i = pairs; i < removed; i++)
        this.#shifts = added(this.#shifts, { op: "remove", list: path, index: at + pairs, value: base[from + i] });
      for (let i = pairs; i < inserted; i++)
        this.#shifts = added(this.#shifts, { op: "add", list: path, index: at + i, value: value[at + i] });
    }
  }

  #children(children: readonly Change[], path: string): void {
    for (const child of children) this.change(child, `${path}/${segment(child.from)}`);
  }
}

/** Whether arrays that are the same before `start` are equal from there on. */
function equalFrom(start: number, base: readonly unknown[], value: readonly unknown[]): boolean {
  if (base.length !== value.length) return false;
  for (let i = start; i < base.length; i++) if (!equal(base[i], value[i], LEVELS)) return false;
  return true;
}

/**
 * Whether a stretch gave way to one that has items of it in other places: then only a comparison
 * finds what happened.
 */
function isShuffle(
  { from, removed, at, inserted }: Splice,
  base: readonly unknown[],
  value: readonly unknown[],
): boolean {
  if (removed === 0 || inserted === 0 || removed + inserted === 2) return false;
  const before = new Set(base.slice(from, from + removed));
  for (let i = at; i < at + inserted; i++) if (before.has(value[i])) return true;
  return false;
}

/**
 * Whether some containers of a list stayed and some are new: a comparison may take a new one for
 * one that stayed and is equal.
 */
function isMixed(base: readonly unknown[], value: readonly unknown[]): boolean {
  const before = new Set(base);
  let stayed = false;
  let came = false;
  for (const item of value) {
    if (!isContainer(item)) continue;
    if (before.has(item)) stayed = true;
    else came = true;
  }
  return stayed && came;
}

/** How many operations splices take. */
function countOf(splices: readonly Splice[]): number {
  let count = 0;
  for (const { removed, inserted } of splices) count += Math.max(removed, inserted);
  return count;
}

/** What splices take, where an operation counts 1 and a value that it carries 1. */
function costOf(splices: readonly Splice[]): number {
  let cost = 0;
  for (const { removed, inserted } of splices) cost += 2 * inserted + Math.max(0, removed - inserted);
  return cost;
}

/** The one move that stands for a removal and an insertion of the same value. */
function moveOf(shifts: readonly Shift[]): Move | undefined {
  const [first, second] = shifts;
  if (shifts.length !== 2 || first === undefined || second === undefined) return undefined;
  if (first.op === second.op || first.value !== second.value) return undefined;
  const removed = first.op === "remove" ? first : second;
  const added = first.op === "remove" ? second : first;
  let { index } = removed;
  if (first === added) {
    // The removal comes first in a move. In one array the insertion had shifted it; between arrays
    // that contain one another, paths would change.
    if (removed.list === added.list) index -= 1;
    else if (isBelow(added.list, removed.list) || isBelow(removed.list, added.list)) return undefined;
  }
  const from = `${removed.list}/${index}`;
  const path = `${added.list}/${added.index}`;
  return isBelow(path, from) ? undefined : { from, path };
}

function segment(key: Key): Key {
  return typeof key === "number" ? key : escapeToken(key);
}
