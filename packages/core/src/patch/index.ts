/** JSON Patch for states: strict, immutable, invertible. Public as "@opstate/core/json-patch". */
export { applyPatch } from "./apply.ts";
export { diff } from "./diff.ts";
export type { Patch, PatchLimits, PatchOperation } from "./operation.ts";
export { formatPointer, parsePointer } from "./pointer.ts";
export type { PatchError } from "./refusal.ts";
