// The name that somebody probably meant.

import { spelled } from "./resolve.ts";

/** The candidate that is nearest to `name`, or undefined when none is near enough to be taken without asking. */
export function nearest<Candidate>(
  name: string,
  candidates: readonly Candidate[],
  nameOf: (candidate: Candidate) => string,
): Candidate | undefined {
  const wanted = spelled(name);
  let best: Candidate | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = difference(wanted, spelled(nameOf(candidate)));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return least <= Math.max(1, Math.floor(wanted.length / 3)) ? best : undefined;
}

function difference(a: string, b: string): number {
  // "Prog" is near to "In Progress".
  if (a.length >= 3 && b.includes(a)) return 1;
  return editDistance(a, b);
}

/** How many letters must be added, removed, replaced or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), swapped));
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}
