// What an AG-UI page writes into its state before a run becomes its person's submission. The client
// is an unmodified HttpAgent, the log and the runs are SQLite files.

import { HttpAgent } from "@ag-ui/client";
import { defineState, type StateOf } from "@opstate/core";
import { sqliteStreams } from "@opstate/streams/sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { type Agent, createServer, streamRuns } from "../../src/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { asUser, authorize, send } from "../support/server.ts";

const Item = z.object({ itemId: z.string(), name: z.string().min(1), note: z.string().optional() });
const Recipe = z.object({ title: z.string(), servings: z.int(), items: z.array(Item), count: z.int() });

/** Operations alone, and a user may use those but `empty`. */
const recipe = defineState({
  name: "recipe",
  schema: Recipe,
  initial: { title: "Soup", servings: 2, items: [], count: 0 },
  derive: { "/count": ({ items }) => items.length },
  operations: {
    serve: {
      input: z.object({ servings: z.int().min(1) }),
      apply: (draft, { servings }) => void (draft.servings = servings),
    },
    serveMore: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.servings += by) },
    add: {
      input: z.object({ itemId: z.string(), name: z.string() }),
      apply(draft, { itemId, name }, { reject }) {
        if (draft.items.some((item) => item.itemId === itemId)) return reject("there_already");
        draft.items.push({ itemId, name });
      },
    },
    rename: {
      input: z.object({ itemId: z.string(), name: z.string() }),
      apply(draft, { itemId, name }, { reject }) {
        const item = draft.items.find((candidate) => candidate.itemId === itemId);
        if (item === undefined) return reject("unknown_item");
        item.name = name;
      },
    },
    remove: {
      input: z.object({ itemId: z.string() }),
      allow: ["agent"],
      apply: (draft, { itemId }) => void (draft.items = draft.items.filter((item) => item.itemId !== itemId)),
    },
  },
});

/** No operations: a user may patch it. */
const plan = defineState({
  name: "plan",
  schema: z.object({ title: z.string().max(20), notes: z.array(z.string()), done: z.boolean() }),
  initial: { title: "Trip", notes: ["a"], done: false },
  operations: {},
  patches: true,
  replace: { allow: ["user", "agent"] },
});

/** The same, for agents only. */
const locked = defineState({
  name: "locked",
  schema: z.object({ title: z.string() }),
  initial: { title: "Trip" },
  operations: {},
  patches: true,
});

type RecipeState = StateOf<typeof recipe>;

// A busy machine is slow.
vi.setConfig({ testTimeout: 900_000 });

const robot = { kind: "agent", id: "robot" };
const ada = asUser("ada", "read", "write", "undo", "admin");
const bob = asUser("bob", "read", "write");

/** Does what the last message says, and answers. What it begins to read is kept. */
function cook(read: unknown[], served: Promise<void>): Agent {
  return async function* ({ thread, input, signal }) {
    read.push(thread.getState());
    const { content } = input.messages.findLast(({ role }) => role === "user") ?? {};
    const order = typeof content === "string" ? content : "";
    const messageId = `m-${input.runId}`;
    if (order.startsWith("{")) await thread.submit(JSON.parse(order), { actor: robot, runId: input.runId });
    yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
    yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta: "Half " };
    if (order === "fail") return yield { type: "RUN_ERROR", message: "The order is wrong." };
    if (order === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (order === "wait until it is served") await served;
    yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta: "and half." };
    yield { type: "TEXT_MESSAGE_END", messageId };
  };
}

async function startKitchen() {
  const folder = mkdtempSync(join(tmpdir(), "opstate-page-state-"));
  const read: unknown[] = [];
  let serve = () => {};
  const served = new Promise<void>((resolve) => (serve = resolve));
  const run = cook(read, served);
  const left: unknown[] = [];

  async function open() {
    const log = sqliteLog({ path: join(folder, "log.sqlite") });
    const streams = sqliteStreams({ path: join(folder, "runs.sqlite") });
    const server = createServer({
      definitions: [recipe, plan, locked],
      log,
      authorize,
      runs: { store: streamRuns(streams) },
      observe: {
        onEvent(event) {
          if (event.type === "stream_closed" && event.reason === "left") left.push(event);
        },
      },
      agents: {
        recipe: { run, definition: "recipe" },
        plan: { run, definition: "plan" },
        locked: { run, definition: "locked" },
        deaf: { run, definition: "recipe", pageState: "ignore" },
      },
    });
    const { url } = await server.listen();
    return {
      url,
      async close() {
        await server.close();
        await streams.close();
        await log.close?.();
      },
    };
  }

  let opened = await open();
  onTestFinished(async () => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const kitchen = {
    read,
    serve,
    /** The streams whose reader went. */
    left,
    get url() {
      return opened.url;
    },
    async restart() {
      await opened.close();
      opened = await open();
    },
    page: (name = "recipe", headers = ada) => openPage(kitchen, name, headers),
    state: async () => (await send(`${opened.url}/threads/t1`, "GET", undefined, ada)).body.state,
    history: async () => (await send(`${opened.url}/threads/t1/history`, "GET", undefined, ada)).body,
    submit: (operation: unknown, headers = bob) =>
      send(`${opened.url}/threads/t1/operations`, "POST", { operation }, headers),
  };
  return kitchen;
}

/** A window with an agent's client in it. */
function openPage(kitchen: { readonly url: string }, name: string, headers: Record<string, string>) {
  const agent = new HttpAgent({ url: `${kitchen.url}/ag-ui/${name}`, threadId: "t1", headers });
  const reports: unknown[] = [];
  agent.subscribe({
    onCustomEvent({ event }) {
      if (event.name === "opstate.verdict" || event.name === "opstate.warning") reports.push(event.value);
    },
  });
  return {
    agent,
    reports,
    /** Sends a message; with `changes`, after `setState({ ...state, ...changes })`. */
    async send(content: string, changes?: object) {
      agent.url = `${kitchen.url}/ag-ui/${name}`;
      if (changes !== undefined) agent.setState({ ...(agent.state as object), ...changes });
      agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
      await agent.runAgent();
    },
  };
}

const ADD_LEEK = JSON.stringify(recipe.op.add({ itemId: "i1", name: "leek" }));
const ADD_THYME = JSON.stringify(recipe.op.add({ itemId: "i2", name: "thyme" }));
const leek = { itemId: "i1", name: "leek" };

describe("what a page sets before a run", () => {
  it("is written as its person's operations, is there when the agent starts, and survives a restart before", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    await kitchen.restart();
    await page.send("go on", { servings: 4, items: [{ itemId: "i1", name: "big leek" }] });
    const written = { title: "Soup", servings: 4, items: [{ itemId: "i1", name: "big leek" }], count: 1 };
    expect(page.reports).toMatchObject([{ accepted: true, basedOn: 1, version: 2, type: "$batch" }]);
    expect([await kitchen.state(), page.agent.state, kitchen.read.at(-1)]).toEqual([written, written, written]);
    expect((await kitchen.history())[1]).toMatchObject({
      commit: {
        actor: { kind: "user", id: "ada" },
        operation: {
          operations: [
            { type: "serve", servings: 4 },
            { type: "rename", itemId: "i1", name: "big leek" },
          ],
        },
      },
    });
    await page.send("go on", { servings: 6 });
    expect(await kitchen.state()).toEqual({ ...written, servings: 6 });
  });

  it("takes nothing back that another window, another person or the agent did meanwhile", async () => {
    const kitchen = await startKitchen();
    const [one, two] = [kitchen.page(), kitchen.page()];
    await one.send(ADD_LEEK);
    await two.send(ADD_THYME);
    await kitchen.submit(recipe.op.rename({ itemId: "i2", name: "more thyme" }));
    await one.send("go on", { servings: 4 });
    await two.send("go on", { items: [leek, { itemId: "i2", name: "thyme" }, { itemId: "i3", name: "salt" }] });
    expect(await kitchen.state()).toEqual({
      title: "Soup",
      servings: 4,
      items: [leek, { itemId: "i2", name: "more thyme" }, { itemId: "i3", name: "salt" }],
      count: 3,
    });
    expect([...one.reports, ...two.reports]).toMatchObject([
      { accepted: true, basedOn: 1, type: "serve" },
      { accepted: true, basedOn: 2, type: "add" },
    ]);
  });

  it("is a patch where no operation does it, and a conflict where another person changed the same", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page("plan");
    await page.send("go on");
    await page.send("go on", { title: "Long trip", notes: ["a", "b"] });
    expect(await kitchen.state()).toEqual({ title: "Long trip", notes: ["a", "b"], done: false });
    await kitchen.submit({ type: "$patch", patch: [{ op: "replace", path: "/title", value: "Bob's trip" }] });
    await page.send("go on", { title: "Ada's trip", done: true });
    expect(page.reports).toMatchObject([
      { accepted: true, type: "$patch" },
      { accepted: false, type: "$patch", rejection: { code: "conflict" } },
    ]);
    expect(await kitchen.state()).toMatchObject({ title: "Bob's trip", done: false });
    // The page has the thread's state again: its next change is made on that.
    await page.send("go on", { done: true });
    expect(await kitchen.state()).toMatchObject({ title: "Bob's trip", done: true });
  });

  it("has no effect on derived fields and on what it leaves out", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    page.agent.setState({ servings: 3, count: 99, items: [{ itemId: "i1" }] });
    await page.send("go on");
    expect(await kitchen.state()).toEqual({ title: "Soup", servings: 3, items: [leek], count: 1 });
    expect(page.reports).toMatchObject([{ accepted: true, type: "serve" }]);
  });

  it("is refused with words when it breaks the schema, or when its person may not do it", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    await kitchen.submit(recipe.op.serve({ servings: 3 }));
    await page.send("go on", { items: [{ itemId: "i1", name: "" }] });
    await page.send("go on", { items: [] });
    await page.send("go on", { title: "Stew" });
    expect(page.reports).toMatchObject([
      { code: "not_expressible", message: expect.stringContaining("/items/0/name") },
      { accepted: false, type: "remove", rejection: { code: "forbidden" } },
      { code: "not_expressible", message: expect.stringContaining("no operation") },
    ]);
    expect(await kitchen.state()).toEqual({ title: "Soup", servings: 3, items: [leek], count: 1 });
    expect(page.agent.state).toEqual(await kitchen.state());
  });

  it("needs the permission of a replacement as a patch", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page("locked");
    await page.send("go on");
    await page.send("go on", { title: "Mine" });
    expect(page.reports).toMatchObject([{ accepted: false, type: "$patch", rejection: { code: "forbidden" } }]);
    expect(await kitchen.state()).toEqual({ title: "Trip" });
  });

  it("is written once when the request is sent again, with the same verdict", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    const messages = [...page.agent.messages, { id: "u2", role: "user", content: "go on" }];
    const state = { ...(page.agent.state as RecipeState), servings: 5 };
    const body = { threadId: "t1", runId: "r2", messages, state, tools: [], context: [] };
    const request = async () => {
      const response = await fetch(`${kitchen.url}/ag-ui/recipe`, {
        method: "POST",
        headers: { ...ada, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return /\{[^{}]*"opstate.verdict".*?\}\}/.exec(await response.text())?.[0];
    };
    const first = await request();
    await kitchen.submit(recipe.op.serve({ servings: 9 }));
    expect(await request()).toEqual(first);
    expect(first).toContain('"accepted":true,"version":2');
    expect(await kitchen.state()).toMatchObject({ servings: 9 });
  });

  it("is what it changed since the error of a run, when that run is requested again", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send("nothing yet");
    const again = async (content: string, changes?: object) => {
      if (changes !== undefined) page.agent.setState({ ...(page.agent.state as RecipeState), ...changes });
      page.agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
      await page.agent.runAgent({ runId: "r2" });
    };
    await again(ADD_LEEK, { servings: 3 });
    await kitchen.submit(recipe.op.rename({ itemId: "i1", name: "big leek" }));
    await again("fail");
    expect(page.reports).toMatchObject([{ accepted: true, type: "serve", basedOn: 0 }]);
    await again("go on", { servings: 5 });
    expect(page.reports.slice(1)).toMatchObject([{ accepted: true, type: "serve", basedOn: 3 }]);
    expect(await kitchen.state()).toMatchObject({ servings: 5, items: [{ name: "big leek" }] });
  });

  it("is written after a run that its page left, when it read the rest of it later", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    const question = { id: "u1", role: "user" as const, content: "wait until it is served" };
    const body = { threadId: "t1", runId: "r1", messages: [question], tools: [], context: [] };
    const answer = await fetch(`${kitchen.url}/ag-ui/recipe?detached=true`, {
      method: "POST",
      headers: { ...ada, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await answer.body?.cancel();
    await vi.waitUntil(() => kitchen.left.length === 1, { interval: 10, timeout: 300_000 });
    const rest = fetch(`${kitchen.url}/threads/t1/runs/r1?after=0`, { headers: ada });
    kitchen.serve();
    expect(await (await rest).text()).toContain("RUN_FINISHED");
    page.agent.setMessages([question, { id: "m-r1", role: "assistant", content: "Half and half." }]);
    page.agent.setState(await kitchen.state());
    await page.send("go on", { servings: 5 });
    expect(page.reports).toMatchObject([{ accepted: true, type: "serve" }]);
  });

  it("is ignored where the agent is served so", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page("deaf");
    await page.send(ADD_LEEK);
    await page.send("go on", { servings: 8 });
    expect([page.reports, await kitchen.state()]).toMatchObject([[], { servings: 2 }]);
  });
});

describe("nothing is written, and a warning says why,", () => {
  it("when it is not known what the page began with", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    page.agent.setState({ servings: 7 });
    await page.send(ADD_LEEK);
    expect(page.reports).toMatchObject([{ code: "unknown_base" }]);
    expect(await kitchen.state()).toMatchObject({ servings: 2 });
  });

  it("when the page sends an empty state, which is no deletion", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    expect(page.reports).toEqual([]);
    page.agent.setState({});
    await page.send("go on");
    expect(page.reports).toMatchObject([{ code: "empty_state" }]);
    expect(await kitchen.state()).toMatchObject({ items: [leek] });
  });

  it("when a page that has the old messages sends the state that the definition begins with, and that removes something", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    await page.send("go on", { servings: 4 });
    page.agent.setState({ ...recipe.initial });
    await page.send("go on");
    expect(page.reports.at(-1)).toMatchObject({ code: "initial_state" });
    expect(await kitchen.state()).toMatchObject({ servings: 4, items: [leek] });
    await page.send("go on", { servings: 2 });
    expect(await kitchen.state()).toMatchObject({ servings: 2, items: [leek] });
  });

  it("when the page left before the end of its last run, whose work it would take back", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    const { agent } = page;
    const stop = agent.subscribe({ onTextMessageContentEvent: () => agent.abortRun() });
    await page.send("wait");
    stop.unsubscribe();
    await page.send("go on", { servings: 7 });
    expect(page.reports).toMatchObject([{ code: "undelivered" }]);
    expect(await kitchen.state()).toMatchObject({ servings: 2, items: [leek] });
    await page.send("go on", { servings: 7 });
    expect(await kitchen.state()).toMatchObject({ servings: 7 });
  });

  it("when the page has less of the last message than was sent", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send(ADD_LEEK);
    const cut = page.agent.messages.map((message) =>
      message.role === "assistant" ? { ...message, content: "Half " } : message,
    );
    page.agent.setMessages(cut);
    await page.send("go on", { servings: 7 });
    expect(page.reports).toMatchObject([{ code: "undelivered" }]);
    expect(await kitchen.state()).toMatchObject({ servings: 2 });
  });

  it("when the last run in the page's messages was another person's", async () => {
    const kitchen = await startKitchen();
    const [one, two] = [kitchen.page(), kitchen.page("recipe", bob)];
    await one.send(ADD_LEEK);
    two.agent.setMessages(one.agent.messages);
    two.agent.setState({ servings: 7 });
    await two.send("go on");
    expect(two.reports).toMatchObject([{ code: "unknown_base" }]);
    expect(await kitchen.state()).toMatchObject({ servings: 2 });
  });

  it("when a person's texts were erased since: an old copy brings nothing back", async () => {
    const kitchen = await startKitchen();
    const page = kitchen.page();
    await page.send("go on");
    const secret = recipe.op.add({ itemId: "i9", name: "Bob's own secret" });
    await kitchen.submit(secret);
    await page.send("go on");
    await kitchen.submit(recipe.op.rename({ itemId: "i9", name: "erased" }), ada);
    await send(`${kitchen.url}/threads/t1/redact`, "POST", { author: { kind: "user", id: "bob" } }, ada);
    await page.send("go on", { servings: 7 });
    expect(page.reports).toMatchObject([{ code: "unknown_base" }]);
    expect(await kitchen.state()).toMatchObject({ servings: 2, items: [{ name: "erased" }] });
  });
});
