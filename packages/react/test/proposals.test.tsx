import { useProposalOutcome, useProposals } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test } from "vitest";
import { openPage, shelf } from "./support/shelf.ts";

const robot = { kind: "agent", id: "planner" };

async function proposed() {
  const opened = await openPage();
  const propose = (update: Parameters<typeof opened.thread.propose>[0], id: string) =>
    opened.thread.propose(update, { actor: robot, id });
  await propose(shelf.op.rename({ title: "Better" }), "p");
  return { ...opened, propose };
}

test("lists a proposal until it is decided", async () => {
  const { thread, page, propose } = await proposed();
  function List() {
    const { proposals, loading, approve, decline } = useProposals(page);
    if (loading) return "reading";
    return proposals.map((proposal) => (
      <p key={proposal.version}>
        {proposal.sentence}
        <button onClick={() => void approve(proposal)}>Accept {proposal.id}</button>
        <button onClick={() => void decline(proposal, { reason: "Not now" })}>Decline {proposal.id}</button>
      </p>
    ));
  }
  const screen = await render(
    <StrictMode>
      <List />
    </StrictMode>,
  );
  const lines = () => screen.container.querySelectorAll("p").length;
  await expect.poll(() => screen.container.textContent).toContain("Better");
  await propose(shelf.op.put({ id: "a", label: "A" }), "q");
  await expect.poll(lines).toBe(2);
  await screen.getByRole("button", { name: "Accept p" }).click();
  await expect.poll(lines).toBe(1);
  await screen.getByRole("button", { name: "Decline q" }).click();
  await expect.poll(lines).toBe(0);
  expect(thread.getState()).toMatchObject({ title: "Better", boxes: [] });
});

test("decides about the proposal as it was shown", async () => {
  const { page, propose, act, thread } = await proposed();
  const { result } = await renderHook(() => useProposals(page));
  await expect.poll(() => result.current.proposals.length).toBe(1);
  const [shown] = result.current.proposals;
  await act({ type: "rename", title: "Bob's" });
  await expect.poll(() => result.current.proposals[0]?.stale.length).toBe(1);
  if (shown === undefined) throw new Error("One was proposed.");
  expect(await result.current.approve(shown)).toMatchObject({ rejection: { code: "conflict" } });
  expect(await result.current.approve({ ...shown, version: 99 }, { anyway: true })).toMatchObject({ accepted: false });
  expect(await result.current.approve(shown, { anyway: true })).toMatchObject({ accepted: true });
  expect(thread.getState().title).toBe("Better");
  await propose(shelf.op.rename({ title: "Best" }), "q");
  await expect.poll(() => result.current.proposals.map(({ id }) => id)).toEqual(["q"]);
});

test("keeps its value while nothing changes, and reads again on request", async () => {
  const { page } = await proposed();
  const { result, rerender } = await renderHook(() => [useProposals(page), useProposals(page)] as const);
  await expect.poll(() => result.current[0]).toMatchObject({ loading: false, proposals: { length: 1 } });
  const before = result.current[0];
  await rerender();
  expect(result.current[0]).toBe(before);
  expect(result.current[1].proposals).toBe(before.proposals);
  await result.current[0].refresh();
  expect(result.current[0].error).toBeUndefined();
});

test("says of one proposal that it is open, and then who decided and why", async () => {
  const { page, thread } = await proposed();
  const { result } = await renderHook(() => useProposalOutcome(page, "p"));
  await expect.poll(() => result.current.outcome).toMatchObject({ status: "open", proposal: { id: "p" } });
  await thread.decline("p", { actor: { kind: "user", id: "bob" }, reason: "Not now" });
  await expect.poll(() => result.current).toMatchObject({ outcome: { how: "declined", by: { id: "bob" } } });
});

test("says what became of a proposal that was decided before, and follows its id", async () => {
  const { page, thread, propose } = await proposed();
  await thread.approve("p", { actor: { kind: "user", id: "bob" } });
  await propose(shelf.op.rename({ title: "Best" }), "q");
  const { result, rerender } = await renderHook((id: string = "p") => useProposalOutcome(page, id));
  await expect.poll(() => result.current).toMatchObject({ outcome: { how: "approved" }, loading: false });
  await rerender("q");
  await expect.poll(() => result.current.outcome?.status).toBe("open");
});
