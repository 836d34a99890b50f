// Copies a value that an operation or a rule put in: plain JSON, detached from its origin.
// What is not JSON is refused with its path.

import {
  isRevived,
  OVERWRITE,
  OVERWRITE_PROBLEM,
  PROTO,
  PROTO_PROBLEM,
  REVIVED_PROBLEM,
} from "../../json/reserved-keys.ts";
import { DraftError, flawOf, ReservedKeyError } from "./error.ts";
import type { Room } from "./room.ts";
import { isContainer, type Container, type Key } from "./touched.ts";

export class JsonCopier {
  /** The path of the current value. */
  protected readonly path: Key[] = [];
  /** Collects every new container, when they are to be frozen. */
  readonly created: object[] | undefined;
  /** Counts the values that are put in. */
  protected readonly room: Room | undefined;
  /** The containers around the current value. */
  #open: object[] | undefined;

  constructor(created: object[] | undefined, path?: readonly Key[], room?: Room) {
    this.created = created;
    this.room = room;
    if (path !== undefined) this.path.push(...path);
  }

  copy(value: unknown): unknown {
    if (isContainer(value)) {
      const known = this.resolve(value);
      if (known !== undefined) return known;
    }
    const flaw = flawOf(value);
    if (flaw !== undefined) throw this.fault(flaw);
    this.room?.take(1, this.path);
    if (isContainer(value)) return this.container(value);
    // JSON has no -0.
    return value === 0 ? 0 : value;
  }

  /** The value at a key of the one at hand. */
  protected below(key: Key, value: unknown): unknown {
    this.path.push(key);
    const copy = this.copy(value);
    this.path.pop();
    return copy;
  }

  /** What stands for a container that is known already: nothing, unless a subclass says so. */
  protected resolve(_value: object): object | undefined {
    return undefined;
  }

  protected container(input: object): object {
    const open = (this.#open ??= []);
    if (open.includes(input)) throw this.fault("must be JSON, got a value that contains itself");
    open.push(input);
    const copy = Array.isArray(input) ? this.#array(input) : this.#object(input as Container);
    open.pop();
    this.created?.push(copy);
    return copy;
  }

  protected fault(problem: string, key?: Key): DraftError {
    return new DraftError(problem, key === undefined ? this.path : [...this.path, key]);
  }

  /**
   * What LangChain would revive as a class instance, and what LangGraph would take as an order to
   * overwrite.
   */
  protected checkKeys(value: Container): void {
    if (isRevived(value["lc"], value["type"])) throw this.#reserved(REVIVED_PROBLEM, "lc");
    if (this.path.length === 0 && Object.hasOwn(value, OVERWRITE)) throw this.#reserved(OVERWRITE_PROBLEM, OVERWRITE);
  }

  #reserved(problem: string, key: Key): ReservedKeyError {
    return new ReservedKeyError(problem, [...this.path, key]);
  }

  #array(input: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (let i = 0; i < input.length; i++) {
      if (input[i] === undefined)
        throw this.fault(i in input ? "must be JSON, got undefined" : "must be JSON, got a hole in an array", i);
      copy.push(this.below(i, input[i]));
    }
    return copy;
  }

  #object(input: Container): Container {
    if (Object.getOwnPropertySymbols(input).length > 0) throw this.fault("must be JSON, got a symbol as a key");
    const copy: Container = {};
    for (const key of Object.keys(input)) {
      if (key === PROTO) throw this.#reserved(PROTO_PROBLEM, key);
      if (input[key] !== undefined) copy[key] = this.below(key, input[key]);
    }
    this.checkKeys(copy);
    return copy;
  }
}
