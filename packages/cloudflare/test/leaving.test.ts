// A reader that leaves is gone at once, for all who are there: no heartbeat has to fail first.

import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ada, credentials, type Edge, send, startEdge } from "./support/edge.ts";

const bob = credentials({ kind: "user", id: "bob" });

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.kill());

/** A stream of one thread, in frames. */
function read(threadId: string, headers: Readonly<Record<string, string>>) {
  const frames: string[] = [];
  let onFrames: () => void = () => undefined;
  let rest = "";
  const sent = request(`${edge.url}/events`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    agent: false,
  });
  sent.on("error", () => undefined);
  sent.on("response", (answer) => {
    answer.setEncoding("utf8").on("error", () => undefined);
    answer.on("data", (text: string) => {
      const parts = `${rest}${text}`.split("\n\n");
      rest = parts.pop() ?? "";
      frames.push(...parts);
      onFrames();
    });
  });
  sent.end(JSON.stringify({ threads: { [threadId]: {} } }));
  return {
    /** The first frame from place `from` on that fits, with its place. */
    async frame(fits: (text: string) => boolean, from = 0): Promise<{ readonly text: string; readonly at: number }> {
      for (;;) {
        const at = frames.findIndex((text, place) => place >= from && fits(text));
        const text = frames[at];
        if (text !== undefined) return { text, at };
        await new Promise<void>((resolve) => (onFrames = resolve));
      }
    },
    /** The connection is reset, by which the platform knows it. */
    leave: () => sent.socket?.resetAndDestroy(),
  };
}

const isHeartbeat = (text: string) => text === ":";
const isPresence = (text: string) => text.startsWith("event: presence");

it("is not there any more before the next heartbeat", async () => {
  const threadId = `left-${crypto.randomUUID()}`;
  await send(`${edge.url}/threads/${threadId}`, "PUT", { definition: "contract-counter" });
  // Their heartbeats are over, and the next ones are far.
  const theirs = read(threadId, bob);
  await theirs.frame(isHeartbeat);
  const mine = read(threadId, ada);
  await mine.frame(isHeartbeat);
  const hello = await mine.frame((text) => text.startsWith("event: hello"));
  const { stream }: { readonly stream: string } = JSON.parse(/^data: (.*)$/m.exec(hello.text)?.[1] ?? "");
  const shown = { stream, tab: "one", threads: { [threadId]: { focus: "/count" } } };
  expect((await send(`${edge.url}/presence`, "POST", shown)).status).toBe(204);
  const seen = await theirs.frame((text) => isPresence(text) && text.includes('"ada"'));

  mine.leave();
  const next = await theirs.frame((text) => isPresence(text) || isHeartbeat(text), seen.at + 1);
  expect(next.text).toContain('"participants":[]');
  theirs.leave();
});
