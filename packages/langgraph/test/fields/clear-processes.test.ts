// A field that an interrupted subgraph cleared, when another process resumes it.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

type Summaries = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), "opstate-clears-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The field of each graph, by its form. */
async function inProcess(mode: "start" | "resume"): Promise<Summaries> {
  const script = join(import.meta.dirname, "../support/clears-and-waits.ts");
  const child = fork(script, [join(folder, "graphs.db"), mode], { execArgv: ["--conditions=@opstate/source"] });
  const ended = once(child, "exit");
  const told = await Promise.race([once(child, "message"), ended]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`The process ended with ${code}.`);
  return told[0];
}

let [waiting, ended]: Summaries[] = [{}, {}];
beforeAll(async () => {
  waiting = await inProcess("start");
  ended = await inProcess("resume");
}, 120_000);

describe.each(["async", "exit"])("with durability %s, a subgraph that waits", (durability) => {
  it.each(["as a node", "called by a node", "two graphs deep", "with checkpoints of its own", "as an agent"])(
    "and cleared a field, %s, clears that of the graph around it",
    (form) => {
      expect(waiting?.[`${form}, ${durability}`]).toBe("waits");
      expect(ended?.[`${form}, ${durability}`]).toBeNull();
    },
  );

  it.each(["before it set the field again", "before it sets the field again", "given nothing"])(
    "clears nothing %s",
    (form) => {
      expect(waiting?.[`${form}, ${durability}`]).toBe("waits");
      expect(ended?.[`${form}, ${durability}`]).toBe("done");
    },
  );
});
