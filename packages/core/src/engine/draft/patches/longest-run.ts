// The longest ascending run in a list of numbers (patience sorting).

/** The positions, back to front, from `start` up to `end`; negative numbers are passed over. */
export function inOrder(numbers: Int32Array, start: number, end: number): number[] {
  /** For each length of run, the position of the one with the lowest end. */
  const ends: number[] = [];
  const previous = new Map<number, number>();
  for (let i = start; i < end; i++) {
    const number = numbers[i] as number;
    if (number < 0) continue;
    let low = 0;
    let high = ends.length;
    // Most are in order already: try the end before searching.
    if (high > 0 && (numbers[ends[high - 1] as number] as number) < number) low = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous.set(i, ends[low - 1] as number);
    ends[low] = i;
  }
  const run: number[] = [];
  for (let i = ends.at(-1); i !== undefined; i = previous.get(i)) run.push(i);
  return run;
}
