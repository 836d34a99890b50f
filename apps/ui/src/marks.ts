// The mark of an actor, as a shape on a 10 by 10 grid: a person is a circle, an agent a diamond, a
// webhook a square, the system a ring. An undo is an arrow. `elements.css` has the colours, by
// `data-kind`.

export const MARKS = {
  user: "M9.500 5a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0z",
  agent: "M5 0l5 5-5 5-5-5z",
  webhook: "M1.750.750h6.500a1 1 0 0 1 1 1v6.500a1 1 0 0 1-1 1h-6.500a1 1 0 0 1-1-1v-6.500a1 1 0 0 1 1-1z",
  undo: "M4.500.500v2.700c3.300 0 5 1.900 5 5.800-1-1.900-2.500-2.800-5-2.800v2.700L.300 4.700z",
  system: "M9.500 5a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0zM7.500 5a2.500 2.500 0 1 0-5 0 2.500 2.500 0 0 0 5 0z",
} as const;

export type MarkKind = keyof typeof MARKS;

/** Kinds without a shape of their own get the system's. */
export const markKind = (kind: string): MarkKind => (Object.hasOwn(MARKS, kind) ? (kind as MarkKind) : "system");
