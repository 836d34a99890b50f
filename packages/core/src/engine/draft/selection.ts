// What `filter` and `map` give of a draft's list: a new list whose items are, mostly, the base's
// own, and become drafts when they are read. Put in the place of the list that it was taken from,
// it is that list, edited.

import { ArrayNode } from "./array.ts";
import { isContainer } from "./touched.ts";

export class Selection extends ArrayNode {
  readonly source: ArrayNode;
  /** For each item its index in the source; -1 of an item that is not the source's. */
  readonly #from: readonly number[];
  /** The same by item, once this list was edited. */
  #own: Map<unknown, number> | undefined;

  constructor(source: ArrayNode, items: readonly unknown[], from: readonly number[]) {
    super(source.recipe, items, true, undefined, "");
    this.source = source;
    this.#from = from;
  }

  /** The index in the source that a plain item of the source had; -1 of any other. */
  sourceOf(index: number): number {
    if (this.copy === undefined) return this.#from[index] ?? -1;
    const item = this.copy[index];
    if (!isContainer(item)) return -1;
    this.#own ??= new Map(this.#from.flatMap((from, at) => (from < 0 ? [] : [[this.base[at], from] as const])));
    return this.#own.get(item) ?? -1;
  }

  override item(index: number): unknown {
    const item = this.latest[index];
    const from = isContainer(item) ? this.sourceOf(index) : -1;
    if (from < 0) return super.item(index);
    const { proxy } = this.source.draftOf(item as object, from);
    (this.copy ??= [...this.base])[index] = proxy;
    return proxy;
  }

  override seen(index: number): unknown {
    const item = this.latest[index];
    const from = isContainer(item) ? this.sourceOf(index) : -1;
    if (from < 0) return super.seen(index);
    return this.source.drafted(item as object, from)?.proxy ?? this.recipe.frozen.shown(item as object);
  }
}
