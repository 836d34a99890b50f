// When the code of an operation is over, drafts become plain values, and the tree of what was
// touched is made on the way.
//
// Only what was drafted is visited. A container of the base is shared when nothing in it changed;
// what the operation put in is copied as a whole, for it belongs to the caller.
// (Long because it is one walk.)

import { ArrayNode } from "./array.ts";
import { Node, nodeOf, type DraftScope } from "./node.ts";
import { ObjectNode } from "./object.ts";
import { JsonCopier } from "./json-copier.ts";
import { hasOnlyItemsOf, outOfPlace, withItems } from "./kept.ts";
import { listEdit, placesIn } from "./patches/list-edit.ts";
import { Selection } from "./selection.ts";
import { sameFrom, trim } from "./patches/splices.ts";
import {
  added,
  isContainer,
  type Change,
  type Container,
  type Key,
  type Finalized,
  type KeptContainer,
  type Splice,
} from "./touched.ts";

const NONE: readonly Splice[] = [];
const NO_KEYS: readonly Key[] = [];
const NO_CHANGES: readonly Change[] = [];
const NO_NODES: readonly Node[] = [];
const NO_LISTS: readonly ReplacedList[] = [];

export function finalize(scope: DraftScope, created: object[] | undefined): Finalized {
  // A draft's copy becomes its value. Code that reads the drafts in it must do so before.
  if (scope.selections !== undefined) for (const selection of scope.selections) selection.update();
  const finalizer = new Finalizer(scope, created);
  finalizer.node(scope.root);
  finalizer.replaced();
  const { aliased, inList, moved } = finalizer;
  const kept = { inList, moved: outOfPlace(moved), copies: undefined };
  return { root: scope.root.touched, created, aliased, kept, room: scope.room };
}

/** A new list that an object was given in the place of a list of the base. */
interface ReplacedList {
  /** What was touched in the object. */
  owner: Change | undefined;
  readonly key: string;
  readonly before: ArrayNode;
  readonly list: ArrayNode;
  readonly value: readonly unknown[];
  /** What of the base was put in it; a selection stands for its items. */
  readonly kept: KeptContainer[];
}

class Finalizer extends JsonCopier {
  readonly #scope: DraftScope;
  aliased = false;
  /** As in `KeptContainers`. */
  inList = 0;
  moved: KeptContainer[] = [];
  #replaced: ReplacedList[] | undefined;
  /** By what was put in: how many values it has, written out. */
  #sizes: Map<Node, number> | undefined;

  constructor(scope: DraftScope, created: object[] | undefined) {
    super(created, undefined, scope.room);
    this.#scope = scope;
  }

  node(node: Node): object {
    this.#itemElsewhere(node);
    if (node.finalized === "open") throw this.fault("must be JSON, got a value that contains itself");
    if (node.finalized !== undefined) {
      this.aliased ||= node.finalized !== node.base;
      this.#again(node, node.finalized);
      return node.finalized;
    }
    node.finalized = "open";
    if (node.isNew) {
      const { room } = this.#scope;
      const before = room.used;
      room.take(1, this.path);
      node.finalized = node instanceof Selection ? this.#selection(node) : this.container(node.latest);
      (this.#sizes ??= new Map()).set(node, room.used - before);
      return node.finalized;
    }
    if (node instanceof ArrayNode) node.touched = this.#array(node);
    else if (node instanceof ObjectNode) node.touched = this.#object(node);
    return (node.finalized = node.touched?.value ?? node.base);
  }

  /**
   * A list with many drafts finalizes those that were touched. One that was only read may be put
   * somewhere as well: then it stands in two places, as any other.
   */
  #itemElsewhere(node: Node): void {
    const { parent: list } = node;
    if (node.finalized !== undefined || !(list instanceof ArrayNode) || !node.isUntouched) return;
    if (!list.hasManyDrafts || !list.stillHas(node.key as number)) return;
    if (list.finalized === undefined) list.noteTouched(node);
    else node.finalized = node.base;
  }

  /** A container stands in one more place: the values in it count once more. */
  #again(node: Node, finalized: object): void {
    const { room } = this.#scope;
    let size = this.#sizes?.get(node);
    if (size === undefined) (this.#sizes ??= new Map()).set(node, (size = room.sizeOf(finalized)));
    room.take(size, this.path);
  }

  protected override resolve(value: object): object | undefined {
    const node = nodeOf(value) ?? this.#scope.insertedDraft(value);
    if (node === undefined) return undefined;
    if (node.scope !== this.#scope) throw this.fault("must be JSON, got a draft of another operation");
    const finalized = this.node(node);
    if (!node.isNew) this.moved = added(this.moved, node);
    return finalized;
  }

  #object(owner: ObjectNode): Change | undefined {
    const { base, children, written, copy } = owner;
    let assigned: Key[] | undefined;
    let touched: Change[] | undefined;
    let replaced: ReplacedList[] | undefined;
    if (children instanceof Node) touched = this.#inPlace(children, copy, touched);
    else if (children !== undefined)
      for (const child of children.values()) touched = this.#inPlace(child, copy, touched);
    if (copy === undefined && touched === undefined) return undefined;
    const value = copy ?? this.#scope.copyOf(base);
    if (touched !== undefined) for (const change of touched) value[change.key] = change.value;
    if (written !== undefined) {
      for (const key of written.length > 1 ? new Set(written) : written) {
        const had = Object.hasOwn(base, key);
        if (value[key] === undefined || !Object.hasOwn(value, key)) {
          delete value[key];
          if (had) assigned = added(assigned, key);
          continue;
        }
        const node = isContainer(value[key]) ? nodeOf(value[key]) : undefined;
        if (node?.parent === owner && node.key === key) {
          // Back in its place.
          const change = this.#child(key, key, node);
          value[key] = change?.value ?? node.base;
          if (change !== undefined) touched = added(touched, change);
          continue;
        }
        const before = had ? owner.childAt(key) : undefined;
        if (
          node?.isNew === true &&
          node instanceof ArrayNode &&
          before instanceof ArrayNode &&
          before.base === base[key]
        ) {
          const list = this.#list(key, node, before);
          value[key] = list.value;
          replaced = added(replaced, list);
          continue;
        }
        value[key] = this.#slot(key, value[key], owner);
        if (!had || value[key] !== base[key]) assigned = added(assigned, key);
      }
    }
    if (assigned !== undefined) this.checkKeys(value);
    const change = this.#change(base, value, assigned, touched, NONE, false, replaced !== undefined);
    if (replaced !== undefined) {
      for (const list of replaced) list.owner = change;
      this.#replaced = this.#replaced === undefined ? replaced : [...this.#replaced, ...replaced];
    }
    return change;
  }

  /** The list of changes, with that of a draft, if it is still where the base has its container. */
  #inPlace(child: Node, copy: Container | undefined, touched: Change[] | undefined): Change[] | undefined {
    const key = child.key as string;
    if (copy !== undefined && copy[key] !== child.base) return touched;
    const change = this.#child(key, key, child);
    return change === undefined ? touched : added(touched, change);
  }

  #array(owner: ArrayNode): Change | undefined {
    const { base, splices, reordered, hasManyDrafts } = owner;
    const children = hasManyDrafts ? owner.touchedItems : owner.children;
    if (owner.copy === undefined || (children === undefined && splices === undefined)) return undefined;
    const copy = hasManyDrafts ? withBaseItems(owner, owner.copy) : owner.copy;
    let touched: Change[] | undefined;
    let assigned: Key[] | undefined;
    let replaced: Splice[] | undefined;
    for (const node of children ?? NO_NODES) {
      const from = node.key as number;
      const index = splices === undefined ? from : splices.toPresent(from);
      if (index < 0) continue;
      // Only read.
      if (node.isUntouched && node.finalized === undefined) {
        copy[index] = node.finalized = node.base;
        continue;
      }
      const change = this.#child(index, from, node);
      copy[index] = change?.value ?? node.base;
      if (change !== undefined) touched = added(touched, change);
    }
    for (const splice of splices?.list ?? NONE) {
      for (let i = splice.at; i < splice.at + splice.inserted; i++) {
        if (copy[i] === undefined)
          throw this.fault(i in copy ? "must be JSON, got undefined" : "must be JSON, got a hole in an array", i);
        copy[i] = this.#slot(i, copy[i], owner);
      }
      const trimmed = trim(splice, base, copy);
      if (trimmed === undefined) continue;
      replaced = added(replaced, trimmed);
      for (let i = 0; i < trimmed.inserted; i++) assigned = added(assigned, trimmed.at + i);
    }
    const first = replaced?.[0];
    if (touched === undefined && first !== undefined && sameFrom(first.at, base, copy)) return undefined;
    return this.#change(base, copy, assigned, touched, replaced ?? NONE, reordered);
  }

  #change(
    base: object,
    value: object,
    assigned: readonly Key[] = NO_KEYS,
    children: readonly Change[] = NO_CHANGES,
    splices: readonly Splice[],
    reordered: boolean,
    isReplaced = false,
  ): Change | undefined {
    if (assigned.length + children.length + splices.length === 0 && !isReplaced) return undefined;
    this.created?.push(value);
    if (Array.isArray(value)) this.#scope.frozen.inheritFrozenItems(base, value, assigned, children);
    return {
      key: "",
      from: "",
      base: base as Container,
      value: value as Container,
      assigned,
      children,
      splices,
      reordered,
    };
  }

  /** What filter or map gave: as the list of the drafts of its items would be. */
  #selection(node: Selection): object {
    const value: unknown[] = [];
    const { latest } = node;
    for (let i = 0; i < latest.length; i++) {
      const item = latest[i];
      if (item === undefined)
        throw this.fault(i in latest ? "must be JSON, got undefined" : "must be JSON, got a hole in an array", i);
      if (node.placeOf(i) < 0 || !isContainer(item)) value.push(this.below(i, item));
      else {
        const draft = nodeOf(item);
        value.push(draft === undefined ? item : this.#below(i, draft));
      }
    }
    this.created?.push(value);
    this.moved.push(node);
    return value;
  }

  /** A new list in the place of a list. */
  #list(key: string, list: ArrayNode, before: ArrayNode): ReplacedList {
    const { moved } = this;
    this.moved = [];
    const value = this.#below(key, list) as unknown[];
    const { moved: kept } = this;
    this.moved = moved;
    return { owner: undefined, key, before, list, value, kept };
  }

  /**
   * Decides of each list that gave way to a new one whether that is the old one, edited. Only at
   * the end is it known that the old one is nowhere else.
   */
  replaced(): void {
    for (const { owner, key, before, list, value, kept } of this.#replaced ?? NO_LISTS) {
      const change = listEdit(before, list.latest, value, placesIn(before, list));
      if (change !== undefined) {
        change.key = key;
        change.from = key;
        if (owner !== undefined) owner.children = added(owner.children, change);
        // Of a list that was only filtered or mapped, all items are where they were.
        const isInPlace = list instanceof Selection && list.source === before && before.splices === undefined;
        for (const one of kept) if (!isInPlace || one !== list) this.moved.push(one);
        continue;
      }
      if (owner !== undefined) owner.assigned = added(owner.assigned, key);
      const all = withItems(kept);
      if (before.finalized === undefined && hasOnlyItemsOf(all, before.base, value)) continue;
      for (const one of all) this.moved.push(one);
    }
    this.moved = withItems(this.moved);
    // They may stand in their list as well.
    const { room } = this.#scope;
    for (const one of this.moved) if (!(one instanceof Node)) room.take(room.sizeOf(one.base), this.path);
  }

  #child(key: Key, from: Key, node: Node): Change | undefined {
    this.#below(key, node);
    const { touched } = node;
    if (touched !== undefined) {
      touched.key = key;
      touched.from = from;
    }
    return touched;
  }

  /**
   * The final value in a place that was written to. A container that is no draft is the base's own.
   */
  #slot(key: Key, value: unknown, owner: Node): unknown {
    // JSON has no -0.
    if (!isContainer(value)) return value === 0 ? 0 : value;
    const node = nodeOf(value);
    if (node === undefined) return value;
    const finalized = this.#below(key, node);
    if (node.isNew) return finalized;
    if (owner !== node.parent || !(owner instanceof ArrayNode) || node.touched !== undefined)
      this.moved = added(this.moved, node);
    else if (!owner.reordered) this.inList += 1;
    return finalized;
  }

  #below(key: Key, node: Node): object {
    this.path.push(key);
    const finalized = this.node(node);
    this.path.pop();
    return finalized;
  }
}

/** What an array became: with the base's own items in the place of drafts that were not touched. */
function withBaseItems({ base, splices, drafts, touchedItems }: ArrayNode, copy: unknown[]): unknown[] {
  if (drafts === touchedItems?.length) return copy;
  if (splices === undefined) return [...base];
  let from = 0;
  let at = 0;
  for (const splice of [...splices.list, { from: base.length, removed: 0, at: copy.length, inserted: 0 }]) {
    while (from < splice.from) copy[at++] = base[from++];
    from = splice.from + splice.removed;
    at = splice.at + splice.inserted;
  }
  return copy;
}
