import { createClient } from "@opstate/client";
import { AgentState, agentState } from "@opstate/svelte";
import { render } from "svelte/server";
import { expect, test, vi } from "vitest";
import Following from "../components/following.svelte";
import Both from "../components/both.svelte";
import { shelf } from "../support/shelf.ts";

test("renders the class and the store from a snapshot, without a connection or a subscription", async () => {
  const find = vi.fn(() => undefined);
  const initial = { version: 3, state: { title: "From the server", count: 1, boxes: [{ id: "a", label: "A" }] } };
  const client = createClient({ threads: find, actor: { kind: "user", id: "ada" } });
  const thread = client.thread(shelf, "one", { initial });
  const subscribe = vi.spyOn(thread, "subscribe");
  const { body } = await render(Both, { props: { board: new AgentState(thread), store: agentState(thread) } });
  expect(body).toContain("<h1>From the server</h1><h2>From the server</h2><p>connecting 0</p>");
  expect(find).not.toHaveBeenCalled();
  expect(subscribe).not.toHaveBeenCalled();
});

test("reads the current state, not the one at the time of the import", () => {
  let title = "one";
  const source = { getState: () => title, getInitialState: () => "one", subscribe: () => () => undefined };
  const board = new AgentState(source);
  const length = board.select((state) => state.length);
  expect([board.current, length.current]).toEqual(["one", 3]);
  title = "three";
  expect([board.current, length.current]).toEqual(["three", 5]);
});

test("a client's threads are not shared by two requests, and nothing connects", async () => {
  const find = vi.fn(() => undefined);
  const client = createClient({ threads: find, actor: { kind: "user", id: "ada" } });
  const page = (title: string) => {
    const initial = { version: 1, state: { title, count: 0, boxes: [] } };
    return render(Following, { props: { setting: { client, threadId: "one", initial } } });
  };
  const [one, two] = await Promise.all([page("Ada's"), page("Bob's")]);
  expect(one.body).toContain("Ada's connecting one 0");
  expect(two.body).toContain("Bob's connecting one 0");
  expect(client.thread(shelf, "one").getState().title).toBe("Shelf");
  expect(find).not.toHaveBeenCalled();
});
