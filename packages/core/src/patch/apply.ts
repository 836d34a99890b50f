/**
 * Applies a JSON Patch (RFC 6902), strictly: all operations or none, own properties only, nothing
 * but JSON in, nothing given is written to. The patch may come from anywhere, so it is `unknown`.
 *
 * The inverse of a step is noted as the step is done. It may hold what was removed by reference,
 * because nothing that leaves the tree is written to again; where a value stays in the tree and
 * is noted as well (a copy, some moves), the tree disowns it first.
 */
import { decode, refuse, type Step } from "./decode.ts";
import { deeperThan, equal } from "../json/equal.ts";
import { describe, quote } from "../json/describe.ts";
import { inspect } from "./inspect.ts";
import { DEFAULT_LIMITS, type Patch, type PatchLimits, type PatchOperation } from "./operation.ts";
import { type PatchError, Refusal } from "./refusal.ts";
import { type Location, Tree } from "./tree.ts";

/** How to apply a patch. */
interface ApplyOptions {
  /** Whether to return the inverse patch; default true. */
  readonly inverse?: boolean;
  /** Limits other than the default ones. */
  readonly limits?: Partial<PatchLimits>;
}

interface Applied {
  readonly ok: true;
  readonly document: unknown;
}

interface Failed {
  readonly ok: false;
  readonly error: PatchError;
}

/**
 * Applies a patch to a JSON document and returns the new document with the patch that leads back.
 * Neither document nor patch is changed; the new document shares every untouched part with the old
 * one, and inserted values with the patch. A patch that changes nothing returns the same document.
 * A patch that fails anywhere changes nothing, and the error says which operation, where and why.
 *
 * @example
 * ```ts
 * import { applyPatch } from "@opstate/core/json-patch";
 *
 * const result = applyPatch({ tags: ["a"] }, [{ op: "add", path: "/tags/-", value: "b" }]);
 * if (result.ok) {
 *   result.document; // { tags: ["a", "b"] }
 *   result.inverse; // [{ op: "remove", path: "/tags/1" }]
 * } else {
 *   result.error; // { code, index, operation, message }
 * }
 * ```
 */
export function applyPatch(
  document: unknown,
  patch: unknown,
  options?: ApplyOptions & { readonly inverse?: true },
): (Applied & { readonly inverse: Patch }) | Failed;
export function applyPatch(
  document: unknown,
  patch: unknown,
  options: ApplyOptions,
): (Applied & { readonly inverse?: Patch }) | Failed;
export function applyPatch(
  document: unknown,
  patch: unknown,
  options: ApplyOptions = {},
): (Applied & { readonly inverse?: Patch }) | Failed {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  if (!Array.isArray(patch)) {
    return failed("invalid_patch", `A patch is an array of operations, not ${describe(patch)}`);
  }
  if (patch.length > limits.operations) {
    return failed("too_large", `A patch has at most ${limits.operations} operations`);
  }
  const values = { left: limits.size };
  const undo: PatchOperation[] | undefined = options.inverse === false ? undefined : [];
  const application = new Application(document, limits, undo);
  for (let index = 0; index < patch.length; index++) {
    const operation: unknown = patch[index];
    let step: Step | undefined;
    try {
      step = decode(operation, limits, values);
      if (patch.length > 1 || step.op === "move") application.tree.expectMore();
      application.take(step);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const what = step ? ` (${step.op} ${quote(step.at.pointer)})` : "";
      return failed(error.code, `Operation ${index}${what}: ${error.message}`, index, operation);
    }
  }
  const { root } = application.tree;
  return undo ? { ok: true, document: root, inverse: undo.reverse() } : { ok: true, document: root };
}

function failed(code: PatchError["code"], message: string, index = -1, operation?: unknown): Failed {
  return { ok: false, error: { code, index, operation, message } };
}

/** A document while a patch is applied to it. */
export class Application {
  readonly tree: Tree;
  /** The inverse of each step done, first step first; undefined when it is not wanted. */
  readonly #undo: PatchOperation[] | undefined;
  readonly #limits: PatchLimits;
  readonly #growth: { left: number };
  #deepened = 0;

  constructor(document: unknown, limits: PatchLimits, undo: PatchOperation[] | undefined) {
    this.tree = new Tree(document);
    this.#undo = undo;
    this.#limits = limits;
    this.#growth = { left: limits.growth };
  }

  take(step: Step): void {
    const { at } = step;
    switch (step.op) {
      case "add":
        this.#add(at, step.value);
        break;
      case "remove": {
        const value = this.tree.remove(at);
        this.#undo?.push({ op: "add", path: at.pointer, value });
        break;
      }
      case "replace": {
        const previous = this.tree.replace(at, step.value);
        this.#overwrote(at.pointer, previous, step.value);
        break;
      }
      case "move":
        this.#move(step.from, at);
        break;
      case "copy": {
        const source = this.tree.read(step.from);
        const { depth, growth } = this.#limits;
        const flaw = inspect(source, depth - at.depth, this.#growth);
        if (flaw) throw refuse("copied value", flaw, depth, growth);
        this.tree.disown(source);
        this.#add(at, source);
        break;
      }
      case "test": {
        const found = this.tree.read(at);
        if (equal(found, step.value, Infinity)) break;
        const message = `found ${describe(found)}, expected ${describe(step.value)}`;
        throw new Refusal("test_failed", message);
      }
    }
  }

  #add(at: Location, value: unknown): void {
    const { pointer, previous } = this.tree.add(at, value);
    this.#overwrote(pointer, previous, value);
  }

  #overwrote(path: string, previous: unknown, value: unknown): void {
    if (previous === undefined) this.#undo?.push({ op: "remove", path });
    else if (previous !== value) this.#undo?.push({ op: "replace", path, value: previous });
  }

  #move(from: Location, at: Location): void {
    if (from.pointer === at.pointer) {
      this.tree.read(from);
      return;
    }
    if (at.pointer.startsWith(`${from.pointer}/`)) {
      throw new Refusal("invalid_operation", `${quote(from.pointer)} cannot move into itself`);
    }
    const value = this.tree.remove(from);
    const { pointer, previous } = this.tree.add(at, value);
    this.#deepen(value, at.depth - from.depth);
    if (!this.#undo) return;
    if (previous === undefined && !from.pointer.startsWith(`${pointer}/`)) {
      this.#undo.push({ op: "move", from: pointer, path: from.pointer });
      return;
    }
    // Moving back would lose what was overwritten, or be a move into an own child.
    this.tree.disown(value);
    this.#undo.push({ op: "add", path: from.pointer, value });
    this.#overwrote(pointer, previous, value);
  }

  /**
   * Moves nest without adding anything. The depth is measured when they could have passed the
   * limit.
   */
  #deepen(value: unknown, levels: number): void {
    if (levels <= 0 || typeof value !== "object" || value === null) return;
    this.#deepened += levels;
    if (this.#deepened <= this.#limits.depth) return;
    if (deeperThan(this.tree.root, this.#limits.depth)) {
      throw new Refusal("too_large", `moves nest more than ${this.#limits.depth} levels deep`);
    }
    this.#deepened = 0;
  }
}
