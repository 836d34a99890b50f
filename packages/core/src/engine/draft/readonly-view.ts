// What code that must not write sees in the place of a part of a state that holds large arrays,
// which are not frozen: the same JSON, frozen.
//
// - An object's view is a frozen object with the same keys. What can be written to in the original
//   is behind an accessor, so that it costs nothing until it is read.
// - An array's view is a frozen copy. V8 runs the built-in searches slowly on frozen arrays (10
//   times), so a view has its own.

type Test = (item: unknown, index: number, array: unknown) => unknown;

/** Gives the view of a container that can be written to. */
type ViewOf = (part: object) => object;

/** The searches of Array.prototype; a state has no holes. */
const searches = {
  find(this: readonly unknown[], test: Test, thisArg?: unknown) {
    for (let i = 0; i < this.length; i++) {
      const item = this[i];
      if (thisArg === undefined ? test(item, i, this) : test.call(thisArg, item, i, this)) return item;
    }
    return undefined;
  },
  findIndex(this: readonly unknown[], test: Test, thisArg?: unknown) {
    for (let i = 0; i < this.length; i++)
      if (thisArg === undefined ? test(this[i], i, this) : test.call(thisArg, this[i], i, this)) return i;
    return -1;
  },
  some(this: readonly unknown[], test: Test, thisArg?: unknown) {
    for (let i = 0; i < this.length; i++)
      if (thisArg === undefined ? test(this[i], i, this) : test.call(thisArg, this[i], i, this)) return true;
    return false;
  },
  every(this: readonly unknown[], test: Test, thisArg?: unknown) {
    for (let i = 0; i < this.length; i++) if (!test.call(thisArg, this[i], i, this)) return false;
    return true;
  },
  filter(this: readonly unknown[], test: Test, thisArg?: unknown) {
    const found: unknown[] = [];
    for (let i = 0; i < this.length; i++) {
      const item = this[i];
      if (test.call(thisArg, item, i, this)) found.push(item);
    }
    return found;
  },
  map(this: readonly unknown[], change: Test, thisArg?: unknown) {
    const items: unknown[] = [];
    for (let i = 0; i < this.length; i++) items.push(change.call(thisArg, this[i], i, this));
    return items;
  },
  forEach(this: readonly unknown[], visit: Test, thisArg?: unknown) {
    for (let i = 0; i < this.length; i++) visit.call(thisArg, this[i], i, this);
  },
};

const ARRAY_VIEW: object = Object.create(
  Array.prototype,
  Object.fromEntries(Object.entries(searches).map(([name, value]) => [name, { value }])),
);

/** Lets a subclass put its private fields on a plain object. */
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

  static get(object: object): object | undefined {
    return (object as Mark).#view;
  }

  static set(object: object, view: object): void {
    (object as Mark).#view = view;
  }
}

/** Before the object is frozen: a frozen object takes no more private fields in time to come. */
export function mark(object: object): void {
  new Mark(object);
}

export function hasMark(object: object): boolean {
  return Mark.has(object);
}

/** What an object's view has besides its keys. */
class Behind extends Stamp {
  readonly #original: Readonly<Record<string, object>>;
  readonly #viewOf: ViewOf | undefined;
  /** Views of its parts that were read, by key. */
  #parts: Record<string, object | undefined> | undefined;

  constructor(view: object, original: object, viewOf?: ViewOf) {
    super(view);
    this.#original = original as Readonly<Record<string, object>>;
    this.#viewOf = viewOf;
  }

  static original(view: object): object | undefined {
    return #original in view ? view.#original : undefined;
  }

  static part(view: Behind, key: string): object | undefined {
    return ((view.#parts ??= {})[key] ??= view.#viewOf?.(view.#original[key] as object));
  }
}

/** Accessors are kept for so many keys: those of a schema, not those of all records. */
const MANY_KEYS = 1000;

/** Makes the views of objects. */
export class ObjectViews {
  readonly #viewOf: ViewOf;
  /** One for each key, so that the views of objects of one shape are of one shape. */
  readonly #accessors = new Map<string, PropertyDescriptor>();

  constructor(viewOf: ViewOf) {
    this.#viewOf = viewOf;
  }

  /** The view of an object with a mark; `isOpen`: whether a part can be written to. */
  of(original: Readonly<Record<string, unknown>>, isOpen: (part: object) => boolean): object {
    const known = Mark.get(original);
    if (known !== undefined) return known;
    const view = this.#make(original, isOpen);
    // The working copies of a batch are written to again.
    if (Object.isFrozen(original)) Mark.set(original, view);
    return view;
  }

  #make(original: Readonly<Record<string, unknown>>, isOpen: (part: object) => boolean): object {
    const view: Record<string, unknown> = {};
    for (const key in original) {
      const part = original[key];
      if (typeof part === "object" && part !== null && isOpen(part))
        Object.defineProperty(view, key, this.#accessor(key));
      else view[key] = part;
    }
    new Behind(view, original, this.#viewOf);
    return Object.freeze(view);
  }

  #accessor(key: string): PropertyDescriptor {
    const known = this.#accessors.get(key);
    if (known !== undefined) return known;
    const made: PropertyDescriptor = {
      get(this: Behind) {
        return Behind.part(this, key);
      },
      enumerable: true,
    };
    if (this.#accessors.size < MANY_KEYS) this.#accessors.set(key, made);
    return made;
  }
}

/** The view of an array; `items` are those to be seen, in an array that nobody else has. */
export function arrayView(original: readonly unknown[], items: unknown[]): readonly unknown[] {
  new Behind(Object.setPrototypeOf(items, ARRAY_VIEW) as unknown[], original);
  return Object.freeze(items);
}

/** What a view shows; the value itself where it is no view. */
export function originalOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (Behind.original(value) ?? value) : value;
}
