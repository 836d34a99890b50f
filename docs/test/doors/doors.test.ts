// Pages of both bindings over HTTP, as a router makes them: another thread comes as another prop,
// without a key; a boundary above waits.

import { memoryLog, openThread } from "@opstate/core";
import { createServer, type Right } from "@opstate/server";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tally } from "./tally.ts";
import { openBrowser, type People } from "../../../tools/people.ts";
import { type ServedPage, servePage } from "../support/page.ts";

describe.each(["react", "svelte"])("a page in %s", (binding) => {
  const log = memoryLog();
  let site: ServedPage;
  let people: People;
  let api: string;
  let close: () => Promise<void>;
  /** What Rita may do; others may do all, and Eve nothing. */
  let rita: readonly Right[] = ["read"];
  let tellRita: (rights: readonly Right[]) => Promise<void>;

  beforeAll(async () => {
    for (const threadId of ["a", "b", "c"]) await (await openThread({ definition: tally, log, threadId })).close();
    site = await servePage(join(import.meta.dirname, binding));
    const server = createServer({
      definitions: [tally],
      log,
      origins: [new URL(site.url).origin],
      authorize(request) {
        const id = request.headers.get("authorization");
        if (id === null || id === "nobody") return null;
        return {
          actor: { kind: "user", id },
          allows: (_, right) => (id === "rita" ? rita.includes(right) : id !== "eve"),
        };
      },
    });
    close = () => server.close();
    tellRita = async (rights) => {
      rita = rights;
      await server.revoke({ actor: { kind: "user", id: "rita" } });
    };
    ({ url: api } = await server.listen());
    people = await openBrowser();
  });

  afterAll(async () => {
    await people?.close();
    await close?.();
    await site?.close();
  });

  /** A person at the page, and the threads that it requested to follow. */
  async function open(query: Record<string, string> = {}) {
    const { page, context } = await people.visit("about:blank");
    const followed: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "POST" || !new URL(request.url()).pathname.includes("/events")) return;
      const { threads, follow } = request.postDataJSON() as { readonly threads?: object; readonly follow?: object };
      followed.push(...Object.keys({ ...threads, ...follow }));
    });
    await page.goto(`${site.url}?${new URLSearchParams({ api, ...query }).toString()}`);
    return { page, context, followed };
  }

  const says = (page: Page, text: string | RegExp) => page.getByText(text).waitFor();
  const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
  const countOf = async (threadId: string) => {
    const answer = await fetch(`${api}/threads/${threadId}`, { headers: { authorization: "ada" } });
    return ((await answer.json()) as { state: { count: number } }).state.count;
  };

  it("opens, with one stream", async () => {
    const { page, followed } = await open({ thread: "c" });
    await says(page, "c: 0, online");
    expect(followed).toEqual(["c"]);
  });

  it("shows another thread when it is given one, and writes into that", async () => {
    const { page, followed } = await open();
    await press(page, "Add");
    await says(page, "a: 1, online, 0 wait, 1 in the log");
    await press(page, "Open b");
    await says(page, "b: 0, online, 0 wait, 0 in the log");
    for (let times = 0; times < 3; times += 1) await press(page, "Add");
    await says(page, "b: 3, online, 0 wait, 3 in the log");
    await press(page, "Undo");
    await says(page, "b: 2, online, 0 wait, 4 in the log");
    expect(await Promise.all([countOf("a"), countOf("b")])).toEqual([1, 2]);
    expect(followed).toEqual(["a", "b"]);
  });

  it("sends what waits to the thread that it was made in, also after the page went on to another", async () => {
    const [a, b] = await Promise.all([countOf("a"), countOf("b")]);
    const { page, context } = await open();
    await says(page, `a: ${a}, online`);
    await context.setOffline(true);
    await says(page, `a: ${a}, offline`);
    await press(page, "Add");
    await says(page, `a: ${a + 1}, offline, 1 wait`);
    await press(page, "Open b");
    await press(page, "Open a");
    await says(page, `a: ${a + 1}, offline, 1 wait`);
    await press(page, "Open b");
    await context.setOffline(false);
    await says(page, `b: ${b}, online, 0 wait`);
    await expect.poll(() => countOf("a")).toBe(a + 1);
    expect(await countOf("b")).toBe(b);
    await press(page, "Open a");
    await says(page, `a: ${a + 1}, online, 0 wait`);
  });

  it("says to a person that they may only read, shows what others do, and lets them write when they may", async () => {
    const { page } = await open({ user: "rita", thread: "c" });
    const add = page.getByRole("button", { name: "Add" });
    await says(page, "You may only read this.");
    expect(await add.isDisabled()).toBe(true);

    const { page: other } = await open({ thread: "c" });
    await press(other, "Add");
    await says(page, "c: 1, online, 0 wait");
    expect(await add.isDisabled()).toBe(true);

    await tellRita(["read", "write"]);
    await add.click();
    await says(page, "c: 2, online, 0 wait");

    await tellRita(["read"]);
    await says(page, "You may only read this.");
    expect([await add.isDisabled(), await countOf("c")]).toEqual([true, 2]);
  });

  it.each([
    ["nobody", "a", "unauthenticated"],
    ["eve", "a", "forbidden"],
    ["ada", "nowhere", "not_found"],
  ])("says to %s at %s that it is %s, and does not retry by itself", async (user, thread, status) => {
    const { page, followed } = await open({ user, thread });
    await page.getByRole("alert").waitFor();
    // A function for headers is called once more for a fresh token.
    const expected = status === "unauthenticated" ? 2 : 1;
    expect(followed.length).toBe(expected);
    await press(page, "Look again");
    await page.getByRole("alert").waitFor();
    expect(followed.length).toBe(expected);
  });
});
