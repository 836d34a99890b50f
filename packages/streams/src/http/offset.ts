// Positions as the protocol's offsets: text that sorts as they do.
//
//   0000000000000000_0000000000000042
//   reserved         position
//
// Invariant: each position has one offset, of the same length as all others.

import { Problem } from "./problem.ts";

const OFFSET = /^0{16}_(\d{16})$/;

export function offsetOf(position: number): string {
  return `${"0".repeat(16)}_${String(position).padStart(16, "0")}`;
}

/** Throws a Problem for what is not an offset. */
export function positionOf(offset: string): number {
  const position = Number(OFFSET.exec(offset)?.[1] ?? Number.NaN);
  if (Number.isSafeInteger(position)) return position;
  throw new Problem(
    "invalid_offset",
    `"${offset.slice(0, 60)}" is not an offset of this server. Pass a Stream-Next-Offset.`,
  );
}
