// Freezing shows a mistaken write at once, but makes arrays slow to read: so in development only,
// unless told.

/** Whether a reducer freezes what it makes. */
export type Freeze = "development" | boolean;

export function freezes(freeze: Freeze = "development"): boolean {
  return freeze === "development" ? inDevelopment() : freeze;
}

/**
 * Freezes a JSON value and all below it that is not frozen yet: what is frozen was frozen with all
 * below it.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}

function inDevelopment(): boolean {
  return typeof process !== "undefined" && process.env.NODE_ENV !== "production";
}

// Bundlers replace the expression above; nothing else of Node is used here.
declare const process: { readonly env: { readonly NODE_ENV?: string } };
