// "Write a log adapter": the adapter as printed under the contract as printed, and what a contract
// cannot see: the end of the process in the middle of its work, half a line, and a disk that
// refuses.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineState, type Log, openThread } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { startProgram } from "../support/program.ts";

const folder = writeGuide("log-adapters");
const { jsonLinesLog }: { jsonLinesLog: (path: string) => Promise<Log> } = await import(
  join(folder, "json-lines-log.ts")
);
// Its cases become tests here.
await import(join(folder, "contract.test.ts"));

const counter = defineState({
  name: "counter",
  schema: z.object({ count: z.int() }),
  initial: { count: 0 },
  operations: {
    add: {
      input: z.object({ by: z.int() }),
      apply(draft, { by }) {
        draft.count += by;
      },
    },
  },
});
const actor = { kind: "user", id: "ada" };

function newPath(): string {
  const directory = mkdtempSync(join(tmpdir(), "opstate-lines-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, "threads.jsonl");
}

async function open(path: string) {
  const log = await jsonLinesLog(path);
  return { log, thread: await openThread({ definition: counter, log, threadId: "t" }) };
}

/** What flushes a file. */
async function disk(path: string) {
  const probe = await openFile(path);
  await probe.close();
  onTestFinished(() => void vi.restoreAllMocks());
  return vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, "datasync");
}

describe("a file of JSON lines", () => {
  it("installs what its code imports", () =>
    expect(guideInstalls("log-adapters")).toEqual(expect.arrayContaining([...guideImports("log-adapters")])));

  it("keeps a thread over a restart: its state, its ids, its incarnation", async () => {
    const path = newPath();
    const first = await open(path);
    await first.thread.dispatch(counter.op.add({ by: 2 }), { actor, id: "once" });
    await first.log.close();
    const { log, thread } = await open(path);
    expect(thread.incarnation).toBe(first.thread.incarnation);
    expect(await thread.dispatch(counter.op.add({ by: 2 }), { actor, id: "once" })).toMatchObject({
      accepted: true,
      version: 1,
    });
    await thread.dispatch(counter.op.add({ by: 3 }), { actor });
    expect([thread.version, thread.getState()]).toEqual([2, { count: 5 }]);
    await log.close();
  });

  it("forgets half a line, and goes on behind the last whole one", async () => {
    const path = newPath();
    const { log, thread } = await open(path);
    await thread.dispatch(counter.op.add({ by: 1 }), { actor });
    await log.close();
    const whole = readFileSync(path, "utf8");
    appendFileSync(path, whole.split("\n").at(-2)?.slice(0, -20) ?? "");
    const again = await open(path);
    expect(readFileSync(path, "utf8")).toBe(whole);
    await again.thread.dispatch(counter.op.add({ by: 1 }), { actor });
    await again.log.close();
    const last = await open(path);
    expect(last.thread.getState()).toEqual({ count: 2 });
    await last.log.close();
  });

  it("does not open when a line in the middle is damaged", async () => {
    const path = newPath();
    const { log } = await open(path);
    await log.close();
    writeFileSync(path, `damaged\n${readFileSync(path, "utf8")}`);
    await expect(jsonLinesLog(path)).rejects.toThrow(SyntaxError);
  });

  it("shows a write to no one before the disk has it", async () => {
    const path = newPath();
    const { log, thread } = await open(path);
    let flush = () => {};
    const flushed = new Promise<void>((resolve) => (flush = resolve));
    const called = (await disk(path)).mockReturnValueOnce(flushed);
    const verdict = thread.dispatch(counter.op.add({ by: 1 }), { actor });
    await vi.waitUntil(() => called.mock.calls.length > 0);
    expect(await Promise.race([verdict, new Promise((resolve) => setImmediate(resolve, "waits"))])).toBe("waits");
    expect(await log.info("t")).toMatchObject({ version: 0 });
    flush();
    expect(await verdict).toMatchObject({ accepted: true, version: 1 });
    await log.close();
  });

  it("writes nothing any more when the disk has failed once, and is whole when it is opened again", async () => {
    const path = newPath();
    const { log, thread } = await open(path);
    (await disk(path)).mockRejectedValueOnce(new Error("The disk is broken."));
    const add = () => thread.dispatch(counter.op.add({ by: 1 }), { actor, id: "once" });
    await expect(add()).rejects.toThrow("The disk is broken.");
    await expect(add()).rejects.toThrow("The disk is broken.");
    expect(await log.info("t")).toMatchObject({ version: 0 });
    await log.close();
    const again = await open(path);
    const verdict = await again.thread.dispatch(counter.op.add({ by: 1 }), { actor, id: "once" });
    expect([verdict.version, again.thread.getState()]).toEqual([1, { count: 1 }]);
    await again.log.close();
  });

  it("has everything that was acknowledged when its process is killed", async () => {
    const path = newPath();
    writeFileSync(
      join(folder, "writer.ts"),
      `import { jsonLinesLog } from "./json-lines-log.ts";
      const log = await jsonLinesLog(${JSON.stringify(path)});
      await log.create({ threadId: "t", definition: "counter", definitionVersion: 1, state: { count: 0 }, at: "2026-01-01T00:00:00.000Z" });
      const actor = { kind: "user", id: "ada" };
      for (let version = 1; ; version++) {
        const commit = { version, id: String(version), operation: { type: "add" }, actor, at: "", patches: [], inverse: [], definitionVersion: 1 };
        const receipt = { actor, id: commit.id, hash: "", outcome: { accepted: true as const, version } };
        await log.append("t", version - 1, [{ receipt, commit }]);
        process.stdout.write(\`\${version}\\n\`);
      }`,
    );
    const writer = startProgram(folder, "writer.ts");
    await writer.printed(/^50$/m);
    await writer.stop();
    const acknowledged = Number(writer.output().trim().split("\n").at(-1));
    const log = await jsonLinesLog(path);
    expect((await log.info("t"))?.version).toBeGreaterThanOrEqual(acknowledged);
    await log.close();
  });
});
