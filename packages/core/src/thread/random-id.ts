// Random ids in every host. Browsers have `randomUUID` on secure pages only, and `getRandomValues`
// everywhere.

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/** 128 random bits as 32 hex digits. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
