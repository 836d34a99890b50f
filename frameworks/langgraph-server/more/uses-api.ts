// What programs see of the server: LangGraph's client of a run, and a client of the board that the
// run works on. `node --test uses-api.ts`, with the server's address in SERVER.

import { Client } from "@langchain/langgraph-sdk";
import type { ApprovalAnswer, ApprovalRequest } from "@opstate/langgraph";
import { createClient } from "@opstate/client";
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { board } from "./board.ts";

const server = process.env["SERVER"] ?? "http://localhost:2024";
const as = (user: string) => ({ cookie: `user=${user}` });

const runs = new Client({ apiUrl: server, defaultHeaders: as("ada") });
const boards = createClient({ url: `${server}/opstate`, headers: as("ben") });
const launch = boards.thread(board, "launch");
// Connected while something subscribes.
const stop = [launch.subscribe(() => undefined), launch.proposals.subscribe(() => undefined)];
after(() => stop.forEach((each) => each()));

beforeEach(async () => {
  await launch.ready;
  for (const { id } of launch.getState()?.cards ?? []) await launch.dispatch(board.op.remove({ id }));
});

interface Messages {
  readonly messages: readonly { readonly type: string; readonly content: string }[];
}
const textsOf = (values: unknown): readonly string[] => (values as Messages).messages.map(({ content }) => content);

const titles = () => launch.getState()?.cards.map(({ title }) => title) ?? [];

/** Resolves as soon as the page of the board shows it. */
function shows(source: { subscribe(listener: () => void): () => void }, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = source.subscribe(look);
    look();
  });
}

const says = (content: string) => ({ input: { messages: [{ type: "human", content }] } });

/** A run that waits for a yes or no to the removal of a card. */
async function asked(title: string) {
  const { thread_id } = await runs.threads.create();
  await runs.runs.wait(thread_id, "board", says(`add ${title}; remove ${title}; tell`));
  const { tasks, next } = await runs.threads.getState(thread_id);
  const [interrupt] = tasks.flatMap(({ interrupts }) => interrupts);
  assert.deepEqual(next, ["tools"]);
  const request = interrupt?.value as ApprovalRequest;
  assert.equal(request.operation.type, "remove");
  const open = () => launch.proposals.getState().proposals.find(({ id }) => id === request.proposal);
  await shows(launch.proposals, () => open() !== undefined);
  return {
    proposal: open()!,
    answer: (what: ApprovalAnswer, client = runs) =>
      client.runs.wait(thread_id, "board", { command: { resume: { [interrupt!.id!]: what } } }),
    goOn: () => runs.runs.wait(thread_id, "board", { input: null }),
  };
}

test("a client of the board sees what the agent does while the run goes on, and the agent sees its edit", async () => {
  const { thread_id } = await runs.threads.create();
  // The model's second call waits for an edit that is made when the first one is seen.
  const run = runs.runs.wait(thread_id, "board", says("add From the agent; add Second when From Ben; tell"));
  await shows(launch, () => titles().includes("From the agent"));
  assert.deepEqual(titles(), ["From the agent"]);
  const edit = await launch.dispatch(board.op.add({ title: "From Ben" }));
  assert.equal(edit.accepted, true);
  const texts = textsOf(await run);
  assert.deepEqual(titles(), ["From the agent", "From Ben", "Second"]);
  assert.match(texts.at(-1)!, /- user ben: add \{"title":"From Ben"\}/);
});

test("LangGraph's API answers an approval, as the user who is signed in there", async () => {
  const { answer } = await asked("Old");
  assert.deepEqual(titles(), ["Old"]);
  const texts = textsOf(await answer({ type: "accept" }));
  assert.match(texts.at(-2)!, /^Accepted: board is now at version \d+\.[\s\S]*Approved by user "ada"\.$/);
  await shows(launch, () => titles().length === 0);
});

test("LangGraph's API declines, and the model reads why", async () => {
  const { answer } = await asked("Kept");
  const texts = textsOf(await answer({ type: "decline", message: "It is needed" }));
  assert.match(texts.at(-2)!, /It is needed/);
  assert.deepEqual(titles(), ["Kept"]);
});

test("the board's page approves the proposal, and the run goes on with that", async () => {
  const { proposal, goOn } = await asked("Old");
  const verdict = await launch.proposals.approve(proposal);
  assert.equal(verdict.accepted, true);
  const texts = textsOf(await goOn());
  assert.match(texts.at(-2)!, /^Accepted: [\s\S]*Approved by user "ben"\.$/);
  // Nothing was done twice.
  const response = await fetch(`${server}/opstate/threads/launch`, { headers: as("ben") });
  const { version, state } = (await response.json()) as { readonly version: number; readonly state: unknown };
  assert.deepEqual({ version, state }, { version: verdict.version, state: { cards: [] } });
});

test("what the page declined stays declined, whatever the run is resumed with", async () => {
  const { proposal, answer } = await asked("Kept");
  assert.equal((await launch.proposals.decline(proposal)).accepted, true);
  const texts = textsOf(await answer({ type: "accept" }));
  assert.match(texts.at(-2)!, /user "ben"/);
  assert.deepEqual(titles(), ["Kept"]);
});

test("a run that goes on before anybody decided asks again", async () => {
  const { proposal, goOn, answer } = await asked("Old");
  await goOn();
  assert.deepEqual(titles(), ["Old"]);
  assert.match(textsOf(await answer({ type: "accept" })).at(-2)!, /Approved by user "ada"/);
  assert.equal(proposal.stale.length, 0);
});

test("nobody gets in without being signed in, neither to runs nor to boards", async () => {
  const strangers = [`${server}/opstate/threads/launch`, `${server}/threads/search`].map(async (url) => {
    const response = await fetch(url, { method: url.endsWith("search") ? "POST" : "GET" });
    return response.status;
  });
  assert.deepEqual(await Promise.all(strangers), [401, 401]);
});
