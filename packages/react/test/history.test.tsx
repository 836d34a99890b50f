import { useHistory } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test, vi } from "vitest";
import { openPage, shelf } from "./support/shelf.ts";

async function filled(count: number) {
  const { wired, act, client } = await openPage();
  for (let index = 1; index <= count; index++) await act({ type: "rename", title: `Title ${index}` });
  const history = vi.spyOn(wired, "history");
  return { act, page: client.thread(shelf, "test"), history };
}

test("shows the newest page and new commits, and loads older pages", async () => {
  const { page, act } = await filled(5);
  function Log() {
    const { entries, hasOlder, loading, older } = useHistory(page, { pageSize: 2 });
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

test("keeps its value while nothing changes, and follows another thread", async () => {
  const [one, two] = [await filled(1), await filled(2)];
  const { result, rerender } = await renderHook(({ page }: typeof one = one) => useHistory(page), {
    wrapper: StrictMode,
  });
  await expect.poll(() => result.current).toMatchObject({ entries: { length: 1 }, loading: false });
  const before = result.current;
  await rerender(one);
  expect(result.current).toBe(before);
  await rerender(two);
  await expect.poll(() => result.current.entries.length).toBe(2);
});

test("components with the same options share its reads", async () => {
  const { page, history } = await filled(3);
  const { result } = await renderHook(
    () => [useHistory(page, { pageSize: 2 }), useHistory(page, { pageSize: 2 })] as const,
    { wrapper: StrictMode },
  );
  await expect.poll(() => result.current[0].entries.length).toBe(2);
  expect(result.current[1].entries).toBe(result.current[0].entries);
  // The connection reads what it may have missed, too.
  const pages = history.mock.calls.filter(([range]) => range?.limit === 2);
  expect(pages.length).toBe(1);
});
