// export -> restore: the copy is equal by every read, between all kinds of logs.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, memoryLog, openThread } from "@opstate/core";
import { fullLog } from "@opstate/core/log";
import { postgresLog } from "@opstate/server/postgres";
import { sqliteLog } from "@opstate/server/sqlite";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../server/test/support/postgres.ts";
import { checkLog, exportLog, restoreLog } from "../../src/index.ts";
import { ada, everything, fill, list } from "../support/filled-log.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-round-trip-"));
const postgres = startPostgres();
const pool = new Pool(postgres?.config);
afterAll(async () => {
  await pool.end();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let opened = 0;
const kinds: Record<string, () => Log> = {
  memory: () => memoryLog(),
  sqlite: () => sqliteLog({ path: join(folder, `${(opened += 1)}.sqlite`) }),
  postgres: () => postgresLog({ pool, schema: `round_trip_${process.pid}_${(opened += 1)}`, doorbell: false }),
};
const available = Object.keys(kinds).filter((kind) => kind !== "postgres" || postgres);

function open(kind: string): Log {
  const log = kinds[kind]?.() ?? memoryLog();
  onTestFinished(() => log.close());
  return log;
}

async function textOf(lines: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const line of lines) text += line;
  return text;
}

async function* pieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

let sample = "";
let original: readonly object[];
beforeAll(async () => {
  const log = memoryLog();
  await fill(log);
  sample = await textOf(exportLog(log));
  original = await everything(log);
});

describe.each(available)("from %s", (from) => {
  it.each(available)("to %s, and equal by every read", async (to) => {
    const [source, target] = [open(from), open(to)];
    await restoreLog(fullLog(source), pieces(sample, 100_000));
    const { threads, commits } = await restoreLog(fullLog(target), exportLog(fullLog(source)));
    expect({ threads, commits }).toEqual({ threads: 5, commits: 274 });
    expect(await everything(source)).toEqual(original);
    expect(await everything(target)).toEqual(original);
    expect((await checkLog(fullLog(target))).findings).toEqual([]);
  });
});

it("a log that was filled itself is exported whole", async () => {
  for (const kind of available) {
    const log = open(kind);
    await fill(log);
    const copy = memoryLog();
    await restoreLog(copy, exportLog(fullLog(log)));
    expect(await everything(copy)).toEqual(await everything(log));
  }
});

it.each(available)(
  "a log in %s whose receipts end is exported whole, and its copy refuses what is older",
  async (kind) => {
    const log = open(kind);
    await fill(log);
    const full = fullLog(log);
    // Above its floor, and below it.
    const floors = { long: 120, compacted: 25, "compacted to its head": 2, "empty \u{1f4cb} \u0000 '\"%": 0 };
    for (const [threadId, version] of Object.entries(floors)) await full.thread(threadId).dropReceipts(version);
    const copy = open(kind);
    await restoreLog(fullLog(copy), exportLog(full));
    expect(await everything(copy)).toEqual(await everything(log));
    expect((await checkLog(fullLog(copy))).findings).toEqual([]);
    const verdicts = async (of: Log) => {
      const long = await openThread({ definition: list, log: of, threadId: "long" });
      const late = await long.dispatch({ type: "add", text: "late" }, { actor: ada, id: "late", basedOn: 100 });
      const again = await long.dispatch({ type: "add", text: "item 3" }, { actor: ada, id: "again", basedOn: 263 });
      const next = await long.dispatch({ type: "add", text: "next" }, { actor: ada, id: "next", basedOn: 263 });
      await long.close();
      return [late, again, next];
    };
    for (const of of [copy, log])
      expect(await verdicts(of)).toMatchObject([
        { accepted: false, rejection: { details: { receiptFloor: 120 } } },
        { accepted: false, rejection: { code: "refused", reason: "twice" } },
        { accepted: true, version: 264 },
      ]);
  },
);

describe("the copy", () => {
  it("gives ids that were used their verdicts, of forgotten commits too, and goes on", async () => {
    const log = open("sqlite");
    await restoreLog(fullLog(log), pieces(sample, 1_000));
    const compacted = await openThread({ definition: list, log, threadId: "compacted" });
    const send = (id: string, text: string) => compacted.dispatch({ type: "add", text }, { actor: ada, id });
    expect(await send("c 3", "item 3")).toEqual({ accepted: true, version: 4 });
    expect(await send("c 3", "another")).toMatchObject({ accepted: false, rejection: { code: "conflict" } });
    expect(await send("new", "new")).toMatchObject({ accepted: true, version: 31 });
    const long = await openThread({ definition: list, log, threadId: "long" });
    const [branch] = await long.branches();
    expect(branch).toMatchObject({ parent: { threadId: "long", version: 100 } });
    const [proposal] = await long.proposals();
    expect(await long.approve(proposal?.id ?? "", { actor: ada })).toMatchObject({ accepted: true });
    await compacted.close();
    await long.close();
  });

  it("is the same in pieces of any size", async () => {
    for (const size of [7, 4_096, sample.length]) {
      const log = memoryLog();
      await restoreLog(log, pieces(sample, size));
      expect(await textOf(exportLog(log))).toBe(sample);
    }
  });
});

describe("an export that is damaged", () => {
  const lines = () => sample.split("\n").slice(0, -1);
  const restore = (text: string, log = memoryLog()) => restoreLog(log, pieces(text, 10_000));

  it("cut off anywhere, is refused", async () => {
    const all = lines();
    for (const kept of [0, 1, 2, 5, 100, all.length - 2, all.length - 1])
      await expect(restore(`${all.slice(0, kept).join("\n")}\n`), String(kept)).rejects.toMatchObject({
        code: "corrupt_log",
      });
    await expect(restore(sample.slice(0, sample.length / 2))).rejects.toMatchObject({ code: "corrupt_log" });
  });

  it("with a line that is gone, is refused", async () => {
    const all = lines();
    for (const kind of ["opstate", "thread", "start", "entry", "threadEnd", "end"]) {
      const at = all.findIndex((line) => line.startsWith(`{"${kind}"`));
      await expect(restore(all.toSpliced(at, 1).join("\n")), kind).rejects.toMatchObject({ code: "corrupt_log" });
    }
  });

  it("of a later format or of another kind, is refused with words", async () => {
    await expect(restore('{"opstate":{"format":2}}\n')).rejects.toThrow(
      "Line 1 of the export says format 2; this release reads format 1. Use the one that wrote it.",
    );
    await expect(restore('{"name":"other"}\n')).rejects.toThrow("is not the beginning of an export");
    await expect(restore("hello\n")).rejects.toThrow("Line 1 of the export is not JSON");
  });

  it("is not put over a thread that is there", async () => {
    const log = memoryLog();
    await (await openThread({ definition: list, log, threadId: "long" })).close();
    await expect(restore(sample, log)).rejects.toThrow(
      'Thread "long" is in this log already. Restore into an empty log.',
    );
    expect((await log.info("long"))?.version).toBe(0);
  });
});

describe("while it is written to", () => {
  it("an export has each submission or not, and leaves out what is deleted", async () => {
    const log = memoryLog();
    await fill(log);
    const long = await openThread({ definition: list, log, threadId: "long" });
    const acknowledged: number[] = [];
    const lines: string[] = [];
    let number = 0;
    for await (const line of exportLog(log)) {
      lines.push(line);
      number += 1;
      if (number % 20 === 0) {
        const verdict = await long.dispatch({ type: "add", text: `late ${number}` }, { actor: ada });
        acknowledged.push(verdict.version);
      }
      if (line.startsWith('{"start"') && lines.at(-2)?.includes('"compacted"')) await log.delete("compacted");
    }
    await long.close();
    const copy = memoryLog();
    await restoreLog(copy, pieces(lines.join(""), 5_000));
    expect(await copy.info("compacted")).toBeUndefined();
    expect((await checkLog(copy)).findings.filter(({ kind }) => kind === "damage")).toEqual([]);
    const head = (await copy.info("long"))?.version ?? 0;
    expect(acknowledged.length).toBeGreaterThan(5);
    expect(await copy.read("long", {})).toEqual(await log.read("long", { before: head + 1 }));
  });

  it("a thread that is compacted meanwhile fails it, with what to do", async () => {
    const log = memoryLog();
    await fill(log);
    const long = await openThread({ definition: list, log, threadId: "long" });
    await long.compact({ keep: 100 }).catch(() => 0);
    const exporting = (async () => {
      for await (const line of exportLog(log))
        if (line.startsWith('{"entry"'))
          await log.compact("long", { ...(await log.load("long"))!.snapshot, version: 200 });
    })();
    await expect(exporting).rejects.toThrow("was compacted while it was exported. Export a backup of the log");
    await long.close();
  });
});
