// Recomputes a derived field in every touched container that its pattern names, on the plain values
// that an operation left behind.
//
// The rule reads those values themselves where they are frozen, and views of the others. A rule
// that writes to what it reads, such as one that sorts a list, is run again on a copy: it changes
// no state.

import { equal } from "../../json/equal.ts";
import { copyObject } from "../../json/copy-object.ts";
import { JsonCopier } from "./json-copier.ts";
import { freezeOne, markOne } from "./freeze.ts";
import type { FrozenParts } from "./frozen-parts.ts";
import type { WorkingCopies } from "./working-copies.ts";
import { added, isContainer, type Change, type Container, type Key, type Finalized } from "./touched.ts";

/**
 * `field` of every container at `container` (JSON Pointer tokens, "*" for any) is what `compute`
 * makes of the container.
 */
export interface FieldRule {
  readonly container: readonly string[];
  readonly field: string;
  readonly compute: (container: unknown) => unknown;
}

const LEVELS = 256;
const NO_KEYS: readonly Key[] = [];

/** Up to this many are searched one by one; of more, a set is made. */
const FEW = 8;
const SAME = Symbol("as it is");

export class Derivation {
  readonly #finalized: Finalized;
  /**
   * The containers that may be written: copies made for a write. Undefined where no container is in
   * two places: there every container that is not frozen may be written.
   */
  readonly #owned: Set<object> | undefined;

  readonly #frozen: FrozenParts;
  readonly #copies: WorkingCopies | undefined;

  constructor(finalized: Finalized, frozen: FrozenParts, copies?: WorkingCopies) {
    this.#finalized = finalized;
    this.#copies = copies;
    this.#frozen = frozen;
    this.#owned = finalized.aliased ? new Set() : undefined;
  }

  run(rule: FieldRule): void {
    const { root, created } = this.#finalized;
    if (root === undefined) return;
    if (created !== undefined && created.length > 0) this.#freeze(created, rule);
    this.#touched(rule, [root]);
  }

  #touched(rule: FieldRule, line: Change[]): void {
    const touched = line[line.length - 1] as Change;
    const token = rule.container[line.length - 1];
    if (token === undefined) {
      const value = this.#recompute(rule, touched.value, line);
      if (value === SAME) return;
      // A container with an open list is marked before it is frozen, and so are the containers
      // around it.
      write(isContainer(value) ? this.#copied(line) : this.#writable(line), rule.field, value);
      this.#frozen.noteInserted(line, value);
      if (!touched.assigned.includes(rule.field)) touched.assigned = added(touched.assigned, rule.field);
      // What the operation changed inside the field is gone.
      if (touched.children.some(({ key }) => key === rule.field))
        touched.children = touched.children.filter(({ key }) => key !== rule.field);
      return;
    }
    for (const child of touched.children) {
      if (!names(token, child.key)) continue;
      line.push(child);
      this.#touched(rule, line);
      line.pop();
    }
    for (const key of touched.assigned) {
      if (!names(token, key)) continue;
      const value = touched.value[key];
      const next = this.#recomputeIn(rule, value, [...keysOf(line), key]);
      if (next === value) continue;
      this.#writable(line)[key] = next;
      this.#frozen.noteInserted(line, next);
    }
  }

  /**
   * A new value with the field recomputed in it; the same one when that changed nothing. It may
   * share parts with the base.
   */
  #recomputeIn(rule: FieldRule, input: unknown, path: readonly Key[]): unknown {
    if (!isContainer(input)) return input;
    const token = rule.container[path.length];
    let result: Container = input;
    if (token === undefined) {
      const value = this.#recompute(rule, input, undefined, path);
      if (value !== SAME) write((result = copyOf(input)), rule.field, value);
    } else {
      for (const key of token === "*" ? Object.keys(input) : [token]) {
        const value = Object.hasOwn(input, key) ? input[key] : undefined;
        const next = this.#recomputeIn(rule, value, [...path, key]);
        if (next === value) continue;
        if (result === input) result = copyOf(input);
        result[key] = next;
      }
    }
    if (result !== input) {
      this.#freezeNew(result);
      const { kept } = this.#finalized;
      if (kept.moved.length > 0) (kept.copies ??= new Map()).set(result, kept.copies.get(input) ?? input);
    }
    return result;
  }

  /** The field's new value, or `SAME`. The container is at the end of `line`, or at `path`. */
  #recompute(
    { field, compute }: FieldRule,
    container: Container,
    line: readonly Change[] | undefined,
    path: readonly Key[] = NO_KEYS,
  ): unknown {
    if (Array.isArray(container)) return SAME;
    const value = this.#frozen.compute(compute, container);
    const present = Object.hasOwn(container, field) ? container[field] : undefined;
    if (value === present || equal(value, present, LEVELS)) return SAME;
    if (value === undefined || typeof value === "string") return value;
    // JSON has no -0.
    if (typeof value === "number" && Number.isFinite(value)) return value + 0;
    const created: object[] = [];
    const copy = new JsonCopier(
      created,
      [...(line === undefined ? path : keysOf(line)), field],
      this.#finalized.room,
    ).copy(value);
    for (const part of created) this.#freezeNew(part);
    return copy;
  }

  /** The last container of a line, writable. */
  #writable(line: readonly Change[], last = line.length - 1): Container {
    const { value } = line[last] as Change;
    const isOwned = this.#owned === undefined ? !Object.isFrozen(value) : this.#owned.has(value);
    return isOwned || this.#copies?.isOpen(value) === true ? value : this.#copied(line, last);
  }

  #copied(line: readonly Change[], last = line.length - 1): Container {
    const touched = line[last] as Change;
    const base = touched.value;
    if (this.#finalized.created === undefined && this.#owned === undefined) return base;
    touched.value = copyOf(base);
    if (Array.isArray(touched.value)) this.#frozen.inheritFrozenItems(base, touched.value);
    this.#finalized.created?.push(touched.value);
    this.#owned?.add(touched.value);
    if (last > 0) this.#writable(line, last - 1)[touched.key] = touched.value;
    return touched.value;
  }

  /** Freezes what was created. What the rule will write to is only marked: it stays writable. */
  #freeze(created: object[], rule: FieldRule): void {
    this.#owned?.clear();
    const found: object[] = [];
    if (this.#owned === undefined) targets(this.#finalized.root as Change, rule.container, 0, found);
    const open = found.length > FEW ? new Set(found) : undefined;
    let kept = 0;
    for (const container of created) {
      if (open === undefined ? found.includes(container) : open.has(container)) {
        created[kept++] = container;
        markOne(container, this.#frozen.freezing);
      } else if (this.#copies?.isOpen(container) !== true) {
        freezeOne(container, this.#frozen.freezing);
      }
    }
    // To set the length takes ten times as long.
    while (created.length > kept) created.pop();
  }

  /** A new container: what is shown of it must not be written to. */
  #freezeNew(container: object): void {
    if (this.#finalized.created === undefined) return;
    freezeOne(container, this.#frozen.freezing);
  }
}

/** The touched containers whose field a rule recomputes. */
function targets({ value, children }: Change, tokens: readonly string[], depth: number, found: object[]): void {
  const token = tokens[depth];
  if (token === undefined) {
    if (!Array.isArray(value) && !Object.isFrozen(value)) found.push(value);
  } else for (const child of children) if (names(token, child.key)) targets(child, tokens, depth + 1, found);
}

function copyOf(container: Container): Container {
  return Array.isArray(container) ? ([...container] as unknown as Container) : copyObject(container);
}

function write(container: Container, field: string, value: unknown): void {
  if (value === undefined) delete container[field];
  else container[field] = value;
}

function keysOf(line: readonly Change[]): Key[] {
  return line.slice(1).map((change) => change.key);
}

function names(token: string, key: Key): boolean {
  return token === "*" || token === String(key);
}
