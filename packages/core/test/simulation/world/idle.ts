/**
 * Resolves when nothing can continue by itself: a tick comes after every resolved promise and those
 * that follow from it.
 */
export function idle(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
