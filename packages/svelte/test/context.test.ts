import type { ClientThread } from "@opstate/client";
import type { AnyDefinition } from "@opstate/core";
import { type AgentState, createAgentStateContext } from "@opstate/svelte";
import { connectDevtools } from "@opstate/svelte/devtools";
import { render } from "vitest-browser-svelte";
import { expect, test } from "vitest";
import Below from "./components/below.svelte";
import Provider from "./components/provider.svelte";
import Within from "./components/within.svelte";
import { ada, openPage, shelf } from "./support/shelf.ts";

const title = (state: { title: string }) => state.title;

test("a component without a context throws an error that names the missing one", async () => {
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  await expect(render(Below, { agentContext, select: title })).rejects.toThrow('the context of "shelf"');
});

test("a context that is set to an object, which would not be followed, says how to set it", async () => {
  const agentContext = createAgentStateContext(shelf);
  const { client } = await openPage();
  const part = () => {
    agentContext.set({ client, threadId: "test" } as never);
    return {};
  };
  const setting = { client, threadId: "test" };
  await expect(render(Within, { agentContext, setting, part })).rejects.toThrow("set(() => ({ client, threadId }))");
});

test("connects once, with the first component that reads", async () => {
  const { thread, client, wire } = await openPage();
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  const setting = { client, threadId: "test" };
  const none = await render(Provider, { agentContext, setting, below: [] });
  expect(wire.asked).toBe(0);
  await none.unmount();
  const screen = await render(Provider, { agentContext, setting, below: [{ select: title }, { select: title }] });
  await thread.dispatch({ type: "rename", title: "Seen" }, { actor: ada });
  await expect.poll(() => screen.container.textContent.replaceAll(/\s/g, "")).toBe('"Seen""Seen"');
  expect(wire).toMatchObject({ asked: 1, connects: 1 });
});

test("two contexts of one definition are independent", async () => {
  const mine = createAgentStateContext(shelf as AnyDefinition);
  const theirs = createAgentStateContext(shelf as AnyDefinition);
  const { client } = await openPage();
  const setting = { client, threadId: "test" };
  const below = [{ select: title, agentContext: theirs }];
  await expect(render(Provider, { agentContext: mine, setting, below })).rejects.toThrow('the context of "shelf"');
});

test("refuses at once what its actor may not do", async () => {
  const { client } = await openPage();
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  let agent: AgentState<ClientThread> | undefined;
  const below = [{ select: title, hand: (got: AgentState<ClientThread>) => (agent = got) }];
  await render(Provider, { agentContext, setting: { client, threadId: "test" }, below });
  expect(agent?.can({ type: "seal" })).toMatchObject({ code: "forbidden" });
  void agent?.dispatch({ type: "seal" });
  expect(agent?.sync).toMatchObject({ pending: [], rejections: [{ verdict: { rejection: { code: "forbidden" } } }] });
});

test("set to a view of Redux DevTools, shows the past that is jumped to, while edits go on", async () => {
  const { page, thread } = await openPage();
  let jump: (payload: object) => void = () => undefined;
  const view = connectDevtools(page, {
    name: "shelf",
    extension: {
      connect: () => ({
        init: () => undefined,
        send: () => undefined,
        subscribe: (listener) => void (jump = (payload) => listener({ type: "DISPATCH", ...payload })),
      }),
    },
  });
  const agentContext = createAgentStateContext(shelf as AnyDefinition);
  let agent: AgentState<ClientThread> | undefined;
  const below = [{ select: title, hand: (got: AgentState<ClientThread>) => (agent = got) }];
  const screen = await render(Provider, { agentContext, setting: { thread: view }, below });
  const shown = () => screen.container.textContent.trim();
  await expect.poll(() => page.sync.getState().status).toBe("online");
  const past = JSON.stringify(view.getState());
  await agent?.dispatch({ type: "rename", title: "Now" });
  await expect.poll(shown).toBe('"Now"');
  jump({ payload: { type: "JUMP_TO_STATE", actionId: 0 }, state: past });
  await expect.poll(shown).toBe('"Shelf"');
  await agent?.dispatch({ type: "rename", title: "Meanwhile" });
  expect(thread.getState().title).toBe("Meanwhile");
  expect(shown()).toBe('"Shelf"');
  jump({ payload: { type: "JUMP_TO_STATE", actionId: 2 }, state: past });
  await expect.poll(shown).toBe('"Meanwhile"');
});
