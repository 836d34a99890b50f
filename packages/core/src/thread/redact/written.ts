// What an actor wrote, as texts and numbers: what is looked for elsewhere when it is erased.

import { isContainer, isObject } from "../../json/container.ts";
import type { Commit } from "../commit.ts";
import { innerOperation, isDecline, isPropose, isUndo } from "../entries.ts";
import type { Patch } from "../../patch/index.ts";

/** A smaller number says nothing about a person, and is everywhere. */
const SMALL_NUMBER = 1_000;

export class Written {
  readonly texts = new Set<string>();
  readonly numbers = new Set<number>();

  get isEmpty(): boolean {
    return this.texts.size === 0 && this.numbers.size === 0;
  }

  /** All values in a JSON value, not the keys. */
  add(value: unknown): void {
    if (typeof value === "string") {
      if (value !== "") this.texts.add(value);
    } else if (typeof value === "number") {
      if (isTelling(value)) this.numbers.add(value);
    } else if (isContainer(value)) for (const member of Object.values(value)) this.add(member);
  }

  /** An operation as it was submitted. Its type is the definition's. */
  addOperation(operation: unknown): void {
    if (!isObject(operation)) return this.add(operation);
    for (const [key, member] of Object.entries(operation)) {
      if (key === "operations" && Array.isArray(member)) for (const part of member) this.addOperation(part);
      else if (key !== "type") this.add(member);
    }
  }

  /** A commit of which the actor is the author. An undo says what others did. */
  addCommit({ operation, patches }: Pick<Commit, "operation" | "patches">): void {
    if (isUndo(operation)) return;
    if (isDecline(operation)) return this.add(operation.reason);
    this.addOperation(innerOperation(operation));
    if (isPropose(operation)) this.#addPatches(operation.patches);
    this.#addPatches(patches);
  }

  #addPatches(patches: Patch): void {
    for (const step of patches) if ("value" in step) this.add(step.value);
  }
}

export function isTelling(number: number): boolean {
  return !Number.isInteger(number) || Math.abs(number) >= SMALL_NUMBER;
}
