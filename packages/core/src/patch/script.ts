/**
 * A patch being written, with its price: characters of JSON, exact, so that `keepShorter` can
 * promise that a patch is never longer than replacing the part it changes. Pricing an alternative
 * stops as soon as it is known to be dearer, so it costs no more than the patch it is compared
 * with.
 */
import { isRecord } from "../json/container.ts";
import { DEFAULT_LIMITS, type PatchOperation } from "./operation.ts";

/** Levels of nesting that a diff looks into; below, a part is compared as a whole. */
export const LEVELS = DEFAULT_LIMITS.depth;

export class Script {
  readonly operations: PatchOperation[] = [];
  #price = 0;
  /** Prices of the containers that operations carry: an enclosing part asks for them again. */
  readonly #sizes = new Map<unknown, number>();

  /** Where the script stands now, to come back to with `keepShorter`. */
  mark(): { readonly length: number; readonly price: number } {
    return { length: this.operations.length, price: this.#price };
  }

  add(path: string, value: unknown): void {
    this.operations.push({ op: "add", path, value });
    this.#price += '{"op":"add","path":,"value":},'.length + textSize(path) + this.#carried(value);
  }

  remove(path: string): void {
    this.operations.push({ op: "remove", path });
    this.#price += '{"op":"remove","path":},'.length + textSize(path);
  }

  move(from: string, path: string): void {
    this.operations.push({ op: "move", from, path });
    this.#price += '{"op":"move","from":,"path":},'.length + textSize(from) + textSize(path);
  }

  replace(path: string, value: unknown): void {
    this.operations.push({ op: "replace", path, value });
    this.#price += REPLACE + textSize(path) + this.#carried(value);
  }

  /**
   * Puts one replacement of `path` in the place of all operations since `mark`, if that is shorter.
   */
  keepShorter(mark: { readonly length: number; readonly price: number }, path: string, value: unknown): void {
    const count = this.operations.length - mark.length;
    if (count === 0) return;
    const room = this.#price - mark.price - REPLACE - textSize(path);
    if (count <= DEFAULT_LIMITS.operations && this.#size(value, room, LEVELS) >= room) return;
    this.operations.length = mark.length;
    this.#price = mark.price;
    this.replace(path, value);
  }

  #carried(value: unknown): number {
    const size = this.#size(value, Infinity, LEVELS);
    if (typeof value === "object" && value !== null) this.#sizes.set(value, size);
    return size;
  }

  /** The length of a value's JSON. From `limit` on any number that is no less than `limit`. */
  #size(value: unknown, limit: number, levels: number): number {
    if (typeof value === "string") return textSize(value);
    if (typeof value !== "object" || value === null) return String(value).length;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    if (levels === 0) return 2;
    // The opening bracket; each child then brings its comma, the last one the closing bracket.
    let size = 1;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length && size < limit; i++) {
        size += this.#size(value[i], limit - size, levels - 1) + 1;
      }
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (size >= limit) break;
        if (value[key] === undefined) continue;
        size += textSize(key) + 1;
        size += this.#size(value[key], limit - size, levels - 1) + 1;
      }
    }
    return Math.max(size, 2);
  }
}

const REPLACE = '{"op":"replace","path":,"value":},'.length;

/**
 * The length of a string's JSON. Quotes, backslashes, control characters and surrogates may be
 * escaped.
 */
function textSize(text: string): number {
  return /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/.test(text) ? text.length + 2 : JSON.stringify(text).length;
}
