// A patch and its inverse while they are written: each operation with the one that takes it back.

import { diff, type Patch, type PatchOperation } from "../../../patch/index.ts";
import { oneMove } from "../../../patch/one-move.ts";
import { isContainer } from "../touched.ts";

export interface Patches {
  readonly patches: Patch;
  readonly inverse: Patch;
}

export class PatchWriter {
  readonly #edits: PatchOperation[] = [];
  /** Back to front. */
  readonly #undone: PatchOperation[] = [];

  finish(): Patches {
    return { patches: this.#edits, inverse: this.#undone.reverse() };
  }

  add(path: string, value: unknown): void {
    this.#edits.push({ op: "add", path, value });
    this.#undone.push({ op: "remove", path });
  }

  remove(path: string, before: unknown): void {
    this.#edits.push({ op: "remove", path });
    this.#undone.push({ op: "add", path, value: before });
  }

  /** `path` is the place once `from` is gone; it holds nothing yet. */
  move(from: string, path: string): void {
    this.#edits.push(...oneMove(from, path));
    this.#undone.push(...oneMove(path, from).reverse());
  }

  put(path: string, before: unknown, after: unknown): void {
    this.#edits.push({ op: "replace", path, value: after });
    this.#undone.push({ op: "replace", path, value: before });
  }

  /** One value in another's place, in as few characters as it takes. */
  replace(path: string, before: unknown, after: unknown): void {
    if (before === after) return;
    if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after))
      this.put(path, before, after);
    else this.compared(path, diff(before, after), diff(after, before));
  }

  /** What was found by comparing the values at `path`. */
  compared(path: string, forth: Patch, back: Patch): void {
    for (const operation of forth) this.#edits.push(below(path, operation));
    for (let i = back.length - 1; i >= 0; i--) this.#undone.push(below(path, back[i] as PatchOperation));
  }
}

function below(path: string, operation: PatchOperation): PatchOperation {
  return "from" in operation
    ? { ...operation, from: path + operation.from, path: path + operation.path }
    : { ...operation, path: path + operation.path };
}
