// Corrects misspelt names.

/** The candidate nearest to `name`; undefined if none is near enough. */
export function nearest<Candidate>(
  name: string,
  candidates: readonly Candidate[],
  nameOf: (candidate: Candidate) => string,
): Candidate | undefined {
  const wanted = spelled(name);
  let best: Candidate | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = difference(wanted, nameOf(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return least <= (wanted.length < 8 ? 1 : 2) ? best : undefined;
}

/** "Prog" is near to "In Progress", but "view" is no "Review", and "gone" is not "Done". */
function difference(wanted: string, name: string): number {
  const isBeginning =
    wanted.length >= 3 && name.split(/[^\p{L}\p{N}]+/u).some((word) => spelled(word).startsWith(wanted));
  if (isBeginning) return 1;
  const plain = spelled(name);
  return wanted.length < 5 && wanted[0] !== plain[0] ? Infinity : editDistance(wanted, plain);
}

/** How many letters must be added, removed, replaced or swapped with their neighbour. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          swapped,
        ),
      );
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? 0;
}

/** A name without case, spaces and dashes, for comparison. */
export const spelled = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
