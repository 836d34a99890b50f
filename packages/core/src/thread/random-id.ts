// Random ids in every host. Browsers have `randomUUID` on secure pages only, and `getRandomValues`
// everywhere. A file of its own: a page loads it without the rules of ids.

declare const crypto: { getRandomValues(words: Uint32Array): Uint32Array };

/** 128 random bits as 32 hex digits. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16).padStart(8, "0")).join("");
}
