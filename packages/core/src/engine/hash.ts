// SHA-256 of a text, synchronous: WebCrypto's is not, and a reducer does not wait. What is hashed
// are the UTF-16 code units, two bytes each, so that every text has a hash.
//
// It must be cryptographic: senders choose the ids that it is made from, and could look for two
// that give one hash.

/** The first 8 words of the square roots' and the 64 of the cube roots' fractions (FIPS 180-4). */
const [INITIAL, ROUNDS] = constants();

/** The hash as eight 32-bit words. */
export function sha256(text: string): Uint32Array {
  const { length } = text;
  const words = paddedWords(length * 2);
  for (let i = 0; i < length; i++) words[i >> 1]! |= text.charCodeAt(i) << (i & 1 ? 0 : 16);
  return hashOf(words);
}

/** The hash of bytes as hexadecimal text, as other programs give it. */
export function sha256Hex(bytes: Uint8Array): string {
  const words = paddedWords(bytes.length);
  for (let i = 0; i < bytes.length; i++) words[i >> 2]! |= bytes[i]! << (24 - (i & 3) * 8);
  return [...hashOf(words)].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Room for so many bytes, with what follows them: one bit, zeros, and their count in bits. */
function paddedWords(bytes: number): Uint32Array {
  const words = new Uint32Array((((bytes + 8) >>> 6) + 1) * 16);
  words[bytes >> 2]! |= 0x80 << (24 - (bytes & 3) * 8);
  words[words.length - 2] = Math.floor(bytes / 0x2000_0000);
  words[words.length - 1] = bytes << 3;
  return words;
}

function hashOf(words: Uint32Array): Uint32Array {
  const hash = INITIAL.slice();
  for (let block = 0; block < words.length; block += 16) addBlock(hash, words, block);
  return hash;
}

/** The words of one block, extended. Every call overwrites all of it. */
const w = new Int32Array(64);

/** Large contents are hashed, so variables are assigned one by one: that is ten times faster. */
function addBlock(hash: Uint32Array, words: Uint32Array, block: number): void {
  for (let i = 0; i < 16; i++) w[i] = words[block + i]!;
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const small = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    w[i] = w[i - 16]! + w[i - 7]! + small + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
  }
  let a = hash[0]! | 0;
  let b = hash[1]! | 0;
  let c = hash[2]! | 0;
  let d = hash[3]! | 0;
  let e = hash[4]! | 0;
  let f = hash[5]! | 0;
  let g = hash[6]! | 0;
  let h = hash[7]! | 0;
  for (let i = 0; i < 64; i++) {
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i]! + w[i]!) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  hash[0]! += a;
  hash[1]! += b;
  hash[2]! += c;
  hash[3]! += d;
  hash[4]! += e;
  hash[5]! += f;
  hash[6]! += g;
  hash[7]! += h;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function constants(): readonly [Uint32Array, Int32Array] {
  const initial: number[] = [];
  const rounds: number[] = [];
  for (let candidate = 2; rounds.length < 64; candidate++) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor++) if (candidate % factor === 0) isPrime = false;
    if (!isPrime) continue;
    if (initial.length < 8) initial.push(fraction(Math.sqrt(candidate)));
    rounds.push(fraction(Math.cbrt(candidate)));
  }
  return [Uint32Array.from(initial), Int32Array.from(rounds, (word) => word | 0)];
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 0x1_0000_0000);
}

/** Digits and small letters without those that are read for others: i, l, o, u. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

/** The first 50 bits of a text's hash: ten letters that can be read aloud. */
export function shortHash(text: string): string {
  const [first = 0, second = 0] = sha256(text);
  let letters = "";
  for (let bit = 0; bit < 50; bit += 5) {
    const high = bit < 32 ? (first << bit) >>> 0 : second << (bit - 32);
    const low = bit > 0 && bit < 32 ? second >>> (32 - bit) : 0;
    letters += LETTERS[(high | low) >>> 27];
  }
  return letters;
}
