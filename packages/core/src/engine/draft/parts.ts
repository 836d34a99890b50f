// What a callback of `map` made of an item that it read as it is: `{ ...item, done: true }`. The
// item's own parts in it become drafts, as all is that is kept of the state.

import { nodeOf } from "./node.ts";
import { isContainer, type Container } from "./touched.ts";
import { originalOf } from "./views.ts";

/** `draft` gives the draft of `original`, the item. What changes in a caller's value is copied. */
export function withDrafts(value: object, original: Container, draft: () => unknown): unknown {
  return new Parts(original, draft).in(value);
}

class Parts {
  readonly #original: Container;
  readonly #draft: () => unknown;
  /** All containers in the item, each with the one that holds it, and the key there. */
  #places: Map<object, readonly [object, string]> | undefined;
  /** What became of the containers that were looked at. */
  readonly #seen = new Map<object, unknown>();

  constructor(original: Container, draft: () => unknown) {
    this.#original = original;
    this.#draft = draft;
  }

  in(value: object): unknown {
    const known = this.#draftOf(value);
    if (known !== undefined) return known;
    if (nodeOf(value) !== undefined) return value;
    if (this.#seen.has(value)) return this.#seen.get(value);
    this.#seen.set(value, value);
    let result = value as Container;
    for (const key of Object.keys(value)) {
      const part = (value as Container)[key];
      if (!isContainer(part)) continue;
      const next = originalOf(part) === this.#original[key] ? (this.#draft() as Container)[key] : this.in(part);
      if (next === part) continue;
      if (result === value) result = (Array.isArray(value) ? [...value] : { ...value }) as unknown as Container;
      result[key] = next;
    }
    this.#seen.set(value, result);
    return result;
  }

  /** The draft of what is the item, or is in it. */
  #draftOf(value: object): unknown {
    const original = originalOf(value) as object;
    if (original === this.#original) return this.#draft();
    if (this.#places === undefined) {
      this.#places = new Map();
      this.#find(this.#original);
    }
    const place = this.#places.get(original);
    return place === undefined ? undefined : (this.#draftOf(place[0]) as Container)[place[1]];
  }

  #find(container: Container): void {
    for (const key of Object.keys(container)) {
      const part = container[key];
      if (!isContainer(part)) continue;
      this.#places?.set(part, [container, key]);
      this.#find(part);
    }
  }
}
