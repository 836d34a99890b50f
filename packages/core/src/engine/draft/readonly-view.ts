// What code that must not write sees in the place of an object that holds a large array, which is
// not frozen: its view, a frozen object with the same keys.
//
// What can be written to in the object is behind an accessor, and made when it is first read. Of an
// array that is a plain copy, for V8 searches frozen arrays 10 times slower. Whoever lets code see
// a copy compares it with what it shows when that code is over: a write to it is no write to a
// state, and does not stay unseen.

/** A plain copy of a large array of the state. */
export class ListCopy {
  copy: unknown[];
  /** What has to stand in the copy. */
  readonly shown: readonly unknown[];
  /** Who saw it last. */
  look: Look | undefined;
  /** A frozen copy, for code that reads a view which it kept. */
  kept: readonly unknown[] | undefined;

  constructor(shown: readonly unknown[]) {
    this.copy = [...shown];
    this.shown = shown;
    this.look = undefined;
    this.kept = undefined;
  }
}

/** One piece of code that sees views, and the copies that it was given. */
export class Look {
  /** What lets it see them, for a message. */
  method: string;
  readonly #given: { readonly list: ListCopy; readonly method: string }[] = [];

  constructor(method: string) {
    this.method = method;
  }

  give(list: ListCopy): unknown[] {
    if (list.look !== this) {
      list.look = this;
      this.#given.push({ list, method: this.method });
    }
    return list.copy;
  }

  /** The method whose callback wrote to a copy, if one did. Such a copy is not shown again. */
  end(): string | undefined {
    let wrote: string | undefined;
    for (const { list, method } of this.#given) {
      if (isSame(list.copy, list.shown)) continue;
      list.copy = [...list.shown];
      wrote ??= method;
    }
    this.#given.length = 0;
    return wrote;
  }
}

function isSame(copy: readonly unknown[], shown: readonly unknown[]): boolean {
  const { length } = shown;
  if (copy.length !== length) return false;
  for (let i = 0; i < length; i++) if (copy[i] !== shown[i]) return false;
  return true;
}

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
  readonly #parts: Record<string, object | ListCopy> = {};

  constructor(view: object, original: object) {
    super(view);
    this.#original = original;
    Object.freeze(view);
  }

  static original(view: object): object | undefined {
    return #original in view ? view.#original : undefined;
  }

  static part<T extends object>(view: View, key: string, make: (original: object) => T): T {
    return (view.#parts[key] ??= make((view.#original as Record<string, object>)[key] as object)) as T;
  }
}

/** What a view shows; the value itself where it is no view. */
export function originalOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (View.original(value) ?? value) : value;
}
