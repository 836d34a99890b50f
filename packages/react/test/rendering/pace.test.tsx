// The pace: how often components render when changes come faster than frames.

import { useAgentState } from "@opstate/react";
import { useState } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, test, vi } from "vitest";
import { task } from "../support/frames.ts";
import { openPage, openShelf, shelf } from "../support/shelf.ts";

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

test("renders changes of many tasks at most twice a frame, and shows the last one", async () => {
  const { thread, act } = await openShelf();
  let renders = 0;
  const { result } = await renderHook(() => {
    renders += 1;
    return useAgentState(thread, (state) => state.title);
  });
  const before = renders;
  let frames = 0;
  let counting = true;
  const count = () => {
    frames += 1;
    if (counting) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  for (let index = 1; index <= 200; index++) {
    await act({ type: "rename", title: `Title ${index}` });
    await task();
  }
  await expect.poll(() => result.current).toBe("Title 200");
  counting = false;
  // One at once in the first frame, then one for each frame that began meanwhile.
  expect(renders - before).toBeLessThanOrEqual(frames + 2);
  expect(frames).toBeLessThan(150);
});

test("shows a first change at once", async () => {
  const { thread, act } = await openShelf();
  const frames = vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(0);
  const { result } = await renderHook(() => useAgentState(thread, (state) => state.title));
  await act({ type: "rename", title: "At once" });
  await task();
  expect(result.current).toBe("At once");
  frames.mockRestore();
});

test("shows an own edit at once, also between frames with many edits of others", async () => {
  const { page, act } = await openPage();
  const { result } = await renderHook(() => useAgentState(page, (state) => [state.title, state.count].join()));
  await frame();
  const frames = vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(0);
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  await task();
  expect(result.current).toBe("Shelf,1");
  void page.dispatch(shelf.op.rename({ title: "Mine" }));
  await task();
  expect(result.current).toBe("Mine,2");
  frames.mockRestore();
});

test("requests no frame for an own edit and its verdict", async () => {
  const { page } = await openPage();
  const { result } = await renderHook(() => useAgentState(page, (state) => state.title));
  await frame();
  const frames = vi.spyOn(globalThis, "requestAnimationFrame");
  await page.dispatch(shelf.op.rename({ title: "Mine" }));
  await task();
  expect(result.current).toBe("Mine");
  expect(frames).not.toHaveBeenCalled();
  frames.mockRestore();
});

test("shows all components the same state, whenever they render", async () => {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  const pairs: [number, number][] = [];
  function Inner({ outer }: { outer: number }) {
    const inner = useAgentState(thread, (state) => state.count);
    const [, again] = useState(0);
    pairs.push([outer, inner]);
    return <button onClick={() => again((clicks) => clicks + 1)}>{inner}</button>;
  }
  function Outer() {
    return <Inner outer={useAgentState(thread, (state) => state.count)} />;
  }
  const screen = await render(<Outer />);
  const button = screen.container.querySelector("button");
  for (const id of ["b", "c", "d", "e"]) {
    await act({ type: "put", id, label: id });
    // In the middle of a frame, for a reason of its own.
    button?.click();
    await task();
  }
  await expect.poll(() => screen.container.textContent).toBe("5");
  for (const [outer, inner] of pairs) expect(inner).toBe(outer);
});

test("follows in a hidden page, which has no frames", async () => {
  const { thread, act } = await openShelf();
  const frames = vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(0);
  const { result } = await renderHook(() => useAgentState(thread, (state) => state.count));
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "put", id: "b", label: "B" });
  await expect.poll(() => result.current).toBe(2);
  frames.mockRestore();
});

test("updates the components when another listener throws", async () => {
  const heard: unknown[] = [];
  const hear = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    heard.push(event.reason);
  };
  addEventListener("unhandledrejection", hear);
  const { thread, act } = await openShelf();
  thread.subscribe(() => {
    throw new Error("a listener's own");
  });
  const { result } = await renderHook(() => useAgentState(thread, (state) => state.title));
  await act({ type: "rename", title: "Shown" });
  await expect.poll(() => result.current).toBe("Shown");
  await expect.poll(() => heard).toEqual([new Error("a listener's own")]);
  removeEventListener("unhandledrejection", hear);
});
