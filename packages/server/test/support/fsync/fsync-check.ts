// Runs a server on SQLite under strace, sends it operations one by one and many at once, and checks
// that each was flushed before the server sent anything about it.

import { defined } from "@opstate/core";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCard } from "../board.ts";
import { readTrace, type FlushOrder } from "./fsync-trace.ts";
import { send } from "../server.ts";
import { ServerProcess } from "../processes/server-process.ts";

/** Whether this machine lets us trace at all. */
export function canTrace(): boolean {
  return spawnSync("strace", ["-D", "-o", "/dev/null", "true"]).status === 0;
}

/** How many operations have which order of flush and response. `preload`: see ServerProcess. */
export async function checkFsync(count: number, preload?: string): Promise<Partial<Record<FlushOrder, number>>> {
  const directory = mkdtempSync(join(tmpdir(), "opstate-fsync-"));
  const trace = join(directory, "trace");
  const calls = "trace=pwrite64,pwritev,fsync,fdatasync,write,writev,sendto,sendmsg";
  const server = new ServerProcess(
    { kind: "sqlite", path: join(directory, "log.sqlite") },
    {
      under: ["strace", "-D", "-f", "-q", "-y", "-s", "1000000", "-e", calls, "-o", trace],
      ...defined({ preload }),
    },
  );
  try {
    await server.start();
    const thread = `${server.url}/threads/a`;
    await send(thread, "PUT", { definition: "board" }, {});
    // A reader of events must not get the operation earlier than its sender.
    const reading = new AbortController();
    const events = await fetch(`${thread}/events`, { signal: reading.signal });
    const ids = Array.from({ length: count }, (_, index) => `card-${String(index).padStart(6, "0")}`);
    const submit = async (id: string) => {
      const { status, body } = await send(`${thread}/operations`, "POST", { id, operation: addCard(id) }, {});
      if (status !== 200 || body.accepted !== true) throw new Error(`${id} got ${status}: ${JSON.stringify(body)}`);
    };
    for (const id of ids.slice(0, count / 2)) await submit(id);
    await Promise.all(ids.slice(count / 2).map(submit));
    reading.abort();
    await events.body?.cancel().catch(() => undefined);
    await server.kill();
    const tally: Partial<Record<FlushOrder, number>> = {};
    for (const order of readTrace(await readWhole(trace), ids).values()) tally[order] = (tally[order] ?? 0) + 1;
    return tally;
  } finally {
    await server.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The lines of the trace, once the tracer has written its end. */
async function readWhole(path: string): Promise<string[]> {
  for (;;) {
    const text = readFileSync(path, "utf8");
    if (text.endsWith("+++ killed by SIGKILL +++\n")) return text.split("\n");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
