import { accessThread, createProposalFeed } from "@opstate/core/feeds";
import { useProposals } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test, vi } from "vitest";
import { ada, openShelf, shelf } from "./shelf.ts";

const robot = { kind: "agent", id: "planner" };

test("lists a proposal until it is decided", async () => {
  const { thread } = await openShelf();
  const [human, agent] = [accessThread(thread, ada), accessThread(thread, robot)];
  await agent.propose(shelf.op.rename({ title: "Better" }), { id: "p" });
  function List() {
    const { proposals, loading } = useProposals(human);
    if (loading) return "reading";
    return proposals.map(({ id, version, sentence }) => (
      <button key={version} onClick={() => void human.approve(id, { proposedAt: version })}>
        {sentence}
      </button>
    ));
  }
  const screen = await render(
    <StrictMode>
      <List />
    </StrictMode>,
  );
  await expect.poll(() => screen.container.textContent).toContain("Better");
  await agent.propose(shelf.op.put({ id: "a", label: "A" }));
  await expect.poll(() => screen.container.querySelectorAll("button").length).toBe(2);
  await screen.getByRole("button").first().click();
  await expect.poll(() => screen.container.querySelectorAll("button").length).toBe(1);
  expect(thread.getState().title).toBe("Better");
});

test("keeps its value while nothing changes, and accepts a shared feed", async () => {
  const { thread } = await openShelf();
  const proposals = vi.fn(thread.proposals);
  const feed = createProposalFeed({ onCommit: thread.onCommit, proposals });
  const { result, rerender } = await renderHook(() => [useProposals(feed), useProposals(feed)] as const);
  await expect.poll(() => result.current[0].loading).toBe(false);
  const before = result.current[0];
  await rerender();
  expect(result.current[0]).toBe(before);
  expect(proposals).toHaveBeenCalledTimes(1);
  await result.current[0].refresh();
  expect(proposals).toHaveBeenCalledTimes(2);
});
