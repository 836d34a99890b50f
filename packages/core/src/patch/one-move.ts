// One move, where JSON Patch may need two.
//
//   [a, [b]]  a is to go into the list behind it: once a is gone, that list stands in its place
//             { from: "/0", path: "/0/0" } says so, and is what RFC 6902 forbids
//   [[b], a]  so both change places first,          { from: "/0", path: "/1" }
//   [[a, b]]  and a goes in from behind it.         { from: "/1", path: "/0/0" }

import type { PatchOperation } from "./operation.ts";
import { isBelow } from "./pointer.ts";

/** `path` is the place once `from` is gone, as in JSON Patch, and is not within what is moved. */
export function oneMove(from: string, path: string): PatchOperation[] {
  if (!isBelow(path, from)) return [{ op: "move", from, path }];
  const split = from.lastIndexOf("/") + 1;
  const behind = from.slice(0, split) + (Number(from.slice(split)) + 1);
  return [
    { op: "move", from, path: behind },
    { op: "move", from: behind, path },
  ];
}
