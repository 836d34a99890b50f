// Reads since when: "in the last 10 minutes", "since an hour ago", "since yesterday".

import { countOf } from "./count.ts";

const UNITS: Readonly<Record<string, number>> = { minute: 1, min: 1, hour: 60, hr: 60, day: 1440, week: 10_080 };
const UNIT = "(minute|min|hour|hr|day|week)s?";
const SPANS: readonly RegExp[] = [
  new RegExp(
    `^(.+?),?\\s+(?:in|over|during|within|for|from|of)\\s+(?:the\\s+)?(?:last|past)\\s+(?:(an?|\\w+)\\s+)?${UNIT}$`,
    "i",
  ),
  new RegExp(`^(.+?),?\\s+since\\s+(an?|\\w+)\\s+${UNIT}(?:\\s+ago)?$`, "i"),
];
const YESTERDAY = /^(.+?),?\s+since\s+yesterday$/i;

export interface TimeSpan {
  /** What is asked, without the time. */
  readonly rest: string;
  readonly minutes: number;
}

export function timeSpanIn(text: string): TimeSpan | undefined {
  const rest = YESTERDAY.exec(text)?.[1];
  if (rest !== undefined) return { rest, minutes: 1440 };
  const [, said, count, unit = ""] = SPANS.map((span) => span.exec(text)).find((found) => found !== null) ?? [];
  const minutes = countOf(count?.toLowerCase() === "an" ? "a" : count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return said === undefined || Number.isNaN(minutes) ? undefined : { rest: said, minutes };
}
