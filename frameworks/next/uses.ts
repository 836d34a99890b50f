// What a user sees of the application, whichever bundler built it.

import { expect, it } from "vitest";
import type { Page } from "playwright";
import type { People } from "../../tools/people.ts";
import type { Program } from "../../tools/program.ts";

export interface Running {
  /** Where Next serves the pages. */
  readonly site: string;
  /** Where the opstate server listens: another origin. */
  readonly api: string;
  /** It prints each request. */
  readonly server: Program;
  readonly people: People;
}

/** Registers the tests, in this order: they share the boards. */
export function usesBoards(running: () => Running): void {
  /** The requests of a method and path that the server got while something was done. */
  const requestsOf = async (what: string, run: () => Promise<unknown>): Promise<number> => {
    const { server } = running();
    const count = () => server.output().split(`Request: ${what}\n`).length;
    const before = count();
    await run();
    return count() - before;
  };
  const anyRequests = async (run: () => Promise<unknown>): Promise<readonly string[]> => {
    const { server } = running();
    const before = server.output().length;
    await run();
    return [
      ...server
        .output()
        .slice(before)
        .matchAll(/^Request: (.*)$/gm),
    ].map(([, request = ""]) => request);
  };
  const titlesOf = async (threadId: string): Promise<readonly string[]> => {
    const response = await fetch(`${running().api}/threads/${threadId}`, { headers: { cookie: "user=ada" } });
    const { state } = (await response.json()) as { readonly state: { readonly cards: readonly { title: string }[] } };
    return state.cards.map(({ title }) => title);
  };
  /** Ben does something, elsewhere. */
  const benDoes = async (operation: object): Promise<void> => {
    const response = await fetch(`${running().api}/threads/launch/operations`, {
      method: "POST",
      headers: { cookie: "user=ben", "content-type": "application/json" },
      body: JSON.stringify(operation),
    });
    expect(response.status).toBe(200);
  };
  /** A page of a browser of its own, where somebody is signed in, or nobody. */
  const open = async (path: string, user?: string): Promise<Page> => {
    const { site, people } = running();
    const { page, context } = await people.visit("about:blank");
    if (user !== undefined) await context.addCookies([{ name: "user", value: user, url: site }]);
    await page.goto(site + path);
    return page;
  };
  const isLive = (page: Page) => page.getByRole("status").getByText("Live", { exact: true }).waitFor();
  /** Next may keep pages that were left, hidden. */
  const shown = (page: Page, text: string) => page.getByText(text, { exact: true }).filter({ visible: true });
  const title = (page: Page) => page.getByRole("textbox", { name: "Title" });
  const close = (page: Page) => page.context().close();

  it("signs in with a cookie, and shows the board with its cards before any script runs", async () => {
    const { site } = running();
    await benDoes({ type: "add", title: "From Ben" });
    const signedIn = await fetch(`${site}/sign-in?user=ada`, { redirect: "manual" });
    expect(signedIn.headers.get("set-cookie")).toMatch(/^user=ada;.*HttpOnly/);
    expect(signedIn.headers.get("location")).toMatch(/\/boards\/launch$/);
    const requests = await anyRequests(async () => {
      const html = await (await fetch(`${site}/boards/launch`, { headers: { cookie: "user=ada" } })).text();
      expect(html).toContain("From Ben");
    });
    // That of the server component. Rendering the client components asks for nothing.
    expect(requests).toEqual(["GET /threads/launch"]);
  });

  it("goes on from what was rendered, on one connection, with the cookie of another origin", async () => {
    const { api } = running();
    let page: Page | undefined;
    const streams = await requestsOf("POST /events", async () => {
      page = await open("/boards/launch", "ada");
      await isLive(page);
      for (const each of ["One", "Two"]) {
        await benDoes({ type: "add", title: each });
        await shown(page, each).waitFor();
        await shown(page, each).click();
        await expect.poll(() => titlesOf("launch")).toContain(each);
      }
    });
    expect(streams).toBe(1);
    const sent = page!.waitForRequest((request) => request.url() === `${api}/operations`);
    await title(page!).fill("From Ada");
    await page!.getByRole("button", { name: "Add" }).click();
    const headers = await (await sent).allHeaders();
    expect(headers["cookie"]).toBe("user=ada");
    await expect.poll(() => titlesOf("launch")).toContain("From Ada");
    await close(page!);
    expect(running().people.errors).toEqual([]);
  });

  it("shows another board when the address has another id, and edits go to that one", async () => {
    const page = await open("/boards/launch", "ada");
    await isLive(page);
    const before = await titlesOf("launch");
    await page.getByRole("link", { name: "Garden" }).click();
    await page.getByRole("heading", { name: "0 open" }).waitFor();
    await isLive(page);
    await title(page).fill("Beans");
    await page.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => titlesOf("garden")).toEqual(["Beans"]);
    await page.getByRole("link", { name: "Launch" }).click();
    await shown(page, "From Ada").waitFor();
    expect(await shown(page, "Beans").count()).toBe(0);
    expect(await titlesOf("launch")).toEqual(before);
    await close(page);
    expect(running().people.errors).toEqual([]);
  });

  it("shows the newest when the browser goes back to what was rendered earlier", async () => {
    const page = await open("/boards/launch", "ada");
    await isLive(page);
    await page.getByRole("link", { name: "Garden" }).click();
    await shown(page, "Beans").waitFor();
    await benDoes({ type: "add", title: "While she is away" });
    await page.goBack();
    await shown(page, "While she is away").click();
    await expect.poll(() => titlesOf("launch")).toContain("While she is away");
    await close(page);
    expect(running().people.errors).toEqual([]);
  });

  it("shows another board in a component that stays, and edits go to that one", async () => {
    const page = await open("/switch/launch", "ada");
    await isLive(page);
    const before = await titlesOf("launch");
    await page.getByRole("main").evaluate((main) => main.setAttribute("title", "The same element"));
    const streams = await requestsOf("POST /events", async () => {
      await page.getByRole("link", { name: "To garden" }).click();
      await page.getByRole("heading", { name: "garden" }).waitFor();
      await page.getByRole("button", { name: "Add" }).click();
      await shown(page, "Edit of garden").waitFor();
      await expect.poll(() => titlesOf("garden")).toEqual(["Beans", "Edit of garden"]);
      await isLive(page);
    });
    // The stream that is open follows another thread.
    expect(streams).toBe(0);
    expect(await page.getByRole("main").getAttribute("title")).toBe("The same element");
    expect(await shown(page, "From Ada").count()).toBe(0);
    expect(await titlesOf("launch")).toEqual(before);
    await close(page);
    expect(running().people.errors).toEqual([]);
  });

  it("renders the boundary above a provider that waits, to the end, and asks for nothing", async () => {
    const requests = await anyRequests(async () => {
      const response = await fetch(`${running().site}/suspense/launch`, { headers: { cookie: "user=ada" } });
      expect(await response.text()).toContain("Opening the board");
    });
    expect(requests).toEqual([]);
  });

  it("shows the board under that boundary, on one connection", async () => {
    const streams = await requestsOf("POST /events", async () => {
      const page = await open("/suspense/launch", "ada");
      await shown(page, "From Ada").waitFor();
      await isLive(page);
      expect(await shown(page, "Opening the board").count()).toBe(0);
      await benDoes({ type: "add", title: "While Ada looks" });
      await shown(page, "While Ada looks").waitFor();
      await close(page);
    });
    expect(streams).toBe(1);
    expect(running().people.errors).toEqual([]);
  });

  it.each([
    [401, "launch", undefined],
    [403, "garden", "ben"],
    [404, "nowhere", "ada"],
  ])("says %s, and does not ask again", async (status, threadId, user) => {
    const { people } = running();
    const streams = await requestsOf("POST /events", async () => {
      const waiting = await open(`/suspense/${threadId}`, user);
      await waiting.getByRole("alert").getByText(`${status}: `).waitFor();
      const rendered = await open(`/boards/${threadId}`, user);
      if (status === 404) await rendered.getByText("This page could not be found").waitFor();
      else await rendered.getByText(status === 401 ? "no valid credentials" : 'needs the right "read"').waitFor();
      await Promise.all([waiting, rendered].map((page) => close(page)));
    });
    // One for each page; Next itself found no board for the last.
    expect(streams).toBe(status === 404 ? 1 : 2);
    people.forget(new RegExp(`status of ${status}|RequestError`));
    expect(people.errors).toEqual([]);
  });
}
