import { useAgentState } from "@opstate/react";
import { memo, startTransition, StrictMode, Suspense, use, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { render, renderHook } from "vitest-browser-react";
import { expect, onTestFinished, test, vi } from "vitest";
import { shallow } from "zustand/shallow";
import { openPage, openShelf, shelf } from "./support/shelf.ts";

test("has the state of a thread at once and follows it", async () => {
  const { thread, act } = await openShelf();
  const { result } = await renderHook(() => useAgentState(thread));
  expect(result.current).toBe(thread.getState());
  await act({ type: "rename", title: "Books" });
  await expect.poll(() => result.current.title).toBe("Books");
});

test("renders only for its slice, and an untouched slice keeps its reference", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  const renders = { shelf: 0, a: 0, b: 0 };
  const Box = memo(function Box({ id }: { id: "a" | "b" }) {
    renders[id] += 1;
    return <i>{useAgentState(thread, (state) => state.boxes.find((box) => box.id === id))?.label}</i>;
  });
  function Shelf() {
    renders.shelf += 1;
    const ids = useAgentState(thread, (state) => state.boxes.map((box) => box.id), shallow);
    return ids.map((id) => <Box key={id} id={id as "a" | "b"} />);
  }
  const screen = await render(<Shelf />);
  expect(screen.container.textContent).toBe("AB");
  const before = { ...renders };
  await act({ type: "label", id: "b", label: "Changed" });
  await expect.poll(() => screen.container.textContent).toBe("AChanged");
  expect(renders).toEqual({ ...before, b: before.b + 1 });
});

test("accepts an inline selector that returns a new value each time, in StrictMode, without a warning", async () => {
  const warn = vi.spyOn(console, "error");
  onTestFinished(() => warn.mockRestore());
  const { thread, act } = await openShelf();
  let renders = 0;
  function Labels() {
    renders += 1;
    return <p>{useAgentState(thread, (state) => state.boxes.map((box) => box.label)).join()}</p>;
  }
  const screen = await render(
    <StrictMode>
      <Labels />
    </StrictMode>,
  );
  const settled = renders;
  await act({ type: "put", id: "a", label: "A" });
  await expect.poll(() => screen.container.textContent).toBe("A");
  expect(renders).toBeLessThanOrEqual(settled + 2);
  expect(warn).not.toHaveBeenCalled();
});

test("an equal slice keeps its reference, also when the selector changed", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  const { result, rerender } = await renderHook(({ salt }: { salt: number } = { salt: 0 }) =>
    useAgentState(thread, (state) => state.boxes.map((box) => box.id.repeat(salt === 9 ? 2 : 1)), shallow),
  );
  const first = result.current;
  expect(first).toEqual(["a"]);
  await rerender({ salt: 1 });
  expect(result.current).toBe(first);
  await act({ type: "label", id: "a", label: "Other" });
  expect(result.current).toBe(first);
});

test("follows another source when it is given one", async () => {
  const one = await openShelf();
  const two = await openShelf();
  await two.act({ type: "rename", title: "Two" });
  const { result, rerender } = await renderHook(({ thread }: typeof one = one) =>
    useAgentState(thread, (state) => state.title),
  );
  expect(result.current).toBe("Shelf");
  await rerender(two);
  expect(result.current).toBe("Two");
  await one.act({ type: "rename", title: "One" });
  expect(result.current).toBe("Two");
});

test("all readers of a source share one subscription, and the last one ends it", async () => {
  const { thread } = await openShelf();
  let open = 0;
  const counted = {
    ...thread,
    subscribe(listener: Parameters<typeof thread.subscribe>[0]) {
      const end = thread.subscribe(listener);
      open += 1;
      return () => {
        open -= 1;
        end();
      };
    },
  };
  function Two() {
    useAgentState(counted);
    return useAgentState(counted, (state) => state.title);
  }
  const screen = await render(
    <StrictMode>
      <Two />
    </StrictMode>,
  );
  expect(open).toBe(1);
  await screen.unmount();
  expect(open).toBe(0);
});

test("shows an optimistic edit at once, and confirms it without a flicker", async () => {
  const { page, gate } = await openPage();
  const shown: string[] = [];
  const { act: inReact } = await renderHook(() => {
    const title = useAgentState(page, (state) => state.title);
    if (shown.at(-1) !== title) shown.push(title);
  });
  gate.hold = true;
  let verdict!: ReturnType<typeof page.dispatch>;
  await inReact(() => ((verdict = page.dispatch(shelf.op.rename({ title: "Books" }))), undefined));
  expect(shown).toEqual(["Shelf", "Books"]);
  await inReact(async () => {
    gate.release();
    await verdict;
  });
  expect(await verdict).toMatchObject({ accepted: true, version: 1 });
  expect(shown).toEqual(["Shelf", "Books"]);
});

test("stops showing an edit that the authority refuses", async () => {
  const { page, gate, act } = await openPage();
  const { result, act: inReact } = await renderHook(() =>
    useAgentState(page, (state) => state.boxes.map((box) => box.label).join()),
  );
  gate.hold = true;
  let verdict!: ReturnType<typeof page.dispatch>;
  await inReact(() => ((verdict = page.dispatch(shelf.op.put({ id: "a", label: "mine" }))), undefined));
  expect(result.current).toBe("mine");
  await act({ type: "put", id: "a", label: "theirs" });
  gate.release();
  expect(await verdict).toMatchObject({ accepted: false, rejection: { reason: "taken" } });
  await expect.poll(() => result.current).toBe("theirs");
});

test("a component that appears during an update reads the same state as the others", async () => {
  const { thread, act } = await openShelf();
  const Count = () => <b>{useAgentState(thread, (state) => state.count)}</b>;
  function Shelf() {
    const count = useAgentState(thread, (state) => state.count);
    const [extra, setExtra] = useState(false);
    return (
      <button onClick={() => setExtra(true)}>
        {count}
        {extra && <Count />}
      </button>
    );
  }
  const screen = await render(<Shelf />);
  await act({ type: "put", id: "a", label: "A" });
  screen.container.querySelector("button")?.click();
  await expect.poll(() => screen.container.textContent).toBe("11");
});

test("renders on a server from the initial state and hydrates without a mismatch", async () => {
  const { thread, act } = await openShelf();
  const Title = () => <h1>{useAgentState(thread, (state) => [state.title])[0]}</h1>;
  const html = renderToString(<Title />);
  expect(html).toBe("<h1>Shelf</h1>");
  await act({ type: "rename", title: "Changed before hydration" });
  const container = document.createElement("div");
  container.innerHTML = html;
  const problems: unknown[] = [];
  const root = hydrateRoot(container, <Title />, { onRecoverableError: (error) => problems.push(error) });
  onTestFinished(() => root.unmount());
  await expect.poll(() => container.textContent).toBe("Changed before hydration");
  expect(problems).toEqual([]);
});

test("follows what it shows while a render with another selector is thrown away", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  const never = new Promise<never>(() => undefined);
  const rendered: string[] = [];
  function Label({ id }: { id: string }) {
    rendered.push(id);
    const label = useAgentState(thread, (state) => state.boxes.find((box) => box.id === id)?.label);
    return <p>{id === "a" ? label : use(never)}</p>;
  }
  function Page() {
    const [id, setId] = useState("a");
    return (
      <Suspense fallback="loading">
        <Label id={id} />
        <button onClick={() => startTransition(() => setId("b"))} />
      </Suspense>
    );
  }
  const screen = await render(<Page />);
  screen.container.querySelector("button")!.click();
  await expect.poll(() => rendered.includes("b")).toBe(true);
  expect(screen.container.textContent).toBe("A");
  await act({ type: "label", id: "a", label: "Changed" });
  await expect.poll(() => screen.container.textContent).toBe("Changed");
});

test("a selector that throws for what is gone disturbs nothing when its component goes, too", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  const Box = memo(function Box({ id }: { id: string }) {
    return <i>{useAgentState(thread, (state) => state.boxes.find((box) => box.id === id)!.label)}</i>;
  });
  function Shelf() {
    const boxes = useAgentState(thread, (state) => state.boxes);
    return boxes.map(({ id }) => <Box key={id} id={id} />);
  }
  function Title() {
    return <b>{useAgentState(thread, (state) => state.title)}</b>;
  }
  const screen = await render(
    <>
      <Shelf />
      <Title />
    </>,
  );
  expect(screen.container.textContent).toBe("AShelf");
  await thread.dispatch({ title: "Empty", boxes: [] }, { actor: { kind: "system", id: "cron" } });
  await expect.poll(() => screen.container.textContent).toBe("Empty");
});
