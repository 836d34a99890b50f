// What begins and ends beside the operations of the steady soak: one of these at a time.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../../core/test/simulation/random.ts";
import { tally } from "../limits/tally.ts";
import { asUser } from "../server.ts";
import type { Answer, Sender } from "./sender.ts";

const { op } = tally;

type Act = (sender: Sender, thread: string, random: Random) => Promise<void>;

/** One of them at random. Throws when an answer is none that it may be. */
export async function churn(sender: Sender, thread: string, random: Random): Promise<void> {
  await random.pick(ACTS)(sender, thread, random);
}

const aThread: Act = async (sender) => {
  const path = `/threads/short-${randomUUID()}`;
  expect(await sender.send("short", "PUT", path, { definition: tally.name }), 201);
  const two = [op.add({ title: "one" }), op.add({ title: "two" })];
  expect(await sender.send("short", "POST", `${path}/operations`, two), 200);
  expect(await sender.send("short", "DELETE", path), 204);
};

const aBranch: Act = async (sender, thread, random) => {
  const send = sender.send.bind(sender, "branching");
  const made = expect(await send("POST", `/threads/${thread}/branches`, {}), 201);
  const { threadId } = made as { threadId: string };
  expect(await send("POST", `/threads/${threadId}/operations`, [op.add({ title: "there" })]), 200);
  const branch = `/threads/${thread}/branches/${threadId}`;
  expect(await send("GET", `${branch}/diff`), 200);
  if (random.oneIn(2)) expect(await send("POST", `${branch}/merge`, {}), 200);
  expect(await send("DELETE", branch), 204);
};

const aProposal: Act = async (sender, thread, random) => {
  const id = randomUUID();
  const proposed = { operation: op.add({ title: "proposed" }), id };
  expect(await sender.send("proposing", "POST", `/threads/${thread}/proposals`, proposed), 200);
  const path = `/threads/${thread}/proposals/${id}/${random.pick(["approve", "decline"])}`;
  expect(await sender.send("deciding", "POST", path, {}), 200, 409);
};

const aRun: Act = async (sender, thread) => {
  const message = { id: randomUUID(), role: "user", content: "Add one." };
  const input = { threadId: thread, runId: randomUUID(), messages: [message], tools: [], context: [] };
  expect(await sender.send("asking", "POST", "/ag-ui/adder", input), 200);
};

const anUndo: Act = async (sender, thread) => {
  const id = randomUUID();
  const send = sender.send.bind(sender, "undoing", "POST");
  expect(await send(`/threads/${thread}/operations`, { operation: op.add({ title: "back" }), id }), 200);
  expect(await send(`/threads/${thread}/undo`, { target: { ids: [id] } }), 200, 409);
};

const aLook: Act = async (sender, thread, random) => {
  const send = sender.send.bind(sender, "looking", "GET");
  const { version } = expect(await send(`/threads/${thread}`), 200) as { version: number };
  expect(await send(`/threads/${thread}/states/${random.below(version + 1)}`), 200);
  expect(await send(`/threads/${thread}/explain?pointer=/count`), 200);
  expect(await send(`/threads/${thread}/history?limit=100&order=descending`), 200);
  expect(await send("/threads?limit=100"), 200);
};

/** A page that follows the thread and says that it is there, and goes. */
const aPage: Act = async (sender, thread, random) => {
  const name = `page-${randomUUID()}`;
  const leaving = new AbortController();
  const answer = await fetch(`${sender.url}/events`, {
    method: "POST",
    headers: { ...asUser(name, "read", "write"), "content-type": "application/json" },
    body: JSON.stringify({ threads: { [thread]: {} } }),
    signal: leaving.signal,
  });
  const first = await answer.body?.pipeThrough(new TextDecoderStream()).getReader().read();
  const stream = /"stream":"([^"]+)"/.exec(first?.value ?? "")?.[1];
  const here = { stream, threads: { [thread]: { focus: "/count" } } };
  expect(await sender.send(name, "POST", "/presence", here), 204);
  await delay(random.below(1_000));
  leaving.abort();
};

const ACTS: readonly [Act, ...Act[]] = [aThread, aBranch, aProposal, aRun, anUndo, aLook, aPage];

function expect({ status, body }: Answer, ...allowed: readonly number[]): unknown {
  if (allowed.includes(status)) return body;
  throw new Error(`${status} ${JSON.stringify(body).slice(0, 300)}`);
}
