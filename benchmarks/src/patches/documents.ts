// A document of many items, and what is done to it: as a JSON Patch, and by hand.

export interface Item {
  readonly id: string;
  readonly title: string;
  readonly done: boolean;
  readonly tags: readonly string[];
}
interface Nested {
  readonly title: string;
  readonly child?: Nested;
}
export interface Document {
  readonly items: readonly Item[];
  readonly deep: Nested;
}

export type Operation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

export interface Change {
  readonly patch: readonly Operation[];
  readonly byHand: (document: Document) => Document;
}

const DEPTH = 20;

export function makeDocument(items: number): Document {
  return { items: Array.from({ length: items }, (_, index) => makeItem(`item-${index}`)), deep: makeNested(DEPTH) };
}

function makeItem(id: string): Item {
  return { id, title: `Title of ${id}`, done: false, tags: ["one", "two"] };
}

function makeNested(depth: number): Nested {
  return depth === 1 ? { title: "Innermost" } : { title: `Level ${depth}`, child: makeNested(depth - 1) };
}

/** By name: single edits, and one of a hundred operations. */
export function changesOf({ items }: Document): Readonly<Record<string, Change>> {
  const middle = items.length >> 1;
  const made = makeItem("new");
  const many = hundred(items.length);
  return {
    "replace one": {
      patch: [{ op: "replace", path: `/items/${middle}/title`, value: "Other" }],
      byHand: (document) => ({ ...document, items: retitled([...document.items], middle) }),
    },
    "insert in the middle": {
      patch: [{ op: "add", path: `/items/${middle}`, value: made }],
      byHand: (document) => ({ ...document, items: spliced([...document.items], middle, 0, made) }),
    },
    "replace 20 levels down": {
      patch: [{ op: "replace", path: `/deep${"/child".repeat(DEPTH - 1)}/title`, value: "Other" }],
      byHand: (document) => ({ ...document, deep: renamed(document.deep) }),
    },
    "100 operations": {
      patch: many,
      byHand(document) {
        const copy = [...document.items];
        for (const operation of many) {
          const index = Number(operation.path.split("/")[2]);
          if (operation.op === "replace") retitled(copy, index);
          else if (operation.op === "add") copy.splice(index, 0, operation.value as Item);
          else copy.splice(index, 1);
        }
        return { ...document, items: copy };
      },
    },
  };
}

/** Sixty titles replaced, twenty items inserted, twenty removed, all over the list. */
function hundred(length: number): Operation[] {
  return Array.from({ length: 100 }, (_, n): Operation => {
    const index = (n * 7919) % (length - 20);
    if (n % 5 === 3) return { op: "add", path: `/items/${index}`, value: makeItem(`new-${n}`) };
    if (n % 5 === 4) return { op: "remove", path: `/items/${index}` };
    return { op: "replace", path: `/items/${index}/title`, value: "Other" };
  });
}

/** By name: a document, as it came out of an edit. */
export function editsOf(document: Document): Readonly<Record<string, Document>> {
  const { items } = document;
  const middle = items.length >> 1;
  const moved = items.filter((_, index) => index !== middle);
  return {
    "one field, the rest shared": { ...document, items: retitled([...items], middle) },
    "one inserted in front": { ...document, items: [makeItem("new"), ...items] },
    "one moved": { ...document, items: spliced(moved, items.length >> 2, 0, items[middle] as Item) },
    "one field, nothing shared": structuredClone({ ...document, items: retitled([...items], middle) }),
  };
}

function retitled(copy: Item[], index: number): Item[] {
  copy[index] = { ...(copy[index] as Item), title: "Other" };
  return copy;
}

function spliced(copy: Item[], index: number, removed: number, item: Item): Item[] {
  copy.splice(index, removed, item);
  return copy;
}

function renamed(nested: Nested): Nested {
  return nested.child === undefined ? { ...nested, title: "Other" } : { ...nested, child: renamed(nested.child) };
}
