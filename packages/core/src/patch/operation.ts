/**
 * The words of a JSON Patch (RFC 6902): what an operation looks like, and how much one may contain.
 */

/** One RFC 6902 operation; `path` and `from` are JSON Pointers, `value` is any JSON value. */
export type PatchOperation =
  | { readonly op: "add"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "move"; readonly from: string; readonly path: string }
  | { readonly op: "copy"; readonly from: string; readonly path: string }
  | { readonly op: "test"; readonly path: string; readonly value: unknown };

/** A JSON Patch: operations applied in order, all or none. */
export type Patch = readonly PatchOperation[];

/** What a patch may contain at most. Each limit can be `Infinity` for a patch that is trusted. */
export interface PatchLimits {
  /** Operations in one patch, 10,000 by default. */
  readonly operations: number;
  /** Levels of nesting that a pointer may reach or an operation may produce; 256 by default. */
  readonly depth: number;
  /** Values carried by the patch, in characters of JSON, roughly; 32 Mi by default. */
  readonly size: number;
  /** What `copy` may add to the document, in characters of JSON, roughly; 512 Ki by default. */
  readonly growth: number;
}

export const DEFAULT_LIMITS: PatchLimits = {
  operations: 10_000,
  depth: 256,
  size: 32 * 1024 * 1024,
  growth: 512 * 1024,
};
