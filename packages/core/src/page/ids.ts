// Ids of what an operation creates: the very ones that the authority makes from the same submission
// (`engine/source.ts`, `engine/hash.ts`), in little code. An id that differed would be seen to
// change.

import { canonicalJson } from "../json/canonical.ts";
import type { RunContext } from "../engine/source.ts";

/** `content`: what ids are made from where there is no submission. */
export function minting({ source, onId }: RunContext, part: number | undefined, content: () => unknown) {
  let drawn = 0;
  let seed: string | undefined;
  return (prefix = "", key?: string): string => {
    const which = key === undefined ? drawn++ : `key:${key}`;
    const { actor, id, branch } = source ?? {};
    // What is undefined is written as null.
    seed ??= canonicalJson(id === undefined ? content() : [actor && [actor.kind, actor.id], id, branch]);
    const made = prefix + shortHash(canonicalJson([seed, part, which]));
    onId?.(made);
    return made;
  };
}

const PRIMES: number[] = [];
for (let candidate = 2; PRIMES.length < 64; candidate++)
  if (PRIMES.every((prime) => candidate % prime !== 0)) PRIMES.push(candidate);

const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0;
const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));
const mix = (word: number, a: number, b: number, rest: number) => rotate(word, a) ^ rotate(word, b) ^ rest;

const ROUNDS = PRIMES.map((prime) => fraction(prime ** (1 / 3)));

/**
 * For the digits i to v of base 32: letters without those that are read for others (i, l, o, u).
 */
const LETTERS = "jkmnpqrstvwxyz";

/** The first 50 bits of SHA-256 over the UTF-16 code units, as ten letters and digits. */
export function shortHash(text: string): string {
  const { length } = text;
  const words: number[] = [];
  // The mark of the end is one more code unit.
  for (let i = 0; i <= length; i++) words[i >> 1]! |= (i < length ? text.charCodeAt(i) : 0x8000) << (i & 1 ? 0 : 16);
  const last = ((length + 36) >>> 5) * 16 - 1;
  words[last] = length << 4;
  let hash = PRIMES.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
  for (let block = 0; block < last; block += 16) {
    const w: number[] = [];
    let state = hash;
    for (let i = 0; i < 64; i++) {
      const x = w[i - 15]!;
      const y = w[i - 2]!;
      w[i] =
        i < 16
          ? words[block + i]! | 0
          : (w[i - 16]! + w[i - 7]! + mix(x, 7, 18, x >>> 3) + mix(y, 17, 19, y >>> 10)) | 0;
      const [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
      const first = h + mix(e, 6, 11, rotate(e, 25)) + (g ^ (e & (f ^ g))) + ROUNDS[i]! + w[i]!;
      const second = mix(a, 2, 13, rotate(a, 22)) + ((a & b) | (c & (a | b)));
      state = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    hash = hash.map((word, index) => (word + state[index]!) | 0);
  }
  const bits = (hash[0]! >>> 0) * 2 ** 18 + (hash[1]! >>> 14);
  return bits
    .toString(32)
    .padStart(10, "0")
    .replace(/[i-v]/g, (digit) => LETTERS[parseInt(digit, 32) - 18]!);
}
