// Tells two submissions with one id apart: a short hash of the update as it was sent, independent
// of the order of its keys.
//
// FNV-1a with 64 bits is enough: after a collision an actor would only be given their own earlier
// verdict again.

import { canonicalJson } from "../../json/canonical.ts";

const OFFSET = 0xcbf29ce484222325n;
const PRIME_LOW = 0x1b3;

/** In the place of the hash of what was erased: it matches every operation. */
export const ERASED_HASH = "erased";

/** `<16 hex digits>-<length>` of the canonical text. */
export function hashOperation(operation: unknown): string {
  const text = canonicalJson(operation);
  return `${fnv1a64(text)}-${text.length}`;
}

/**
 * FNV-1a over UTF-16 code units. The prime is 2^40 + 0x1b3: two 32-bit halves give the product
 * without BigInt.
 */
function fnv1a64(text: string): string {
  let high = Number(OFFSET >> 32n);
  let low = Number(OFFSET & 0xffffffffn);
  for (let index = 0; index < text.length; index++) {
    low = (low ^ text.charCodeAt(index)) >>> 0;
    const product = low * PRIME_LOW;
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
