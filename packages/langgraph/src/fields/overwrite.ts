// LangGraph's overwrite, in both forms that its channels know. It sets a value and bypasses the
// reducer. Plain JSON can spell it.

export const OVERWRITE_IGNORED = "An overwrite would bypass the field, and is ignored";

export function isOverwrite(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "__overwrite__" in value || ("type" in value && value.type === "__overwrite__" && "value" in value);
}
