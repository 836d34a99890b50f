// Brings the entry that somebody jumped to into sight, and the focus to it.

export function revealEntry(timeline: HTMLElement, version: number): void {
  const entry = timeline.querySelector<HTMLElement>(`[data-entry-version="${version}"][data-accepted="true"]`);
  entry?.scrollIntoView({ block: "center" });
  entry?.focus({ preventScroll: true });
}
