// Pages that a server rendered (components/*.rendered are what the server's suite got) come to
// life.

import { createClient } from "@opstate/client";
import type { Thread } from "@opstate/core";
import { hydrate, unmount } from "svelte";
import { expect, onTestFinished, test, vi } from "vitest";
import logHtml from "../components/log.rendered?raw";
import html from "../components/page.rendered?raw";
import Page from "../components/page.svelte";
import Within from "../components/within.svelte";
import Log from "../readme/log.svelte";
import { shelfContext } from "../readme/shelf-context.ts";
import { ada, openPage } from "../support/shelf.ts";

async function hydrated(wrap: (thread: Thread) => Thread) {
  const { wired, act, wire } = await openPage();
  await act({ type: "put", id: "a", label: "A" });
  await act({ type: "rename", title: "As it was rendered" });
  await act({ type: "put", id: "b", label: "B" });
  await act({ type: "rename", title: "Changed since" });
  const target = document.createElement("main");
  target.innerHTML = html;
  const heading = target.querySelector("h1");
  const problems = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
  const titles: string[] = [];
  const history = vi.spyOn(wired, "history");
  const client = createClient({ threads: [wrap(wired)], actor: ada });
  const page = hydrate(Page, {
    target,
    props: { client, given: (title: string) => void titles.push(title) },
  });
  onTestFinished(() => {
    for (const spy of problems) spy.mockRestore();
    return unmount(page);
  });
  return { target, heading, titles, wire, history, problems: () => problems.flatMap((spy) => spy.mock.calls), act };
}

const says = (target: Element) => target.textContent.replaceAll(/\s+/g, " ").trim();

test("begins with what was rendered, and connects from its version", async () => {
  const { target, heading, titles, wire, history, problems, act } = await hydrated((thread) => thread);
  expect(titles[0]).toBe("As it was rendered");
  await expect.poll(() => says(target)).toBe("Changed since Changed since taken 2 AB");
  expect(target.querySelector("h1")).toBe(heading);
  expect(wire.connects).toBe(1);
  expect(history).toHaveBeenCalledWith(expect.objectContaining({ after: 2 }));
  await act({ type: "rename", title: "Live" });
  await expect.poll(() => says(target)).toBe("Live Live taken 2 AB");
  expect(problems()).toEqual([]);
});

test("hydrates also when the connection delivers a state at once", async () => {
  // Without commits after the page's version, a thread's snapshot is there at once.
  const eager = (thread: Thread): Thread => Object.assign(Object.create(thread) as Thread, { incarnation: "another" });
  const { target, problems } = await hydrated(eager);
  await expect.poll(() => says(target)).toBe("Changed since Changed since taken 2 AB");
  expect(problems()).toEqual([]);
});

test("history, undo and proposals begin as they were rendered, and are read afterwards", async () => {
  const { thread, page: shown } = await openPage();
  await shown.dispatch({ type: "rename", title: "Mine" });
  await thread.propose({ type: "rename", title: "Better" }, { actor: { kind: "agent", id: "planner" } });
  const target = document.createElement("main");
  target.innerHTML = logHtml;
  const list = target.querySelector("ol");
  const problems = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
  const setting = { thread: shown };
  const page = hydrate(Within, { target, props: { agentContext: shelfContext, setting, part: Log } });
  onTestFinished(() => {
    for (const spy of problems) spy.mockRestore();
    return unmount(page);
  });
  const buttons = () =>
    [...target.querySelectorAll("button")].map(
      (button) => `${button.textContent.trim()}${button.disabled ? " -" : ""}`,
    );
  expect(buttons()).toEqual(["Undo -", "Redo -"]);
  await expect.poll(() => target.querySelectorAll("li").length).toBe(2);
  await expect.poll(buttons).toEqual(["Undo rename", "Redo -", "Accept", "Decline"]);
  expect(target.querySelector("ol")).toBe(list);
  expect(problems.flatMap((spy) => spy.mock.calls)).toEqual([]);
});
