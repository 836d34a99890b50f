// Freezing shows a mistaken write at once, but makes arrays slow to read: so in development only,
// unless an option says so.

/** Whether a reducer freezes what it makes. */
export type Freeze = "development" | boolean;

export function freezes(freeze: Freeze = "development"): boolean {
  return freeze === "development" ? inDevelopment() : freeze;
}

function inDevelopment(): boolean {
  return typeof process !== "undefined" && process.env.NODE_ENV !== "production";
}

// Bundlers replace the expression above; nothing else of Node is used here.
declare const process: { readonly env: { readonly NODE_ENV?: string } };
