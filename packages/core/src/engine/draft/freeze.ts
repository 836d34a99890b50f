// What of a state is frozen.
//
// Measured on Node 24: an array's own `some` takes 2 to 6 ns for an item, on a frozen array 25 to
// 66. So lists stay open, and code that must not write to one sees a `ListView`. Short arrays of
// values (tags, days) are frozen: an object that holds nothing else needs no view. To freeze an
// object takes about 20 ns; one that holds an open list takes 5 ns more for its mark.

/** All of it; objects and short arrays of values only; nothing. */
export type Freezing = boolean | "objects";

/** Arrays of values up to this length are frozen where "objects" are. */
export const SMALL = 32;

/** Lets a subclass put its private fields on a plain object. */
// oxlint-disable-next-line typescript/no-extraneous-class -- it has nothing else to do
export class Stamp {
  constructor(object: object) {
    return object;
  }
}

/**
 * The mark of an object that holds something open. It keeps what code sees in the place of the
 * object, and who made it: V8 would have to look through a set of such objects to collect them.
 */
export class Mark extends Stamp {
  #shown: object | null = null;
  #maker: object | undefined = undefined;

  static has(object: object): boolean {
    return #shown in object;
  }

  /** What is seen in its place; null while there is nothing yet, undefined without a mark. */
  static shown(object: object): object | null | undefined {
    return #shown in object ? object.#shown : undefined;
  }

  static show<T extends object>(object: object, shown: T): T {
    if (#shown in object) object.#shown = shown;
    return shown;
  }

  static isMadeBy(object: object, maker: object): boolean {
    return #maker in object && object.#maker === maker;
  }

  /** Notes who made an object; false where there is no mark, or it names another. */
  static noteMaker(object: object, maker: object): boolean {
    if (!(#maker in object)) return false;
    object.#maker ??= maker;
    return object.#maker === maker;
  }
}

/**
 * What is known of an open list. A set of such lists would take 0.5 µs more for each new one: V8
 * has to look through the set to collect the old ones.
 */
export class Items extends Stamp {
  #areFrozen = true;

  /** Whether it was noted that none of them can be written to. */
  static areFrozen(list: object): boolean {
    return #areFrozen in list && list.#areFrozen;
  }

  static note(list: object, areFrozen: boolean): object {
    if (#areFrozen in list) list.#areFrozen = areFrozen;
    else if (areFrozen) return new Items(list);
    return list;
  }
}

/**
 * To be called before the object is frozen: a later JavaScript may refuse to add private fields to
 * a frozen object.
 */
export function mark(object: object): object {
  return new Mark(object);
}

/** Whether a container stays open where only objects are frozen. */
export function staysOpen(container: object): boolean {
  if (!Array.isArray(container)) return false;
  if (container.length > SMALL) return true;
  for (let i = 0; i < container.length; i++) {
    const item: unknown = container[i];
    if (typeof item === "object" && item !== null) return true;
  }
  return false;
}

/**
 * Freezes one container whose parts are frozen already. Marks an object that holds an open list,
 * anywhere: what is frozen and has no mark cannot be written to.
 */
export function freezeOne(container: object, freezing: Freezing): void {
  if (freezing === true) Object.freeze(container);
  else if (freezing === "objects") {
    if (Array.isArray(container) && staysOpen(container)) return;
    markOne(container, freezing);
    Object.freeze(container);
  }
}

export function markOne(container: object, freezing: Freezing): void {
  if (freezing === "objects" && !Array.isArray(container) && !Mark.has(container) && holdsOpen(container))
    mark(container);
}

function holdsOpen(container: object): boolean {
  for (const key in container) {
    const part = (container as Readonly<Record<string, unknown>>)[key];
    if (typeof part === "object" && part !== null && isOpen(part)) return true;
  }
  return false;
}

/** Whether something in a part of a state can be written to, where objects are frozen. */
export function isOpen(part: object): boolean {
  return Array.isArray(part) ? !Object.isFrozen(part) : Mark.has(part);
}
