// What a callback sees in the place of an object that holds a list which is not frozen: its view, a
// frozen object with the same keys. Behind the key of what could be written to is an accessor, which
// gives a view, too; of a list that is a `ListView`.
//
// A view is made once for each object of a state, when it is first looked at, and kept with it.

/** Lets a subclass put its private fields on a plain object. */
// oxlint-disable-next-line typescript/no-extraneous-class -- it has nothing else to do
class Stamp {
  constructor(object: object) {
    return object;
  }
}

/** The mark of an object that holds something open: a place for its view. */
class Mark extends Stamp {
  #view: object | undefined = undefined;

  static has(object: object): boolean {
    return #view in object;
  }

  static view(object: object): object | undefined {
    return (object as Mark).#view;
  }

  static keep(object: object, view: object): void {
    (object as Mark).#view = view;
  }
}

/** Before the object is frozen: in time, a frozen object will take no private fields. */
export function mark(object: object): object {
  return new Mark(object);
}

export function hasMark(object: object): boolean {
  return Mark.has(object);
}

export function keptView(object: object): object | undefined {
  return Mark.view(object);
}

/** The view of an object with a mark is kept with it, unless it is written to again. */
export function keepView(object: object, view: object): void {
  if (Object.isFrozen(object)) Mark.keep(object, view);
}

/** What a view has besides its keys. */
export class View extends Stamp {
  readonly #original: object;
  /** Its parts that were read, by key. */
  readonly #parts = Object.create(null) as Record<string, object>;

  constructor(view: object, original: object) {
    super(view);
    this.#original = original;
    Object.freeze(view);
  }

  static original(view: object): object | undefined {
    return #original in view ? view.#original : undefined;
  }

  static part(view: View, key: string, make: (original: object) => object): object {
    return (view.#parts[key] ??= make((view.#original as Record<string, object>)[key] as object));
  }
}
