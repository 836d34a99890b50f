// The program, as a process of its own: what it writes where, and the code that it ends with. And a
// backup of a file that another process writes to.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memoryLog } from "@opstate/core";
import { fullLog } from "@opstate/core/log";
import { sqliteLog } from "@opstate/server/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgress } from "../../src/command-line/progress.ts";
import { checkLog, exportLog } from "../../src/index.ts";
import { everything, fill } from "../support/filled-log.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-command-line-"));
const at = (name: string) => join(folder, name);
const flags = ["--conditions=@opstate/source"];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opstate(args: readonly string[], input?: string) {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, "../../src/main.ts"), ...args], {
    cwd: folder,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code]: unknown[] = await once(child, "close");
  // On a busy machine it is slow enough to report its progress. The report is tested below.
  return { code, stdout, stderr: stderr.replaceAll(/.* so far\n/gu, "") };
}

let sample: readonly object[];
beforeAll(async () => {
  const log = sqliteLog({ path: at("boards.sqlite") });
  await fill(log);
  sample = await everything(log);
  await log.close();
});

async function contentOf(name: string) {
  const log = sqliteLog({ path: at(name) });
  const found = await everything(log);
  await log.close();
  return found;
}

describe("opstate log", () => {
  it("check says that nothing is wrong", async () => {
    expect(await opstate(["log", "check", "boards.sqlite"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "5 threads, 274 commits: nothing is wrong\n",
    });
  });

  it("check says what is wrong, and ends with 1", async () => {
    expect((await opstate(["log", "backup", "boards.sqlite", "damaged.sqlite"])).code).toBe(0);
    const database = new DatabaseSync(at("damaged.sqlite"));
    database.exec("DELETE FROM commits WHERE version = 77");
    database.close();
    const { code, stdout, stderr } = await opstate(["log", "check", "sqlite:damaged.sqlite"]);
    expect([code, stdout]).toEqual([1, 'damage: "long" has no version 77: version 78 follows 76\n']);
    expect(stderr).toContain("1 damage\n");
    const exported = await opstate(["log", "export", "damaged.sqlite"]);
    expect([exported.code, exported.stderr]).toEqual([
      1,
      expect.stringContaining('Thread "long" goes on with version 78 after 76. Run "opstate log check"'),
    ]);
  });

  it("check replays by the definitions of a module, and says what they do not lead to", async () => {
    const definitions = join(import.meta.dirname, "../support/filled-log.ts");
    const check = (log: string, module: string) => opstate(["log", "check", log, "--definitions", module]);
    expect(await check("boards.sqlite", definitions)).toEqual({
      code: 0,
      stdout: "",
      stderr: "5 threads, 274 commits: nothing is wrong\n",
    });
    expect((await opstate(["log", "backup", "boards.sqlite", "forged.sqlite"])).code).toBe(0);
    const database = new DatabaseSync(at("forged.sqlite"));
    const forge = "UPDATE commits SET document = replace(document, ?, ?) WHERE version = 9";
    database.prepare(forge).run('{"type":"add","text":"item 8"}', '{"type":"add","text":"forged"}');
    database.close();
    expect((await opstate(["log", "check", "forged.sqlite"])).code).toBe(0);
    expect(await check("forged.sqlite", definitions)).toEqual({
      code: 1,
      stdout:
        'difference: "long" does not lead to what is stored at version 9 (add): its operation gives another state now\n',
      stderr: "5 threads, 274 commits: 1 difference\n",
    });
    writeFileSync(at("nothing.mjs"), "export const nothing = 1;\n");
    for (const [module, words] of [
      ["nothing.mjs", "exports no definition"],
      ["nowhere.mjs", "could not be loaded"],
    ] as const)
      expect(await check("boards.sqlite", module)).toMatchObject({ code: 3, stderr: expect.stringContaining(words) });
  });

  it("export and restore carry all of it, through files and through a pipe", async () => {
    const exported = await opstate(["log", "export", "boards.sqlite", "boards.ndjson"]);
    expect(exported).toEqual({ code: 0, stdout: "", stderr: "exported 5 threads, 274 commits\n" });
    const restored = await opstate(["log", "restore", "copy.sqlite", "boards.ndjson"]);
    expect(restored).toEqual({ code: 0, stdout: "", stderr: "restored 5 threads, 274 commits\n" });
    expect(await contentOf("copy.sqlite")).toEqual(sample);

    const piped = await opstate(["log", "export", "copy.sqlite"]);
    expect(piped.stdout).toBe(readFileSync(at("boards.ndjson"), "utf8"));
    expect((await opstate(["log", "restore", "piped.sqlite"], piped.stdout)).code).toBe(0);
    expect(await contentOf("piped.sqlite")).toEqual(sample);
  });

  it("restore says where an export is damaged", async () => {
    writeFileSync(at("cut.ndjson"), readFileSync(at("boards.ndjson"), "utf8").slice(0, 10_000));
    const { code, stderr } = await opstate(["log", "restore", "cut.sqlite", "cut.ndjson"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Line \d+ of the export is not JSON/);
  });

  it("touches no file that is there", async () => {
    for (const args of [
      ["export", "boards.sqlite", "boards.ndjson"],
      ["backup", "boards.sqlite", "boards.ndjson"],
      ["restore", "boards.sqlite", "boards.ndjson"],
    ]) {
      const { code, stderr } = await opstate(["log", ...args]);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/already|EEXIST/)]);
    }
    expect(await contentOf("boards.sqlite")).toEqual(sample);
  });

  it("makes no file for a name that is mistyped", async () => {
    for (const command of ["check", "export", "backup"]) {
      const { code, stderr } = await opstate(["log", command, "bords.sqlite", ...(command === "backup" ? ["x"] : [])]);
      expect([code, stderr]).toEqual([3, expect.stringContaining('There is no file "bords.sqlite".')]);
    }
    const missing = await opstate(["log", "restore", "new.sqlite", "nothing.ndjson"]);
    expect([missing.code, existsSync(at("new.sqlite"))]).toEqual([3, false]);
    expect(existsSync(at("bords.sqlite"))).toBe(false);
  });

  it("does not copy the file of another program", async () => {
    const database = new DatabaseSync(at("other.sqlite"));
    database.exec("CREATE TABLE users (name TEXT)");
    database.close();
    expect(await opstate(["log", "backup", "other.sqlite", "copy-of-other.sqlite"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"other.sqlite" is not a SQLite log of opstate.'),
    });
    expect(existsSync(at("copy-of-other.sqlite"))).toBe(false);
  });

  it("explains itself, and what was not understood", async () => {
    expect(await opstate(["--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("opstate log check") });
    for (const [args, words] of [
      [[], "opstate log check"],
      [["lgo"], 'There is no command "lgo".'],
      [["log", "chek", "x"], 'There is no command "log chek".'],
      [["log", "check"], '"log check" needs a log.'],
      [["log", "backup", "boards.sqlite"], '"log backup" needs the name of the copy.'],
      [["log", "backup", "postgres://localhost/x", "copy"], "pg_dump"],
      [["log", "check", "a", "b"], '"log check" takes a log alone, not "b".'],
      [["log", "check", "a", "--fast"], "--fast"],
      [["log", "export", "a", "--definitions", "b.ts"], '"log export" takes no --definitions'],
    ] as const)
      expect(await opstate(args), args.join(" ")).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});

describe("a backup of a file that another process writes to", () => {
  it("is of one moment, whole, and has all that was acknowledged before", { timeout: 240_000 }, async () => {
    const path = at("live.sqlite");
    const writer = spawn(process.execPath, [...flags, join(import.meta.dirname, "../support/writer.ts"), path], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const acknowledged: { threadId: string; id: string; version: number }[] = [];
    let wake = () => {};
    writer.on("message", (message) => {
      acknowledged.push(message as (typeof acknowledged)[number]);
      wake();
    });
    const reached = async (count: number) => {
      while (acknowledged.length < count) await new Promise<void>((resolve) => (wake = resolve));
    };
    const ended = once(writer, "exit");

    for (let round = 0; round < 3; round += 1) {
      await reached(300 * (round + 1));
      const before = acknowledged.slice();
      const { code, stderr } = await opstate(["log", "backup", "live.sqlite", `live-${round}.sqlite`]);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/bytes\n$/)]);
      // It went on meanwhile.
      await reached(before.length + 12);
      const copy = sqliteLog({ path: at(`live-${round}.sqlite`) });
      expect((await checkLog(fullLog(copy))).findings).toEqual([]);
      for (const { threadId, id, version } of before.slice(-300))
        expect((await copy.receipt(threadId, { kind: "user", id: "ada" }, id))?.outcome, id).toEqual({
          accepted: true,
          version,
        });
      for (const { threadId, version } of await copy.list())
        expect(version).toBeGreaterThanOrEqual(
          Math.max(...before.filter((sent) => sent.threadId === threadId).map((sent) => sent.version)),
        );
      await copy.close();
    }
    writer.send("end");
    expect(await ended).toEqual([0, null]);
  });
});

it("progress is said at most once a second", () => {
  let time = 0;
  const said: string[] = [];
  const tell = createProgress(
    (text) => said.push(text),
    () => time,
  );
  for (time = 0; time <= 3_500; time += 100) tell({ threads: 1, commits: time });
  expect(said).toEqual([
    "1 thread, 1,000 commits so far\n",
    "1 thread, 2,000 commits so far\n",
    "1 thread, 3,000 commits so far\n",
  ]);
});

it("an export of nothing is two lines", async () => {
  const lines: string[] = [];
  for await (const line of exportLog(memoryLog())) lines.push(line);
  expect(lines).toEqual(['{"opstate":{"format":1}}\n', '{"end":{"threads":0}}\n']);
});
