// Makes a list of steps that fails as short as it can be.

/** Leaves out smaller and smaller pieces while the rest still fails. */
export async function shrink<Step>(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let left = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1;) {
    const before = left.length;
    for (let start = 0; start < left.length;) {
      const fewer = left.toSpliced(start, size);
      if (await fails(fewer)) left = fewer;
      else start += size;
    }
    if (left.length === before && size === 1) break;
    size = Math.max(1, size >> 1);
  }
  return left;
}
