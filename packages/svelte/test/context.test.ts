import { type AnyDefinition, type Replica, threadTransport } from "@opstate/core";
import { type AgentState, createAgentStateContext } from "@opstate/svelte";
import { render } from "vitest-browser-svelte";
import { expect, test, vi } from "vitest";
import Below from "./components/below.svelte";
import Provider from "./components/provider.svelte";
import { ada, openReplica, openShelf, shelf } from "./shelf.ts";

const title = (state: { title: string }) => state.title;

test("a component that nobody set a context for says which one is missing", async () => {
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  await expect(render(Below, { agentContext, select: title })).rejects.toThrow('the context of "shelf"');
});

test("takes a replica that is somebody else's", async () => {
  const { replica, act } = await openReplica();
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  const screen = await render(Provider, { agentContext, setting: { replica }, below: [{ select: title }] });
  await act({ type: "rename", title: "Theirs" });
  await expect.poll(() => screen.container.textContent.trim()).toBe('"Theirs"');
  await screen.unmount();
  expect(replica.sync.getState().status).toBe("online");
});

test("connects when a component watches, once, and not before", async () => {
  const { thread } = await openShelf();
  const inner = threadTransport(thread, { actor: ada });
  const connect = vi.fn(inner.connect);
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  const below = [{ select: title }, { select: title }];
  const none = await render(Provider, { agentContext, setting: { transport: { connect } }, below: [] });
  expect(connect).not.toHaveBeenCalled();
  await none.unmount();
  const screen = await render(Provider, { agentContext, setting: { transport: { connect } }, below });
  await thread.dispatch({ type: "rename", title: "Seen" }, { actor: ada });
  await expect.poll(() => screen.container.textContent.replaceAll(/\s/g, "")).toBe('"Seen""Seen"');
  expect(connect).toHaveBeenCalledTimes(1);
});

test("two contexts of one definition are two", async () => {
  const mine = createAgentStateContext(shelf as AnyDefinition);
  const theirs = createAgentStateContext(shelf as AnyDefinition);
  const { replica } = await openReplica();
  const below = [{ select: title, agentContext: theirs }];
  await expect(render(Provider, { agentContext: mine, setting: { replica }, below })).rejects.toThrow('the context of "shelf"');
});

test("knows who submits, when it is told, and refuses what they may not do without asking", async () => {
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  let agent: AgentState<Replica> | undefined;
  const transport = { connect: () => ({ send: () => undefined, close: () => undefined }) };
  const below = [{ select: title, hand: (got: AgentState<Replica>) => (agent = got) }];
  const initial = { version: 0, state: { title: "", count: 0, boxes: [] } };
  await render(Provider, { agentContext, setting: { transport, initial, actor: ada }, below });
  void agent?.dispatch({ type: "seal" });
  expect(agent?.sync).toMatchObject({ pending: [], rejections: [{ verdict: { rejection: { code: "forbidden" } } }] });
});
