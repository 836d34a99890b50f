// The states of a search: four numbers each, in the order in which they were found, with the state
// that each was found from. Plain memory, so that millions fit.

const COLUMNS = 5;
const PARENT = 4;

export class StateTable {
  #rows = new Int32Array(COLUMNS * 1_024);
  /** Indices of rows plus one, by the hash of their numbers; 0: free. */
  #slots = new Int32Array(4_096);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The row of the state, which is added when it is not there. */
  add(a: number, b: number, c: number, d: number, parent: number): number {
    let slot = hash(a, b, c, d) & (this.#slots.length - 1);
    for (;;) {
      const index = (this.#slots[slot] as number) - 1;
      if (index < 0) break;
      const row = COLUMNS * index;
      const rows = this.#rows;
      if (rows[row] === a && rows[row + 1] === b && rows[row + 2] === c && rows[row + 3] === d) return index;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    const index = this.#size;
    this.#size += 1;
    this.#slots[slot] = index + 1;
    if (COLUMNS * this.#size > this.#rows.length) {
      const rows = new Int32Array(2 * this.#rows.length);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    this.#rows.set([a, b, c, d, parent], COLUMNS * index);
    if (2 * this.#size > this.#slots.length) this.#grow();
    return index;
  }

  at(index: number): readonly [number, number, number, number] {
    const row = COLUMNS * index;
    const [a = 0, b = 0, c = 0, d = 0] = this.#rows.subarray(row, row + 4);
    return [a, b, c, d];
  }

  parent(index: number): number {
    return this.#rows[COLUMNS * index + PARENT] as number;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let index = 0; index < this.#size; index += 1) {
      let slot = hash(...this.at(index)) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
  }
}

function hash(a: number, b: number, c: number, d: number): number {
  let mixed = Math.imul(a, 0x9e3779b1);
  for (const number of [b, c, d]) mixed = Math.imul(mixed ^ (mixed >>> 15) ^ number, 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
