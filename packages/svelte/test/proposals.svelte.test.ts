import { accessThread } from "@opstate/core/feeds";
import { AgentState, Proposals } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test, vi } from "vitest";
import Waiting from "./components/waiting.svelte";
import { listened } from "./listened.ts";
import { ada, openReplica, openShelf, shelf } from "./shelf.ts";
import { watch } from "./watch.svelte.ts";

const robot = { kind: "agent", id: "planner" };

async function opened() {
  const { thread, act } = await openShelf();
  return { thread, act, human: accessThread(thread, ada), agent: accessThread(thread, robot) };
}

const lines = (container: Element) =>
  [...container.querySelectorAll("li")].map((line) => line.firstChild?.textContent?.trim());

async function withTwoProposals() {
  const { thread, human, agent } = await opened();
  await agent.propose(shelf.op.rename({ title: "Better" }), { id: "p1" });
  const screen = await render(Waiting, { proposals: new Proposals(human) });
  await expect.poll(() => lines(screen.container)).toEqual([expect.stringContaining("Better")]);
  await agent.propose(shelf.op.put({ id: "a", label: "A" }), { id: "p2" });
  await expect.poll(() => lines(screen.container).length).toBe(2);
  return { thread, screen };
}

test("lists a proposal until it is approved", async () => {
  const { thread, screen } = await withTwoProposals();
  await screen.getByRole("button", { name: "Accept p1" }).click();
  await expect.poll(() => lines(screen.container)).toEqual([expect.stringContaining("A")]);
  expect(thread.getState()).toMatchObject({ title: "Better", boxes: [] });
});

test("lists a proposal until it is declined", async () => {
  const { thread, screen } = await withTwoProposals();
  await screen.getByRole("button", { name: "Decline p2" }).click();
  await expect.poll(() => lines(screen.container)).toEqual([expect.stringContaining("Better")]);
  expect(thread.getState().boxes).toEqual([]);
  const [declined] = await thread.history({ order: "descending", limit: 1 });
  expect(declined).toMatchObject({ commit: { actor: ada, operation: { type: "$decline", reason: "Not now" } } });
});

test("marks a stale proposal, and approves only the version that was shown", async () => {
  const { thread, act, human, agent } = await opened();
  await agent.propose(shelf.op.rename({ title: "Better" }), { id: "p" });
  const approve = vi.fn(human.approve);
  const proposals = new Proposals({ ...human, approve });
  const screen = await render(Waiting, { proposals });
  await expect.poll(() => lines(screen.container).length).toBe(1);
  const [shown] = proposals.open;
  await act({ type: "rename", title: "Bob's" });
  await expect.poll(() => lines(screen.container)[0]).toContain("(stale)");
  await screen.getByRole("button", { name: "Accept p" }).click();
  await expect.element(screen.getByRole("paragraph")).toHaveTextContent("conflict");
  expect(approve).toHaveBeenCalledWith("p", { proposedAt: shown?.version });
  expect(thread.getState().title).toBe("Bob's");
  if (shown === undefined) throw new Error("One was proposed.");
  expect(await proposals.approve(shown, { anyway: true })).toMatchObject({
    accepted: true,
    commit: { operation: { anyway: true } },
  });
  expect(thread.getState().title).toBe("Better");
});

test("decides on the proposal that was shown, not on another one with the same id", async () => {
  const { thread, human, agent } = await opened();
  const other = accessThread(thread, { kind: "agent", id: "other" });
  const proposals = new Proposals(human);
  watch(() => proposals.open);
  await agent.propose(shelf.op.rename({ title: "Planner's" }), { id: "same" });
  await other.propose(shelf.op.rename({ title: "Other's" }), { id: "same" });
  await expect.poll(() => proposals.open.length).toBe(2);
  const [first, second] = proposals.open;
  if (first === undefined || second === undefined) throw new Error("Two were proposed.");
  expect(await proposals.decline(first, { reason: "No", id: "mine" })).toMatchObject({ accepted: true });
  expect(await proposals.approve(second)).toMatchObject({ accepted: true });
  expect(thread.getState().title).toBe("Other's");
});

test("reads only while a component shows it, or when it is refreshed", async () => {
  const { human, agent } = await opened();
  const { source, seen } = listened(human);
  const proposals = new Proposals(source);
  expect([proposals.open, proposals.loading, proposals.error]).toEqual([[], true, undefined]);
  await agent.propose(shelf.op.rename({ title: "Better" }));
  expect(seen).toMatchObject({ listeners: 0, reads: 0 });
  const screen = await render(Waiting, { proposals });
  await expect.poll(() => lines(screen.container).length).toBe(1);
  expect(seen).toMatchObject({ listeners: 1, reads: 1 });
  await screen.unmount();
  await expect.poll(() => seen.listeners).toBe(0);
  await agent.propose(shelf.op.rename({ title: "Unheard" }));
  expect([proposals.open.length, seen.reads]).toEqual([1, 1]);
  await proposals.refresh();
  expect(proposals.open.length).toBe(2);
});

test("shows an error until it can be read again", async () => {
  const { human } = await opened();
  const { source, seen } = listened(human);
  seen.failing = true;
  const proposals = new Proposals(source);
  const errors = watch(() => proposals.error);
  await expect.poll(() => (flushSync(), errors.seen.at(-1))).toEqual(new Error("no network"));
  seen.failing = false;
  await proposals.refresh();
  flushSync();
  expect(errors.seen.at(-1)).toBeUndefined();
});

test("come from the access beside a replica; a thread alone, which knows no actor, has none", async () => {
  const { thread, replica } = await openReplica();
  expect(new AgentState(thread).proposals).toBeUndefined();
  const board = new AgentState({ ...accessThread(thread, ada), ...replica });
  expect(board.proposals).toBe(board.proposals);
  const { seen } = watch(() => board.proposals.open.length);
  await thread.propose(shelf.op.rename({ title: "Better" }), { actor: robot });
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(1);
  const [waiting] = board.proposals.open;
  if (waiting !== undefined) await board.proposals.approve(waiting);
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(0);
  expect(board.current.title).toBe("Better");
});
