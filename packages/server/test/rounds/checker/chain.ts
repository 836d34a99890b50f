// What the chain does, as the checker understands it: the state under test, which shows by its
// digest the ids of all its commits in their order.

import type { Chain } from "./records.ts";

export const EMPTY: Chain = { length: 0, last: "", digest: "0" };

export function linked({ length, digest }: Chain, id: string): Chain {
  return { length: length + 1, last: id, digest: fnv1a(`${digest} ${id}`) };
}

/** The chain at each version from 0 on. */
export function chainsOf(ids: readonly string[]): readonly Chain[] {
  const chains = [EMPTY];
  for (const id of ids) chains.push(linked(chains.at(-1) ?? EMPTY, id));
  return chains;
}

/** Whether a chain of this length refuses the link. */
export function isRefused(length: number, unless: number): boolean {
  return length % 3 === unless;
}

export function isSameChain(one: Chain | undefined, other: Chain): boolean {
  return one?.length === other.length && one.last === other.last && one.digest === other.digest;
}

/** FNV-1a of 32 bits, in hex, of text in ASCII. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16);
}
