// Where a fork's units lie: its own in itself, those before it in the streams that it comes from.
//
//   a   0 ───────────── 9        fork c of b at 7, b of a at 4:
//   b          4 ───── 8         c.inherited = [{ a, until 4 }, { b, until 7 }]
//   c                7 ── 9      from 2:  a 2-4, b 4-7, c 7-9
//
// Invariant: no list names a stream that gives nothing, so reading costs what it gives.

export interface Inherited<Key> {
  readonly key: Key;
  /** Its units end here, and begin where those of the entry before end. */
  readonly until: number;
}

/** How many streams one stream can have units of. */
export const FORK_DEPTH = 32;

interface Holder<Key> {
  readonly key: Key;
  readonly inherited: readonly Inherited<Key>[];
}

/** What a fork that leaves `source` at `start` inherits. */
export function inheritedBy<Key>(source: Holder<Key>, start: number): readonly Inherited<Key>[] {
  if (start === 0) return [];
  const before = source.inherited.filter(({ until }) => until < start);
  const covering = source.inherited[before.length];
  return [...before, { key: covering?.key ?? source.key, until: start }];
}

/** The streams that hold what lies between two positions, in order. */
export function segmentsOf<Key>(
  { key, inherited }: Holder<Key>,
  from: number,
  until: number,
): readonly { readonly key: Key; readonly from: number; readonly until: number }[] {
  const all = [...inherited, { key, until: Infinity }];
  let begins = 0;
  return all.flatMap((segment) => {
    const part = { key: segment.key, from: Math.max(begins, from), until: Math.min(segment.until, until) };
    begins = segment.until;
    return part.from < part.until ? [part] : [];
  });
}
