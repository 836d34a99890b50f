// Gives each test the board as a Worker in workerd, with storage and an address of its own. The
// Worker's module is made once.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { board, sampleBoard } from "@opstate/kanban-domain";
import { bundle, type Runtime, startWorker } from "../../../../packages/cloudflare/test/support/workerd.ts";
import { DEMO_THREAD } from "../../../kanban-server/src/access.ts";
import type { Environment, Running, Servers } from "../support/processes.ts";
import { type Front, startFront } from "./front.ts";
import { servePages } from "./pages.ts";

const SEED_CREDENTIALS = "Bearer first-board";
const OBJECTS = ["OPSTATE_THREADS", "OPSTATE_READERS", "OPSTATE_INDEX"];

export class EdgeServers implements Servers {
  readonly #code = bundle(fileURLToPath(new URL("board-worker.ts", import.meta.url)));

  /** Reads PORT, OPSTATE_DATA, OPSTATE_OFFLINE_DELAY and OPSTATE_PROVIDER. */
  async run(environment: Environment): Promise<Running> {
    const code = await this.#code;
    const directory = join(dirname(environment["OPSTATE_DATA"] ?? ""), "workerd");
    mkdirSync(directory);
    const pages = await servePages(environment["OPSTATE_PROVIDER"] || undefined);
    const texts = { SEED_CREDENTIALS, CHUNK_DELAY: environment["OPSTATE_OFFLINE_DELAY"] ?? "" };
    let worker: Runtime | undefined;
    let front: Front | undefined;
    let output = "";
    let port = Number(environment["PORT"] ?? 0);
    const start = async () => {
      const onOutput = (text: string) => (output += text);
      worker = await startWorker({ code, objects: OBJECTS, texts, directory, onOutput });
      await writeFirstBoard(worker.url);
      front = await startFront(port, { worker: worker.url, pages: pages.url });
      port = front.port;
    };
    // All that is connected is cut, and the address refuses, as that of a process that is gone.
    const kill = async () => {
      await Promise.all([front?.close(), worker?.kill({ keep: true })]);
      front = undefined;
      worker = undefined;
    };
    await start();
    return {
      url: `http://127.0.0.1:${port}`,
      output: () => output,
      kill,
      async start(more = {}) {
        const names = Object.keys(more);
        if (names.length > 0) throw new Error(`A Worker gets nothing of a process's environment: ${names.join(", ")}.`);
        output = "";
        await start();
      },
      async end() {
        await kill();
        await pages.close();
      },
    };
  }

  end(): void {
    // Each test has ended what it was given.
  }
}

/** Has an effect once: the submission's id is the same after each start. */
async function writeFirstBoard(url: string): Promise<void> {
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: SEED_CREDENTIALS, "content-type": "application/json" };
    const answer = await fetch(`${url}/threads/${DEMO_THREAD}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The first board: ${answer.status} ${await answer.text()}`);
  };
  await send("PUT", "", { definition: board.name });
  const operation = { type: "$replace", value: sampleBoard };
  await send("POST", "/operations", { id: `sample-${DEMO_THREAD}`, operation });
}
