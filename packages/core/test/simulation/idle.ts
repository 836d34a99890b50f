/**
 * Resolves when nothing can go on by itself: a tick comes after every promise that is settled, and
 * after those that follow from it.
 */
export function idle(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
