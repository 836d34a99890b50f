// Which of the board's end-to-end tests do not run against the Worker, and why. All others do:
// `playwright.config.ts` reads this list for its project "edge". A test checks that each is there.

export interface LeftOut {
  /** Below `e2e`. */
  readonly file: string;
  /** Of one test; without it none of the file runs. */
  readonly title?: string;
  readonly reason: string;
}

const OF_THE_PAGE = "It is of the page alone, whichever server it has: the project `react` runs it.";
const RUNS_END = "It kills the server during a run. Runs of agents are in memory, and end with their object.";
const NEXT_CODE = "It starts the server with `node --import`, which a Worker does not have.";

export const LEFT_OUT: readonly LeftOut[] = [
  { file: "accessibility.spec.ts", reason: OF_THE_PAGE },
  { file: "accessibility-states.spec.ts", reason: OF_THE_PAGE },
  { file: "layout.spec.ts", reason: OF_THE_PAGE },
  { file: "same-page.spec.ts", reason: OF_THE_PAGE },
  { file: "big-board.spec.ts", reason: "The demo's own program makes its ten thousand cards, beside the server." },
  { file: "history/next-release.spec.ts", reason: NEXT_CODE },
  { file: "agent/survive-rounds.spec.ts", reason: RUNS_END },
  {
    file: "agent/runs-that-survive.spec.ts",
    title: "a server that is killed in the middle says how far the run came, and goes on where it was",
    reason: RUNS_END,
  },
  {
    file: "agent/runs-that-survive.spec.ts",
    title: "what a killed server did of a run is taken back, and the chat goes on",
    reason: RUNS_END,
  },
];

/** For `testIgnore`: the files of which nothing runs. */
export const LEFT_OUT_FILES: readonly string[] = LEFT_OUT.flatMap(({ file, title }) =>
  title === undefined ? [`**/e2e/${file}`] : [],
);

/** For `grepInvert`, which is compared with a test's file and title, among others. */
export const LEFT_OUT_TITLES: readonly RegExp[] = LEFT_OUT.flatMap(({ file, title }) =>
  title === undefined ? [] : [new RegExp(`${escaped(file)} .*${escaped(title)}`)],
);

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
