// A page that a server rendered (components/page.rendered is what the server's suite got) comes to life.

import { threadTransport, type Transport } from "@opstate/core";
import { flushSync, hydrate, unmount } from "svelte";
import { expect, onTestFinished, test, vi } from "vitest";
import html from "./components/page.rendered?raw";
import Page from "./components/page.svelte";
import { ada, openShelf } from "./shelf.ts";

async function hydrated(wrap: (transport: Transport) => Transport) {
  const { thread, act } = await openShelf();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "rename", title: "As it was rendered" });
  await act({ type: "put", id: "b", label: "B" });
  await act({ type: "rename", title: "Changed since" });
  const target = document.createElement("main");
  target.innerHTML = html;
  const heading = target.querySelector("h1");
  const problems = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
  const titles: string[] = [];
  const connects: (number | undefined)[] = [];
  const transport = wrap(threadTransport(thread, { actor: ada }));
  const connect: Transport["connect"] = (options) => (connects.push(options.after), transport.connect(options));
  const page = hydrate(Page, { target, props: { transport: { connect }, given: (title: string) => void titles.push(title) } });
  onTestFinished(() => {
    for (const spy of problems) spy.mockRestore();
    return unmount(page);
  });
  return { target, heading, titles, connects, problems: () => problems.flatMap((spy) => spy.mock.calls), act };
}

const says = (target: Element) => target.textContent.replaceAll(/\s+/g, " ").trim();

test("begins with what was rendered, and follows from its version", async () => {
  const { target, heading, titles, connects, problems, act } = await hydrated((transport) => transport);
  expect(titles[0]).toBe("As it was rendered");
  await expect.poll(() => says(target)).toBe("Changed since Changed since taken 2 AB");
  expect(target.querySelector("h1")).toBe(heading);
  expect(connects).toEqual([2]);
  await act({ type: "rename", title: "Live" });
  flushSync();
  expect(says(target)).toBe("Live Live taken 2 AB");
  expect(problems()).toEqual([]);
});

test("a connection that answers while it is made does a hydration no harm", async () => {
  const eager = (inner: Transport): Transport => ({
    // Without a version a thread's snapshot is there at once.
    connect: (options) => inner.connect({ onMessage: options.onMessage, onStatus: options.onStatus, after: undefined }),
  });
  const { target, problems } = await hydrated(eager);
  flushSync();
  expect(says(target)).toBe("Changed since Changed since taken 2 AB");
  expect(problems()).toEqual([]);
});
