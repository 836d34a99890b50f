// The list of a thread's runs, oldest first, in pages: a run's request may be as large as a body.
//
//   this server   1 2     5 6 7 ...        all that it has
//   another         2 3 4   |              a page, after which there is more
//                           v
//   the page      1 2 3 4                  what comes later may have others in between
//
// Invariants:
// - A run is listed once: what is stored is listed by more than one server.
// - No run is left out between two pages.

import type { RunInfo } from "../runs/run-record.ts";

/** `messages` is left out when they are not asked for. */
export type ListedRun = Omit<RunInfo, "messages"> & Partial<Pick<RunInfo, "messages">>;

export interface RunsPage {
  readonly infos: readonly ListedRun[];
  /** There is more after it. */
  readonly isPart: boolean;
}

/** The runs after that place, and whether there are more after them. */
export function runsAfter(after: string, here: readonly ListedRun[], others: readonly RunsPage[]): RunsPage {
  const byPlace = new Map([...others.flatMap(({ infos }) => infos), ...here].map((info) => [placeOf(info), info]));
  const ends = others.flatMap(({ infos, isPart }) => (isPart ? infos.slice(-1) : [])).map(placeOf);
  const [end] = ends.toSorted(inOrder);
  const places = [...byPlace.keys()].filter((place) => place > after && (end === undefined || place <= end));
  const infos = places.toSorted(inOrder).flatMap((place) => byPlace.get(place) ?? []);
  return { infos, isPart: end !== undefined };
}

/** Where a run is in the list: the `after` of what follows it. */
export function placeOf({ startedAt, runId }: ListedRun): string {
  return `${startedAt} ${runId}`;
}

/** Whether a run may have that place. */
export function isPlace(after: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /u.test(after);
}

function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
