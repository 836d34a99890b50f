// Which snapshots of a thread can be dropped, so that a long thread keeps few and the way to any
// version stays short.
//
// Invariant: between two snapshots that became neighbours because others were dropped lies at most
// a quarter of what was done since the newer of them.

const SHARE = 4;

/**
 * Of the versions that a log has snapshots of, those that it may drop: never the newest, nor the
 * oldest. Some 60 stay of a million commits, and the state of a version is read from at most a
 * quarter as many commits as came after it (or from as many as lie between two snapshots anyway).
 * Versions ascend, and each is given once.
 *
 * @example
 * ```ts
 * import { spareSnapshots } from "@opstate/core/log";
 *
 * spareSnapshots([0, 500, 1_000, 1_500, 2_000, 5_500]); // [1000]
 * ```
 */
export function spareSnapshots(versions: readonly number[]): readonly number[] {
  const newest = versions.at(-1) ?? 0;
  const spare: number[] = [];
  let kept = versions.length - 1;
  for (let index = kept - 1; index > 0; index--) {
    const [older = 0, version = 0, newer = 0] = [versions[index - 1], versions[index], versions[kept]];
    if ((newer - older) * SHARE <= newest - newer) spare.push(version);
    else kept = index;
  }
  return spare;
}
