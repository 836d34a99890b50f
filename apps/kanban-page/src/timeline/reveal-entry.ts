// Scrolls to a timeline entry and focuses it.

export function revealEntry(timeline: HTMLElement, version: number): void {
  const entry = timeline.querySelector<HTMLElement>(`[data-entry-version="${version}"][data-accepted="true"]`);
  entry?.scrollIntoView({ block: "center" });
  entry?.focus({ preventScroll: true });
}
