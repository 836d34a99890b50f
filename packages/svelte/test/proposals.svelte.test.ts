import { ProposalOutcome, Proposals } from "@opstate/svelte";
import { flushSync } from "svelte";
import { render } from "vitest-browser-svelte";
import { expect, test, vi } from "vitest";
import Waiting from "./components/waiting.svelte";
import { ada, openPage, shelf } from "./support/shelf.ts";
import { watch } from "./support/watch.svelte.ts";

const robot = { kind: "agent", id: "planner" };

async function opened() {
  const page = await openPage();
  const propose = (update: Parameters<typeof page.thread.propose>[0], id: string, actor = robot) =>
    page.thread.propose(update, { actor, id });
  return { ...page, propose, reads: vi.spyOn(page.wired, "proposals") };
}

const lines = (container: Element) =>
  [...container.querySelectorAll("li")].map((line) => line.firstChild?.textContent?.trim());

async function withTwoProposals() {
  const { thread, page, propose } = await opened();
  await propose(shelf.op.rename({ title: "Better" }), "p1");
  const screen = await render(Waiting, { waiting: new Proposals(page) });
  await expect.poll(() => lines(screen.container)).toEqual([expect.stringContaining("Better")]);
  await propose(shelf.op.put({ id: "a", label: "A" }), "p2");
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
  const { thread, page, wired, act, propose } = await opened();
  await propose(shelf.op.rename({ title: "Better" }), "p");
  const approve = vi.spyOn(wired, "approve");
  const waiting = new Proposals(page);
  const screen = await render(Waiting, { waiting });
  await expect.poll(() => lines(screen.container).length).toBe(1);
  const [shown] = waiting.proposals;
  await act({ type: "rename", title: "Bob's" });
  await expect.poll(() => lines(screen.container)[0]).toContain("(stale)");
  await screen.getByRole("button", { name: "Accept p" }).click();
  await expect.element(screen.getByRole("paragraph")).toHaveTextContent("conflict");
  expect(approve).toHaveBeenCalledWith("p", expect.objectContaining({ proposedAt: shown?.version, actor: ada }));
  expect(thread.getState().title).toBe("Bob's");
  if (shown === undefined) throw new Error("One was proposed.");
  expect(await waiting.approve(shown, { anyway: true })).toMatchObject({
    accepted: true,
    commit: { operation: { anyway: true } },
  });
  expect(thread.getState().title).toBe("Better");
});

test("decides on the proposal that was shown, not on another one with the same id", async () => {
  const { thread, page, propose } = await opened();
  const waiting = new Proposals(page);
  const { seen } = watch(() => waiting.proposals);
  await propose(shelf.op.rename({ title: "Planner's" }), "same");
  await propose(shelf.op.rename({ title: "Other's" }), "same", { kind: "agent", id: "other" });
  await expect.poll(() => (flushSync(), seen.at(-1)?.length)).toBe(2);
  const [first, second] = waiting.proposals;
  if (first === undefined || second === undefined) throw new Error("Two were proposed.");
  expect(await waiting.decline(first, { reason: "No", id: "mine" })).toMatchObject({ accepted: true });
  expect(await waiting.approve(second)).toMatchObject({ accepted: true });
  expect(thread.getState().title).toBe("Other's");
});

test("reads only while a component shows it, or when it is refreshed", async () => {
  const { page, propose, reads, wire } = await opened();
  const waiting = new Proposals(page);
  expect([waiting.proposals, waiting.loading, waiting.error]).toEqual([[], true, undefined]);
  await propose(shelf.op.rename({ title: "Better" }), "p");
  expect(reads).not.toHaveBeenCalled();
  const screen = await render(Waiting, { waiting });
  await expect.poll(() => lines(screen.container).length).toBe(1);
  await screen.unmount();
  await expect.poll(() => wire.open).toBe(0);
  const before = reads.mock.calls.length;
  await propose(shelf.op.rename({ title: "Unheard" }), "q");
  expect([waiting.proposals.length, reads.mock.calls.length]).toEqual([1, before]);
  await waiting.refresh();
  expect(waiting.proposals.length).toBe(2);
});

test("shows an error until it can be read again", async () => {
  const { page, reads } = await opened();
  reads.mockImplementation(() => Promise.reject(new Error("no network")));
  const waiting = new Proposals(page);
  const errors = watch(() => waiting.error);
  await expect.poll(() => (flushSync(), errors.seen.at(-1))).toEqual(new Error("no network"));
  reads.mockRestore();
  await waiting.refresh();
  await expect.poll(() => (flushSync(), errors.seen.at(-1))).toBeUndefined();
});

test("proposes", async () => {
  const { page } = await opened();
  const waiting = new Proposals(page);
  const { seen } = watch(() => waiting.proposals.map(({ id }) => id));
  expect(await waiting.propose(shelf.op.rename({ title: "Mine" }), { id: "mine" })).toMatchObject({ accepted: true });
  await expect.poll(() => (flushSync(), seen.at(-1))).toEqual(["mine"]);
});

test("says of one proposal that it is open, and then who decided and why", async () => {
  const { page, thread, propose } = await opened();
  await propose(shelf.op.rename({ title: "Better" }), "p");
  const asked = new ProposalOutcome(page, "p");
  const { seen } = watch(() => asked.outcome);
  await expect.poll(() => (flushSync(), seen.at(-1))).toMatchObject({ status: "open", proposal: { id: "p" } });
  await thread.decline("p", { actor: { kind: "user", id: "bob" }, reason: "Not now" });
  await expect.poll(() => (flushSync(), seen.at(-1))).toMatchObject({ how: "declined", by: { id: "bob" } });
  expect([asked.loading, asked.error]).toEqual([false, undefined]);
});

test("says what became of a proposal that was decided before, and follows its id", async () => {
  const { page, thread, propose } = await opened();
  await propose(shelf.op.rename({ title: "Better" }), "p");
  await thread.approve("p", { actor: ada });
  await propose(shelf.op.rename({ title: "Best" }), "q");
  let id = $state("p");
  const asked = new ProposalOutcome(page, () => id);
  const { seen } = watch(() => asked.outcome);
  await expect.poll(() => (flushSync(), seen.at(-1))).toMatchObject({ how: "approved" });
  id = "q";
  await expect.poll(() => (flushSync(), seen.at(-1)?.status)).toBe("open");
});
