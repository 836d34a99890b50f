import { createClient } from "@opstate/client";
import { createReplica } from "@opstate/core";
import { AgentState, agentState, createAgentStateContext } from "@opstate/svelte";
import { render } from "svelte/server";
import { expect, test, vi } from "vitest";
import Following from "../components/following.svelte";
import Provider from "../components/provider.svelte";
import Both from "../components/both.svelte";
import { shelf } from "../shelf.ts";

function untouched() {
  const connect = vi.fn(() => ({ send: () => undefined, close: () => undefined }));
  const snapshot = { version: 3, state: { title: "From the server", count: 1, boxes: [{ id: "a", label: "A" }] } };
  return {
    connect,
    snapshot,
    replica: createReplica({ definition: shelf, transport: { connect }, snapshot, connect: "while watched" }),
  };
}

test("renders the class and the store from a snapshot, without a connection or a subscription", async () => {
  const { replica, connect } = untouched();
  const subscribe = vi.spyOn(replica, "subscribe");
  const { body } = await render(Both, { props: { board: new AgentState(replica), store: agentState(replica) } });
  expect(body).toContain("<h1>From the server</h1><h2>From the server</h2><p>connecting 0</p>");
  expect(connect).not.toHaveBeenCalled();
  expect(subscribe).not.toHaveBeenCalled();
});

test("two requests share nothing but the definition", async () => {
  const { connect } = untouched();
  const agentContext = createAgentStateContext(shelf);
  const page = (title: string) => {
    const initial = { version: 1, state: { title, count: 0, boxes: [] } };
    const select = (state: { title: string }) => state.title;
    return render(Provider, {
      props: { agentContext, setting: { transport: { connect }, initial }, below: [{ select }] },
    });
  };
  const [one, two] = await Promise.all([page("Ada's"), page("Bob's")]);
  expect(one.body).toContain("Ada's");
  expect(two.body).toContain("Bob's");
  expect(two.body).not.toContain("Ada's");
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
