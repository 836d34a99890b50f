// What is known of a page is what its server knows of it, and no more.

import { expect, it } from "vitest";
import { PageState } from "../../src/socket/page-state.ts";

const welcome = { incarnation: "i" };
const commits = (version: number) => ({ commits: [{ version }] });

function following(): PageState {
  const page = new PageState();
  page.follow({ a: {} });
  page.welcome("a", welcome);
  page.receive("snapshot", "a", { snapshot: { version: 3 } });
  return page;
}

const read = { after: 3, incarnation: "i", readOnly: false };

it("knows where a thread is that came before the answer to its change", () => {
  const page = following();
  page.follow({ b: { after: 1, incarnation: "j" } });
  page.welcome("b", { incarnation: "j" });
  page.receive("commits", "b", commits(2));
  page.unfollow([]);
  expect(page.positions).toEqual({ a: read, b: { after: 2, incarnation: "j", readOnly: false } });
});

it("knows no thread of a change that was refused", () => {
  const page = following();
  page.follow({ b: {} });
  page.withdraw({ b: {} });
  expect(page.positions).toEqual({ a: read });
});

it("knows no thread that was left, whatever comes of it still", () => {
  const page = following();
  page.unfollow(["a"]);
  page.receive("commits", "a", commits(4));
  expect(page.positions).toEqual({});
});

it("knows nothing of tabs that show nothing any more, and of threads that were left", () => {
  const page = following();
  for (const tab of ["one", "two"]) page.show({ tab, threads: { a: { typing: true } } });
  page.show({ tab: "one", threads: { a: null } });
  expect(page.shown).toEqual([{ tab: "two", threads: { a: { typing: true } } }]);
  page.unfollow(["a"]);
  expect(page.shown).toEqual([]);
});
