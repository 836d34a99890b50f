// How often each interesting case must be met in every 300 histories, so that a judge that never
// has anything to judge is noticed.

const AT_LEAST: Readonly<Record<string, number>> = {
  "decided: recorded": 50,
  "decided: anew": 5,
  "decided: carried": 5,
  "decided: dependent": 5,
  "decided: satisfied": 2,
  "named: dependent": 10,
  "known (accepted)": 60,
  "known (refused)": 10,
  "undo accepted: refuse": 60,
  "undo accepted: drop": 30,
  "undo accepted: keep": 15,
  "undo accepted: refuse, of an undo": 5,
  "undo refused: dependents": 15,
  "redone at once": 30,
  merged: 10,
  "merge refused: conflict": 3,
  "approve: accepted": 5,
  "approve: changed": 1,
  "decline: accepted": 3,
  "offline edit accepted": 50,
  "offline edit refused: conflict": 3,
  "came back with edits": 50,
  "placed by code of then": 2,
  code: 30,
  restart: 20,
  resend: 20,
};

/** The cases that were met too rarely. */
export function rare(counts: ReadonlyMap<string, number>, histories: number): string[] {
  return Object.entries(AT_LEAST).flatMap(([what, least]) => {
    const wanted = Math.floor((least * histories) / 300);
    const times = counts.get(what) ?? 0;
    return times < wanted ? [`${what}: ${times} times, not ${wanted}`] : [];
  });
}

export function report(counts: ReadonlyMap<string, number>): string {
  const lines = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([what, times]) => `${String(times).padStart(9)}  ${what}`).join("\n");
}
