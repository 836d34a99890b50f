// A short open list as callbacks see it, where all its items are frozen: a frozen copy. It is read
// as any array, and its methods are those of a draft: a proxy takes 20 ns more for each property.
//
//   columns.find((column) => column.cards.some((card) => card.id === id))      twice for a column
//
// It is kept with the copy of its object (`views.ts`): it is made once for each edit of the list.

import { arrayMethods } from "./array-methods.ts";
import { OwnArray } from "./own-array.ts";
import { LIST, ORIGINAL, type ListView } from "./views.ts";

/** Longer lists are shown by a proxy: to copy them takes longer. */
export const SHORT = 64;

export class ListCopy extends OwnArray {
  readonly #view: ListView;

  /** What native methods make of it is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  constructor(view: ListView) {
    const { latest } = view;
    super(latest.length);
    for (let i = 0; i < latest.length; i++) this[i] = latest[i];
    this.#view = view;
    Object.freeze(this);
  }

  get [LIST](): ListView {
    return this.#view;
  }

  get [ORIGINAL](): readonly unknown[] {
    return this.#view.latest;
  }

  static {
    for (const name of Reflect.ownKeys(arrayMethods))
      Object.defineProperty(ListCopy.prototype, name, { value: arrayMethods[name] });
  }
}
