// The ways between the states of a search, by their numbers, and whether one leads back to where it
// began.

export class Ways {
  /** The states that follow, one state's after another's. */
  #to = new Int32Array(1_024);
  #count = 0;
  /** Where those of each state begin. */
  #from = new Int32Array(1_024);
  #states = 0;

  /** The next ways are those of the next state. */
  begin(): void {
    if (this.#states === this.#from.length) this.#from = doubled(this.#from);
    this.#from[this.#states] = this.#count;
    this.#states += 1;
  }

  add(to: number): void {
    if (this.#count === this.#to.length) this.#to = doubled(this.#to);
    this.#to[this.#count] = to;
    this.#count += 1;
  }

  /**
   * The states of a way that leads back to its beginning, which is as near to the first state as
   * can be. Undefined: every way ends.
   */
  ring(): readonly number[] | undefined {
    const isOpen = this.#unended();
    for (const start of isOpen.keys()) {
      const before = new Map<number, number>([[start, -1]]);
      for (const state of before.keys())
        for (const after of this.#after(state)) {
          if (after === start) {
            const ring = [start];
            for (let at = state; at !== start; at = before.get(at) ?? start) ring.unshift(at);
            return [start, ...ring];
          }
          if (isOpen.has(after) && !before.has(after)) before.set(after, state);
        }
      isOpen.delete(start);
    }
    return undefined;
  }

  /** What is left when each state is removed that nothing leads to any more, ascending. */
  #unended(): Set<number> {
    const arrivals = new Int32Array(this.#states);
    for (const to of this.#to.subarray(0, this.#count)) arrivals[to] = (arrivals[to] as number) + 1;
    const isGone = new Uint8Array(this.#states);
    const ready: number[] = [];
    for (const [state, count] of arrivals.entries()) if (count === 0) ready.push(state);
    for (let state = ready.pop(); state !== undefined; state = ready.pop()) {
      isGone[state] = 1;
      for (const after of this.#after(state)) {
        const left = (arrivals[after] as number) - 1;
        arrivals[after] = left;
        if (left === 0) ready.push(after);
      }
    }
    const open = new Set<number>();
    for (const [state, gone] of isGone.entries()) if (gone === 0) open.add(state);
    return open;
  }

  #after(state: number): Int32Array {
    const end = state + 1 < this.#states ? this.#from[state + 1] : this.#count;
    return this.#to.subarray(this.#from[state], end);
  }
}

function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
