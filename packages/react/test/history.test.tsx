import { createHistoryFeed } from "@opstate/core/feeds";
import { useHistory } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test, vi } from "vitest";
import { openShelf } from "./shelf.ts";

async function filled(count: number) {
  const { thread, act } = await openShelf();
  for (let index = 1; index <= count; index++) await act({ type: "rename", title: `Title ${index}` });
  return { thread, act };
}

test("shows the newest page and new commits, and loads older pages", async () => {
  const { thread, act } = await filled(5);
  function Log() {
    const { entries, hasOlder, loading, older } = useHistory(thread, { pageSize: 2 });
    const versions = entries.map((entry) => (entry.kind === "commit" ? entry.commit.version : "refused"));
    return (
      <button disabled={!hasOlder} onClick={() => void older()}>
        {loading ? "loading" : versions.join(" ")}
      </button>
    );
  }
  const screen = await render(
    <StrictMode>
      <Log />
    </StrictMode>,
  );
  await expect.poll(() => screen.container.textContent).toBe("5 4");
  await act({ type: "rename", title: "Newer" });
  await expect.poll(() => screen.container.textContent).toBe("6 5 4");
  await screen.getByRole("button").click();
  await expect.poll(() => screen.container.textContent).toBe("6 5 4 3 2");
  await screen.getByRole("button").click();
  await expect.poll(() => screen.container.textContent).toBe("6 5 4 3 2 1");
  await expect.element(screen.getByRole("button")).toBeDisabled();
});

test("reads once in StrictMode, keeps its value while nothing changes, and follows another source", async () => {
  const one = await filled(1);
  const two = await filled(2);
  const history = vi.fn(one.thread.history);
  const first = { ...one, source: { onCommit: one.thread.onCommit, history } };
  const second = { ...two, source: { onCommit: two.thread.onCommit, history: two.thread.history } };
  const { result, rerender } = await renderHook(
    ({ source }: { source: typeof first.source | typeof second.source } = first) => useHistory(source),
    {
      wrapper: StrictMode,
    },
  );
  await expect.poll(() => result.current).toMatchObject({ entries: { length: 1 }, loading: false });
  expect(history).toHaveBeenCalledTimes(1);
  const before = result.current;
  await rerender(first);
  expect(result.current).toBe(before);
  await rerender(second);
  await expect.poll(() => result.current.entries.length).toBe(2);
});

test("components share a feed that they are given", async () => {
  const { thread } = await filled(3);
  const history = vi.fn(thread.history);
  const feed = createHistoryFeed({ onCommit: thread.onCommit, history });
  const { result } = await renderHook(() => [useHistory(feed), useHistory(feed)] as const);
  await expect.poll(() => result.current[0].entries.length).toBe(3);
  expect(result.current[1].entries).toBe(result.current[0].entries);
  expect(history).toHaveBeenCalledTimes(1);
});
