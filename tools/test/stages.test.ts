import { readFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runStages, type Stage } from "../long/stages.ts";

const HANGS = `node -e "setInterval(() => {}, 1000)"`;
const stage = (name: string, command: string, cores = 1): Stage => ({ name, command, cores });
const options = (seconds = 60) => ({ cores: 2, seconds, folder: mkdtempSync(join(tmpdir(), "stages-")) });

it("goes on after a stage that fails, and names it", async () => {
  const ended = await runStages([stage("good", "true"), stage("bad", "exit 3", 2), stage("later", "true")], options());
  expect(ended.map(({ name, end }) => [name, end])).toEqual([
    ["good", "passed"],
    ["bad", "failed"],
    ["later", "passed"],
  ]);
});

it("keeps what each one prints", async () => {
  const [ended] = await runStages([stage("two words", "echo out; echo err >&2")], options());
  expect(ended?.log).toMatch(/two-words\.log$/u);
  expect((await readFile(ended?.log ?? "", "utf8")).split("\n").sort()).toEqual(["", "err", "out"]);
});

it("runs side by side what there are cores for", async () => {
  const { folder } = options();
  const met = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do :; done`;
  const [a, b] = [join(folder, "a"), join(folder, "b")];
  const ended = await runStages([stage("a", met(a, b)), stage("b", met(b, a))], options());
  expect(ended.map(({ end }) => end)).toEqual(["passed", "passed"]);
});

it("runs alone what takes all cores", async () => {
  const { folder } = options();
  const mark = join(folder, "running");
  const alone = `mkdir ${mark} && rmdir ${mark}`;
  const ended = await runStages(
    ["a", "b", "c"].map((name) => stage(name, alone, 2)),
    options(),
  );
  expect(ended.map(({ end }) => end)).toEqual(["passed", "passed", "passed"]);
});

it("ends what runs when it is ended itself", async () => {
  const { folder } = options();
  const mark = join(folder, "pid");
  const stages = JSON.stringify([stage("long", `echo $$ > ${mark}; ${HANGS}`)]);
  const code = `import { runStages } from ${JSON.stringify(new URL("../long/stages.ts", import.meta.url).href)};
    await runStages(${stages}, ${JSON.stringify({ cores: 2, seconds: 60, folder })});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  const pid = await vi.waitFor(async () => {
    const text = await readFile(mark, "utf8");
    expect(text).toMatch(/^\d+\n$/u);
    return Number(text);
  });
  const ended = new Promise((resolve) => child.on("exit", (status) => resolve(status)));
  child.kill("SIGTERM");
  expect(await ended).toBe(143);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
});

it("ends what runs when the time is up, with all it started, and begins nothing more", async () => {
  const stages = [stage("long", `${HANGS} & ${HANGS}`, 2), stage("next", "true")];
  const ended = await runStages(stages, options(0.5));
  expect(ended.map(({ name, end }) => [name, end])).toEqual([
    ["long", "cut"],
    ["next", "left"],
  ]);
});
