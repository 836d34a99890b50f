// The long form of the tests, stage by stage:
//
//   node tools/long/test-long.ts                  all of it
//   node tools/long/test-long.ts --minutes 45     what fits into the time; the rest is named
//   node tools/long/test-long.ts --only core      one stage
//
// `seconds` is what a stage takes on two quiet cores. Together they are about 52 minutes, more than
// the 45 that they are given, so the last of them may be cut.

import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { runStages, type Stage } from "./stages.ts";

const suites = (name: string) => `pnpm --filter @opstate/${name} test:long`;

/** The projects of `playwright.config.ts` whose server is the demo's own program. */
const ON_NODE = ["react", "svelte", "debate", "demo"].map((name) => `--project=${name}`).join(" ");

const STAGES: readonly (Stage & { readonly seconds: number })[] = [
  { name: "frameworks", cores: 2, seconds: 620, command: "vitest run --root frameworks" },
  { name: "browser", cores: 2, seconds: 400, command: `playwright test ${ON_NODE}` },
  { name: "edge", cores: 2, seconds: 250, command: "playwright test --project=edge" },
  { name: "core, engine", cores: 1, seconds: 1_000, command: `${suites("core")}:engine` },
  // Beside it the shortest first: when the time is up, few are not judged.
  { name: "mcp", cores: 1, seconds: 10, command: suites("mcp") },
  { name: "svelte", cores: 1, seconds: 15, command: suites("svelte") },
  { name: "react", cores: 1, seconds: 35, command: suites("react") },
  { name: "ag-ui", cores: 1, seconds: 40, command: suites("ag-ui") },
  { name: "cloudflare", cores: 1, seconds: 40, command: suites("cloudflare") },
  // The short form: the long one judges the code, this one the older line.
  { name: "langgraph 1.4", cores: 1, seconds: 85, command: "OPSTATE_DEPTH= node tools/long/langgraph-1.4.ts" },
  { name: "streams", cores: 1, seconds: 100, command: suites("streams") },
  { name: "docs", cores: 1, seconds: 110, command: suites("docs") },
  { name: "kanban-server", cores: 1, seconds: 120, command: suites("kanban-server") },
  {
    name: "hosts",
    cores: 1,
    seconds: 130,
    command: "vitest run --root docs test/one-script/one-script.test.ts test/agents/five-agents.test.ts",
  },
  { name: "python client", cores: 1, seconds: 140, command: suites("python-client") },
  { name: "client", cores: 1, seconds: 150, command: suites("client") },
  { name: "langgraph", cores: 1, seconds: 210, command: suites("langgraph") },
  { name: "server", cores: 1, seconds: 360, command: suites("server") },
  // Some of them hang, and are found when their time is up.
  { name: "planted bugs", cores: 1, seconds: 345, command: "OPSTATE_DEPTH= node tools/long/planted-bugs.ts" },
  { name: "core", cores: 1, seconds: 900, command: suites("core") },
];

const { values } = parseArgs({ options: { minutes: { type: "string" }, only: { type: "string" } } });
const chosen = STAGES.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new RangeError(`--only is one of ${STAGES.map(({ name }) => name).join(", ")}.`);
const minutes = Number(values.minutes ?? "1440");
if (!(minutes > 0)) throw new RangeError(`--minutes is a number of minutes, such as 45, not "${values.minutes}".`);

process.env["OPSTATE_DEPTH"] = "long";
const ended = await runStages(chosen, {
  cores: 2,
  seconds: minutes * 60,
  folder: ".turbo/long",
  onEnd: ({ name, end, seconds, log }) => console.log(`${name}: ${end}, ${seconds} s (${log})`),
});

for (const { name, end, log } of ended) {
  if (end !== "failed") continue;
  console.error(`\n--- ${name} ---\n${(await readFile(log, "utf8")).slice(-20_000)}`);
}
const missed = ended.filter(({ end }) => end === "cut" || end === "left").map(({ name }) => name);
if (missed.length > 0) console.log(`Not judged, for ${minutes} minutes were up: ${missed.join(", ")}.`);
if (ended.some(({ end }) => end === "failed")) process.exitCode = 1;
