// Cursors, by which caches distinguish two live requests for one offset.
//
// Invariant: a cursor is greater than the one that the client had.

const EPOCH = Date.UTC(2024, 9, 9);
const INTERVAL = 20_000;
const MOST_JITTER = 3_600_000 / INTERVAL;

export function nextCursor(had: string | null, now = Date.now(), random = Math.random): string {
  const current = Math.floor((now - EPOCH) / INTERVAL);
  const last = had !== null && /^\d{1,15}$/.test(had) ? Number(had) : -1;
  return String(last < current ? current : last + 1 + Math.floor(random() * MOST_JITTER));
}
