import { type AnyDefinition, type Replica, threadTransport } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { type AgentState, createAgentStateContext } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test, vi } from "vitest";
import Below from "./components/below.svelte";
import Provider from "./components/provider.svelte";
import Within from "./components/within.svelte";
import Log from "./readme/log.svelte";
import { shelfContext } from "./readme/shelf-context.ts";
import { ada, openReplica, openShelf, shelf } from "./shelf.ts";

const title = (state: { title: string }) => state.title;

test("a component without a context throws an error that names the missing one", async () => {
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  await expect(render(Below, { agentContext, select: title })).rejects.toThrow('the context of "shelf"');
});

test("accepts a replica that was made elsewhere", async () => {
  const { replica, act } = await openReplica();
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  const screen = await render(Provider, { agentContext, setting: { replica }, below: [{ select: title }] });
  await act({ type: "rename", title: "Theirs" });
  await expect.poll(() => screen.container.textContent.trim()).toBe('"Theirs"');
  await screen.unmount();
  expect(replica.sync.getState().status).toBe("online");
});

test("connects once, with the first component that reads", async () => {
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

test("two contexts of one definition are independent", async () => {
  const mine = createAgentStateContext(shelf as AnyDefinition);
  const theirs = createAgentStateContext(shelf as AnyDefinition);
  const { replica } = await openReplica();
  const below = [{ select: title, agentContext: theirs }];
  await expect(render(Provider, { agentContext: mine, setting: { replica }, below })).rejects.toThrow(
    'the context of "shelf"',
  );
});

test("refuses at once what its actor may not do", async () => {
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  let agent: AgentState<Replica> | undefined;
  const transport = { connect: () => ({ send: () => undefined, close: () => undefined }) };
  const below = [{ select: title, hand: (got: AgentState<Replica>) => (agent = got) }];
  const initial = { version: 0, state: { title: "", count: 0, boxes: [] } };
  await render(Provider, { agentContext, setting: { transport, initial, actor: ada }, below });
  void agent?.dispatch({ type: "seal" });
  expect(agent?.sync).toMatchObject({ pending: [], rejections: [{ verdict: { rejection: { code: "forbidden" } } }] });
});

test("history, undo and proposals come from the access beside the replica", async () => {
  const { thread, replica, act } = await openReplica();
  const setting = { replica, access: accessThread(thread, ada), actor: ada };
  const screen = await render(Within, { agentContext: shelfContext, setting, part: Log });
  const lines = () => [...screen.container.querySelectorAll("li")].map((line) => line.textContent);
  const button = (name: RegExp) => screen.getByRole("button", { name });
  await replica.dispatch(shelf.op.rename({ title: "Mine" }));
  await act({ type: "put", id: "b", label: "B" });
  await expect.poll(lines).toEqual(["bob: put", "ada: rename"]);
  await button(/Undo rename/).click();
  await expect.poll(() => replica.getState()).toMatchObject({ title: "Shelf", count: 1 });
  await button(/Redo rename/).click();
  await expect.poll(() => replica.getState().title).toBe("Mine");
  await thread.propose(shelf.op.rename({ title: "Proposed" }), { actor: { kind: "agent", id: "planner" } });
  await button(/Accept/).click();
  await expect.poll(() => replica.getState().title).toBe("Proposed");
  await expect.element(button(/Accept/)).not.toBeInTheDocument();
  await expect.poll(() => lines()[0]).toBe("ada: $approve");
});

test("the history follows the replica, so it is never newer than the state beside it", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "rename", title: "Before" });
  const silent = { connect: () => ({ send: () => undefined, close: () => undefined }) };
  const setting = { transport: silent, access: accessThread(thread, ada), actor: ada };
  const screen = await render(Within, { agentContext: shelfContext, setting, part: Log });
  const lines = () => screen.container.querySelectorAll("li").length;
  await expect.poll(lines).toBe(1);
  await act({ type: "rename", title: "Unheard" });
  flushSync();
  expect(lines()).toBe(1);
});

test.for([
  ["history", {}, "access"],
  ["access", { actor: ada }, "access"],
  ["proposals", {}, "access"],
  ["undo", { access: "set" }, "actor"],
] as const)(
  "%s of a context that was set without what it needs says what is missing",
  async ([name, given, missing]) => {
    const { thread, replica } = await openReplica();
    const agentContext = createAgentStateContext(shelf);
    const access = "access" in given ? { access: accessThread(thread, ada) } : {};
    const setting = { replica, ...access, ...("actor" in given && { actor: given.actor }) };
    const part = () => {
      agentContext[name]();
      return {};
    };
    await expect(render(Within, { agentContext, setting, part })).rejects.toThrow(
      new RegExp(`context of "shelf" was set without an ${missing}`),
    );
  },
);

test("components share the history of their context, but one with options is their own", async () => {
  const { thread, replica } = await openReplica();
  const agentContext = createAgentStateContext(shelf);
  const got: unknown[] = [];
  const part = () => {
    got.push(agentContext.history() === agentContext.history(), agentContext.undo() === agentContext.undo());
    got.push(
      agentContext.proposals() === agentContext.proposals(),
      agentContext.history({}) === agentContext.history(),
    );
    got.push(agentContext.get().source === replica);
    return {};
  };
  await render(Within, { agentContext, setting: { replica, access: accessThread(thread, ada), actor: ada }, part });
  expect(got).toEqual([true, true, true, false, true]);
});
