// Bugs that the search must find, each planted in the text of the step function or of the model's
// log. Each is searched for in the smallest world that can show it.

import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import * as steps from "../../src/thread/authority/step.ts";
import { ADDS, MERGES, NOTHING_WRONG } from "./configurations.ts";
import * as log from "./log.ts";
import type { Configuration, Parts } from "./world.ts";

export interface PlantedBug {
  readonly file: "step" | "log";
  readonly right: string;
  readonly wrong: string;
  readonly alsoPlanted?: { readonly right: string; readonly wrong: string };
  readonly world: Partial<Configuration>;
  /** The law that is broken. */
  readonly law: RegExp;
}

export const PLANTED: { readonly [what: string]: PlantedBug } = {
  "a head that is announced while it reads is forgotten": {
    file: "step",
    right: 'if (stage.at !== "following") return under(after, { at: "lookingUp" }, { do: "lookUp" });\n',
    wrong:
      'if (stage.at !== "following") return under(after, { at: "lookingUp" }, { do: "lookUp" });\n      if (after.announced > 0) return judgeNext({ ...after, announced: 0 });\n',
    world: {},
    law: /heard of head .* and never reads it/,
  },
  "a head that is announced while it reads for one that is not there is forgotten": {
    file: "step",
    right: "return wake({ ...loop, announced: Math.max(loop.announced, event.head) });",
    wrong:
      'return stage.at === "following" && event.head <= stage.head ? { loop, effects: [] } : wake({ ...loop, announced: Math.max(loop.announced, event.head) });',
    world: { wrongHints: 1 },
    law: /heard of head .* and never reads it/,
  },
  "a head that is announced while it is busy is forgotten": {
    file: "step",
    right: "return wake({ ...loop, announced: Math.max(loop.announced, event.head) });",
    wrong: 'return stage.at === "resting" ? wake({ ...loop, announced: event.head }) : { loop, effects: [] };',
    world: {},
    law: /heard of head .* and never reads it/,
  },
  "a hint is believed as a version, and nothing is read": {
    file: "step",
    right: "return wake({ ...loop, announced: Math.max(loop.announced, event.head) });",
    wrong: "return { loop: { ...loop, version: Math.max(loop.version, event.head) }, effects: [] };",
    world: {},
    law: /heard of head .* and never reads it/,
  },
  "a head that could not be read is never tried again": {
    file: "step",
    right: 'return also({ do: "retryLater" }, judgeNext(',
    wrong: "return (judgeNext)((",
    world: { failures: 1 },
    law: /heard of head .* and never reads it/,
  },
  "an append is not fenced by the version": {
    file: "log",
    right: 'if (head !== version) return { log, answer: { status: "stale", version: head } };',
    wrong: "",
    world: {},
    law: /The log has version 1 where 2 belongs/,
  },
  "a submission is acknowledged before its append has ended": {
    file: "step",
    right: 'return under(loop, { at: "appending" }, { do: "append" });',
    wrong: 'return also({ do: "publish" }, under(loop, { at: "appending" }, { do: "append" }));',
    world: {},
    law: /got accepted, and the log does not have it/,
  },
  "what the log refused is acknowledged by an authority that was paused": {
    file: "step",
    right: 'return under(loop, { at: "catchingUp" }, { do: "read", head: event.head });',
    wrong: 'return under(loop, { at: "publishing" }, { do: "publish" });',
    world: { pauses: 1 },
    law: /got accepted, and the log does not have it|shows what the log does not have/,
  },
  "a receipt is not looked up before a submission is judged again": {
    file: "step",
    right: 'return under(after, { at: "lookingUp" }, { do: "lookUp" });',
    wrong: "return judge(after, true);",
    world: { pauses: 1 },
    law: /Something is under way for ever/,
  },
  "a receipt is neither looked up nor checked by the log": {
    file: "log",
    right: 'if (isKnown) return { log, answer: { status: "duplicate" } };',
    wrong: "",
    world: { repeats: 1 },
    law: /has two effects/,
  },
  "receipts are stored after the commits, so that a crash in between runs the repeat again": {
    file: "log",
    right: "return { log: { commits, receipts }, answer",
    wrong: "return { log: { commits, receipts: log.receipts }, answer",
    alsoPlanted: {
      right: "  return log;\n}",
      wrong: "  return { ...log, receipts: [...log.receipts, ..._call.entries.map(({ receipt }) => receipt)] };\n}",
    },
    world: { crashes: 1, operations: ADDS.slice(0, 1) },
    law: /has two effects/,
  },
  "what is refused for now is so by a state that is old": {
    file: "step",
    right: 'if (event.isRefusedForNow && !isKnown) return under(loop, { at: "catchingUp" }, { do: "read" });',
    wrong: "",
    world: { operations: [...ADDS.slice(0, 1), { id: "b", writer: 2, kind: "add", expectedVersion: 1 }] },
    law: /is refused for version 0, and was sent at version 1/,
  },
  "what the log did not take at once is forgotten": {
    file: "step",
    right: "waiting: loop.waiting + event.left });",
    wrong: "waiting: loop.waiting });",
    world: { mostEntries: 1, operations: ["a", "b", "c"].map((id) => ({ id, writer: 1, kind: "add" })) },
    law: /waits for ever/,
  },
  "what was submitted meanwhile is forgotten when something is set aside": {
    file: "step",
    right: 'case "setAside":\n      return readNext(loop);',
    wrong: 'case "setAside":\n      return { loop: { ...loop, stage: { at: "resting" }, waiting: 0 }, effects: [] };',
    world: {
      isPaced: true,
      operations: [
        { id: "a", writer: 1, kind: "long" },
        { id: "b", writer: 2, kind: "add" },
      ],
    },
    law: /waits for ever/,
  },
  "what waits for a log that hangs is not rejected with it": {
    file: "step",
    right: 'return also({ do: "rejectWaiting", error: event.error }, step(',
    wrong: "return (step(",
    world: { failures: 1 },
    law: /waits for ever/,
  },
  "a merge is looked up by its effect alone": {
    file: "log",
    right: "return log.receipts.filter(({ id }) => ids.includes(id));",
    wrong: 'return log.receipts.filter(({ id }) => ids.includes(id) && (id === "m" || !ids.includes("m")));',
    world: { operations: MERGES, pauses: 1 },
    law: /Something is under way for ever/,
  },
};

const TEXTS = {
  step: new URL("../../src/thread/authority/step.ts", import.meta.url),
  log: new URL("log.ts", import.meta.url),
};

export function worldOf({ world }: PlantedBug): Configuration {
  return { ...NOTHING_WRONG, operations: ADDS, ...world };
}

/** The step function and the log, one of them with the bug. */
export async function withBug(bug: PlantedBug): Promise<Parts> {
  const text = await readFile(TEXTS[bug.file], "utf8");
  const { file, right, wrong, alsoPlanted } = bug;
  const once = replaced(text, right, wrong);
  const planted = alsoPlanted === undefined ? once : replaced(once, alsoPlanted.right, alsoPlanted.wrong);
  const module: unknown = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(planted))}`
  );
  return file === "step" ? { steps: module as typeof steps, log } : { steps, log: module as typeof log };
}

function replaced(text: string, right: string, wrong: string): string {
  if (text.split(right).length !== 2) throw new Error(`The text that a bug is planted in is not there once: ${right}`);
  return text.replace(right, () => wrong);
}
