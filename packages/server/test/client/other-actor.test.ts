/// <reference lib="dom" />
// Somebody else signs in while a stream is open, as by a cookie in another tab: with a real server.

import { type ClientStorage, createClient, memoryStorage, type ServerOptions } from "@opstate/client";
import { type Actor, memoryLog } from "@opstate/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { ada, add, bob, tally, until } from "../../../client/test/tally.ts";
import { cutLine } from "../support/cut-line.ts";
import { createServer } from "../../src/index.ts";

async function bench(options: Partial<ServerOptions> = {}) {
  const server = createServer({
    definitions: [tally],
    log: memoryLog(),
    authorize(request) {
      const [kind = "", id = ""] = (request.headers.get("authorization") ?? "").split(" ");
      return id === "" ? null : { actor: { kind, id }, allows: () => true };
    },
  });
  onTestFinished(() => server.close());
  let signedIn: Actor = ada;
  /** Requests of submissions, as the server answered them. */
  const posts: number[] = [];
  const { fetch: send } = cutLine(async (request) => {
    request.headers.set("authorization", `${signedIn.kind} ${signedIn.id}`);
    const response = await server.fetch(request);
    if (request.url.endsWith("/operations")) posts.push(response.status);
    return response;
  });
  const headers = { "content-type": "application/json" };
  await send("http://server/threads/t", { method: "PUT", headers, body: JSON.stringify({ definition: "tally" }) });
  const client = createClient({ url: "http://server", fetch: send, ...options });
  onTestFinished(() => client.close());
  const thread = client.thread(tally, "t");
  thread.subscribe(() => undefined);
  await until("it is online", () => thread.sync.getState().status === "online");
  const history = () => thread.history.read();
  return { thread, history, posts, signIn: (actor: Actor) => void (signedIn = actor) };
}

const storedEdits = async (storage: ClientStorage, actor: Actor) =>
  (await storage.load({ url: "http://server", actor }, "t")).edits.map(({ operation }) => operation);

it.each([
  ["a stream", {}],
  ["polling", { polling: true }],
])("what the earlier actor edits on %s is not accepted, and the page knows", async (_, options) => {
  const { thread, history, posts, signIn } = await bench(options);
  expect(await thread.dispatch(add(1))).toMatchObject({ accepted: true });
  signIn(bob);
  expect(await thread.dispatch(add(10))).toMatchObject({
    accepted: false,
    rejection: { code: "forbidden", reason: "other_actor" },
  });
  await until("who it is", () => thread.sync.getState().actor?.id === "bob");
  expect(thread.getState().count).toBe(1);
  expect(posts.slice(0, 2)).toEqual([200, 409]);
  // The new actor's own are taken.
  expect(await thread.dispatch(add(100))).toMatchObject({ accepted: true });
  expect((await history()).map((entry) => entry.kind === "commit" && entry.commit.actor.id)).toEqual(["ada", "bob"]);
});

it("what the page of the earlier actor undoes, proposes or branches is not done as the other one", async () => {
  const { thread, history, signIn } = await bench();
  await thread.dispatch(add(1));
  const branch = await thread.branches.create({ name: "a" });
  signIn(bob);
  const refused = { status: 409, code: "other_actor" };
  await expect(thread.undo()).rejects.toMatchObject(refused);
  await expect(thread.proposals.propose(add(10))).rejects.toMatchObject(refused);
  await expect(thread.proposals.approve("p")).rejects.toMatchObject(refused);
  await expect(thread.proposals.decline("p")).rejects.toMatchObject(refused);
  await expect(thread.branches.create({ name: "b" })).rejects.toMatchObject(refused);
  await expect(branch.merge()).rejects.toMatchObject(refused);
  expect((await history()).map((entry) => entry.kind === "commit" && entry.commit.version)).toEqual([1]);
  signIn(ada);
  expect(await thread.undo()).toMatchObject({ accepted: true });
});

it("what waits of the earlier actor stays in the store, and is shown as lost", async () => {
  const storage = memoryStorage();
  const { thread, history, signIn } = await bench({ storage });
  signIn(bob);
  void thread.dispatch(add(10));
  void thread.dispatch(add(11));
  await until("who it is", () => thread.sync.getState().actor?.id === "bob");
  await until("the loss", () => thread.sync.getState().lost.length === 2);
  await until("that it is online", () => thread.sync.getState().status === "online");
  expect(await history()).toEqual([]);
  await vi.waitFor(async () => expect(await storedEdits(storage, ada)).toEqual([add(10), add(11)]));
  expect(await storedEdits(storage, bob)).toEqual([]);
});
