// What waits to be sent lives in the page only: leaving asks first.

/** From now on leaving asks; the function it gives back ends that. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  return () => window.removeEventListener("beforeunload", ask);
}
