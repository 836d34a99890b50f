// A new list that was assigned in the place of a list is that list, edited: what is still there was
// not moved, and its items need not be looked at again.
//
//   draft.cards = draft.cards.filter(({ id }) => id !== 2)
//     base   1  2  3  4        a splice: the item 2 is gone
//     value  1     3  4
//
//   draft.cards = draft.cards.map((card) => (card.id === 2 ? { ...card, title: "x" } : card))
//     base   1  2  3  4        the new object has parts of the item 2, and stands in its place: it
//     value  1  2* 3  4        is the item 2, edited
//
// Invariant: a container of the base counts as edited only when it is nowhere in the new state,
// so that nothing else can be what became of it, and when the items that stayed are in the order of
// before. What the tree of changes then says is true by comparison: outside of what it names, the
// value has what the base has.

import { ArrayNode } from "../array.ts";
import { nodeOf, type Node } from "../node.ts";
import { ObjectNode } from "../object.ts";
import { Selection } from "../selection.ts";
import { isContainer, type Change, type Container, type Key, type Splice } from "../touched.ts";

/** An item that a new object stands for; `parts` is that object as it was put in. */
interface Edited {
  readonly item: ObjectNode;
  readonly parts: Container;
}

interface Order {
  /** The index in the base of each item of the new list; -1 of what is new. */
  readonly origins: Int32Array;
  readonly edited: ReadonlyMap<number, Edited>;
}

/**
 * The list `items` became `value`, which took the place of `before`: the change, if it is an edit
 * of that. `from` are the places that items have in it, where these are known.
 */
export function listEdit(
  before: ArrayNode,
  items: readonly unknown[],
  value: readonly unknown[],
  from?: readonly number[],
): Change | undefined {
  const order = before.finalized !== undefined || before.reordered ? undefined : orderOf(before, items, value, from);
  if (order === undefined) return undefined;
  const { base } = before;
  const assigned: number[] = [];
  const children: Change[] = [];
  const splices: Splice[] = [];
  let next = 0;
  let at = 0;
  const close = (origin: number, end: number): void => {
    if (origin > next || end > at) splices.push({ from: next, removed: origin - next, at, inserted: end - at });
    next = origin + 1;
    at = end + 1;
  };
  for (let i = 0; i < value.length; i++) {
    const origin = order.origins[i] as number;
    if (origin < 0) {
      assigned.push(i);
      continue;
    }
    close(origin, i);
    if (value[i] === base[origin]) continue;
    const edited = order.edited.get(i);
    const change =
      edited === undefined
        ? nodeIn(before, items[i])?.touched
        : objectEdit(edited.item, edited.parts, value[i] as Container);
    if (change !== undefined) children.push(placed(change, i, origin));
  }
  close(base.length, value.length);
  before.scope.frozen.inheritFrozenItems(base, value, assigned, children);
  return become(before, value, assigned, children, splices);
}

function objectEdit(before: ObjectNode, parts: Container, value: Container): Change {
  const { base } = before;
  const assigned: string[] = [];
  const children: Change[] = [];
  for (const key of Object.keys(value)) {
    if (value[key] === base[key] && Object.hasOwn(base, key)) continue;
    const change = partEdit(before, key, parts[key], value[key]);
    if (change === undefined) assigned.push(key);
    else children.push(placed(change, key, key));
  }
  for (const key of Object.keys(base)) if (!Object.hasOwn(value, key)) assigned.push(key);
  return become(before, value, assigned, children, []);
}

/** What happened to a part of an item that is still in its place. */
function partEdit(owner: ObjectNode, key: string, part: unknown, value: unknown): Change | undefined {
  const node = nodeIn(owner, part);
  if (node?.isNew === false) return node.parent === owner && node.key === key ? node.touched : undefined;
  const before = owner.childAt(key);
  const items = node?.latest ?? part;
  if (!(before instanceof ArrayNode) || before.base !== owner.base[key]) return undefined;
  if (!Array.isArray(items) || !Array.isArray(value)) return undefined;
  return listEdit(before, items, value, placesIn(before, node));
}

/** Where the items of a new list come from; undefined when it is no edit of the one before. */
function orderOf(
  before: ArrayNode,
  items: readonly unknown[],
  value: readonly unknown[],
  from?: readonly number[],
): Order | undefined {
  const { base, splices } = before;
  const origins = new Int32Array(value.length);
  const edited = new Map<number, Edited>();
  let isEdit = false;
  let next = 0;
  for (let i = 0; i < value.length; i++) {
    let origin = -1;
    const place = from?.[i] ?? -1;
    if (place >= 0) {
      origin = splices === undefined ? place : splices.toBase(place);
      isEdit ||= origin >= 0;
    } else if (!isContainer(value[i])) {
      if (next < base.length && base[next] === value[i]) origin = next;
    } else {
      const node = nodeIn(before, items[i]);
      if (node?.parent === before) {
        origin = node.key as number;
        isEdit = true;
        if (origin < 0) return undefined;
      } else {
        const found = node?.isNew === false ? undefined : editedIn(before, node?.latest ?? items[i], next);
        if (found !== undefined) {
          origin = found.item.key as number;
          isEdit = true;
          edited.set(i, found);
        }
      }
    }
    if (origin >= 0 && origin < next) return undefined;
    if (origin >= 0) next = origin + 1;
    origins[i] = origin;
  }
  return isEdit ? { origins, edited } : undefined;
}

/** The item, at an index from `next` on and now nowhere, that a new object has parts of. */
function editedIn(before: ArrayNode, parts: unknown, next: number): Edited | undefined {
  if (!isContainer(parts) || Array.isArray(parts)) return undefined;
  for (const key of Object.keys(parts)) {
    const part = isContainer(parts[key]) ? nodeOf(parts[key]) : undefined;
    const item = part?.key === key ? part.parent : undefined;
    if (item?.parent !== before || item.finalized !== undefined || !(item instanceof ObjectNode)) continue;
    if ((item.key as number) >= next) return { item, parts };
  }
  return undefined;
}

/** The places that the items of a new list have in another. */
export function placesIn(before: ArrayNode, list: Node | undefined): readonly number[] | undefined {
  return list instanceof Selection && list.source === before ? list.from : undefined;
}

/** The draft of what was put in. */
function nodeIn({ scope }: Node, value: unknown): Node | undefined {
  return isContainer(value) ? (nodeOf(value) ?? scope.insertedDraft(value)) : undefined;
}

/** From here on the draft is what became of its base. */
function become(node: Node, value: object, assigned: Key[], children: Change[], splices: readonly Splice[]): Change {
  node.finalized = value;
  node.touched = {
    key: "",
    from: "",
    base: node.base as Container,
    value: value as Container,
    assigned,
    children,
    splices,
    reordered: false,
  };
  return node.touched;
}

function placed(change: Change, key: Key, from: Key): Change {
  change.key = key;
  change.from = from;
  return change;
}
