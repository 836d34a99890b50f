// On a busy machine a server may see what was sent to it only after the time of its notice: it is
// answered all the same.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../../src/index.ts";

const CLIENTS = 50;

/** Connects, sends a request on each connection, says so in `sent`, and posts the status lines. */
const clients = `
  const { connect } = require("node:net");
  const { parentPort, workerData: { port, count, sent } } = require("node:worker_threads");
  const answers = [];
  const note = (answer) => answers.push(answer) === count && parentPort.postMessage(answers);
  parentPort.once("message", () => {
    for (let client = 0; client < count; client += 1) {
      let text = "";
      const socket = connect(port, "127.0.0.1", () =>
        socket.write("GET / HTTP/1.1\\r\\nHost: test\\r\\n\\r\\n", () => {
          if (Atomics.add(sent, 0, 1) === count - 1) Atomics.notify(sent, 0);
        }),
      );
      socket.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      socket.once("error", ({ code }) => (text = code)).once("close", () => note(text.split("\\r\\n")[0]));
    }
  });
  parentPort.postMessage("ready");
`;

it("answers what was sent before its listener was closed, however late it looks", async () => {
  const server = await listen(async () => new Response("ok"));
  onTestFinished(() => server.close());
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(clients, { eval: true, workerData: { port: server.port, count: CLIENTS, sent } });
  onTestFinished(async () => void (await worker.terminate()));
  await once(worker, "message");
  const answers = once(worker, "message");
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
  worker.postMessage("go");
  const drained = server.drain({ notice: 0, deadline: 60_000 });
  // This thread stands still until all is sent: nothing of it is accepted, and the notice is over.
  for (let count = 0; count < CLIENTS; count = Atomics.load(sent, 0))
    if (Atomics.wait(sent, 0, count, 30_000) === "timed-out") throw new Error("The clients sent nothing.");
  expect(await drained).toEqual({ cut: 0 });
  expect((await answers)[0]).toEqual(Array.from({ length: CLIENTS }, () => "HTTP/1.1 200 OK"));
});
