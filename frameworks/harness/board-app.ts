// What an application with boards promises, in whatever framework: rendered by its server, used in
// a browser. The boards "launch" and "garden" are there; the garden is Ada's alone.
// (Long because it is a list of promises, each a test.)

import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openBrowser, type People, type Person } from "../../tools/people.ts";
import type { Program } from "../../tools/program.ts";

export interface BoardApp {
  readonly url: string;
  /** Prints each request that it gets: `tell-requests.mjs`. */
  readonly server: Program;
}

/** A person at a page, and what the page asked of the boards' server. */
export interface Visitor extends Person {
  /** The threads of each stream that was asked for. */
  readonly streams: (readonly string[])[];
  /** What the page warned of. */
  readonly warnings: string[];
}

export interface BoardVisits {
  /** Opens a page. Without a user nobody is signed in. */
  visit(path: string, user?: string): Promise<Visitor>;
  signIn(visitor: Person, user: string): Promise<void>;
  /** What a program asks of the boards' server, as Ada. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  titles(id: string): Promise<readonly string[]>;
  /** Makes a board anew. */
  renew(id: string): Promise<void>;
  people(): People;
}

/** The visits of one suite. Pages are closed after each test. */
export function boardVisits(app: () => BoardApp): BoardVisits {
  let people: People;
  const open: Person[] = [];
  beforeAll(async () => {
    people = await openBrowser();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ context }) => context.close()));
  });
  afterAll(() => people?.close());

  const visits: BoardVisits = {
    people: () => people,
    async visit(path, user) {
      const person = await people.visit("about:blank");
      open.push(person);
      const { page, context } = person;
      const streams: (readonly string[])[] = [];
      const warnings: string[] = [];
      page.on("request", (request) => {
        if (request.method() !== "POST" || !new URL(request.url()).pathname.endsWith("/events")) return;
        streams.push(Object.keys((request.postDataJSON() as { readonly threads: object }).threads));
      });
      page.on("console", (message) => void (message.type() === "warning" && warnings.push(message.text())));
      // A page that keeps edits in memory alone would ask before it is left.
      page.on("dialog", (dialog) => void dialog.accept());
      await context.addInitScript(noteRemovals);
      if (user !== undefined) await visits.signIn(person, user);
      await page.goto(app().url + path);
      return { page, context, streams, warnings };
    },
    signIn: ({ context }, user) => context.addCookies([{ name: "user", value: user, url: app().url }]),
    async ask(method, path, body) {
      const response = await fetch(`${app().url}/opstate${path}`, {
        method,
        headers: { cookie: "user=ada", "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
      return text === "" ? undefined : JSON.parse(text);
    },
    async titles(id) {
      const { state } = (await visits.ask("GET", `/threads/${id}`)) as {
        readonly state: { readonly cards: readonly { readonly title: string }[] };
      };
      return state.cards.map(({ title }) => title);
    },
    async renew(id) {
      await visits.ask("DELETE", `/threads/${id}`);
      await visits.ask("PUT", `/threads/${id}`, { definition: "board" });
    },
  };
  return visits;
}

/** Registers the tests that every framework has to pass. */
export function boardAppTests(app: () => BoardApp): void {
  const { visit, signIn, ask, titles, renew, people } = boardVisits(app);
  const addByProgram = (id: string, title: string) => ask("POST", `/threads/${id}/operations`, { type: "add", title });

  it("renders a board on the server, for each request by itself, and connects nothing there", async () => {
    await renew("launch");
    await addByProgram("launch", "Rendered");
    await renew("garden");
    const before = requestsTo(app()).length;
    const [launch, garden] = await Promise.all(
      ["launch", "garden"].map(async (id) => {
        const response = await fetch(`${app().url}/boards/${id}`, { headers: { cookie: "user=ada" } });
        return { status: response.status, html: textIn(await response.text()) };
      }),
    );
    expect(launch).toMatchObject({
      status: 200,
      html: expect.stringMatching(/1 open.*Rendered.*A card needs a title/),
    });
    expect(garden).toMatchObject({ status: 200, html: expect.stringContaining("0 open") });
    expect(garden?.html).not.toContain("Rendered");
    expect(requestsTo(app()).slice(before).toSorted()).toEqual(["GET /boards/garden", "GET /boards/launch"]);
  });

  it("hydrates what the server rendered, and opens one stream", async () => {
    await renew("launch");
    await addByProgram("launch", "Rendered");
    const { page, streams, warnings } = await visit("/boards/launch", "ada");
    await live(page);
    await card(page, "Rendered").waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as Noted).removed)).toEqual([]);
    expect(warnings).toEqual([]);
    expect(streams).toEqual([["launch"]]);
    expect(people().errors).toEqual([]);
  });

  it("shows an edit to everybody, and who is here", async () => {
    await renew("launch");
    const [ada, ben] = await Promise.all([visit("/boards/launch", "ada"), visit("/boards/launch", "ben")]);
    await Promise.all([live(ada.page), live(ben.page)]);
    await ada.page.getByLabel("Title").fill("From Ada");
    await says(ben.page, "ada is typing");
    await button(ada.page, "Add").click();
    await card(ben.page, "From Ada").waitFor();
    await ada.page.getByLabel("Title").blur();
    await says(ben.page, "ada is here");
    await ada.context.close();
    await ben.page.getByText("ada is here").waitFor({ state: "detached" });
    expect(people().errors).toEqual([]);
  });

  it("shows another board in the same page, and an edit goes to that one", async () => {
    await renew("launch");
    await renew("garden");
    await addByProgram("garden", "A rose");
    const { page, streams } = await visit("/boards/launch", "ada");
    await live(page);
    await add(page, "A rocket");
    await card(page, "A rocket").waitFor();
    await link(page, "Garden").click();
    await heading(page, "garden").waitFor();
    await card(page, "A rose").waitFor();
    expect(await card(page, "A rocket").count()).toBe(0);
    await live(page);
    await add(page, "A tulip");
    await card(page, "A tulip").waitFor();
    await expect.poll(() => titles("garden")).toEqual(["A rose", "A tulip"]);
    // Undo is that of the other board too.
    await button(page, "Undo").click();
    await expect.poll(() => titles("garden")).toEqual(["A rose"]);
    await card(page, "A tulip").waitFor({ state: "detached" });
    await link(page, "Launch").click();
    await heading(page, "launch").waitFor();
    await card(page, "A rocket").waitFor();
    expect(await titles("launch")).toEqual(["A rocket"]);
    await button(page, "Undo").click();
    await expect.poll(() => titles("launch")).toEqual([]);
    expect(await titles("garden")).toEqual(["A rose"]);
    // One stream at a time; the third switch may find that of an edit which was just made.
    expect(streams.length).toBeLessThanOrEqual(3);
    for (const threads of streams) expect(threads).toHaveLength(1);
    expect(people().errors).toEqual([]);
  });

  it("shows what others did to a board meanwhile, when the page returns to it", async () => {
    await renew("launch");
    await renew("garden");
    const { page } = await visit("/boards/launch", "ada");
    await live(page);
    await link(page, "Garden").click();
    await heading(page, "garden").waitFor();
    await addByProgram("launch", "Meanwhile");
    await link(page, "Launch").click();
    await card(page, "Meanwhile").waitFor();
    await live(page);
    expect(await card(page, "Meanwhile").count()).toBe(1);
  });

  it("sends what waits to the board that it was made in, also after the page went on to another", async () => {
    await renew("launch");
    await renew("garden");
    const { page, context } = await visit("/boards/launch", "ada");
    await live(page);
    await link(page, "Garden").click();
    await heading(page, "garden").waitFor();
    await live(page);
    await context.setOffline(true);
    await says(page, /^offline, 0 edits wait/);
    await add(page, "Offline in the garden");
    await says(page, /^offline, 1 edits wait/);
    await link(page, "Launch").click();
    await heading(page, "launch").waitFor();
    await add(page, "Offline at the launch");
    await says(page, /^offline, 1 edits wait/);
    expect(await card(page, "Offline in the garden").count()).toBe(0);
    await context.setOffline(false);
    await live(page);
    await expect.poll(() => titles("garden")).toEqual(["Offline in the garden"]);
    await expect.poll(() => titles("launch")).toEqual(["Offline at the launch"]);
    people().forget(/ERR_INTERNET_DISCONNECTED/);
    expect(people().errors).toEqual([]);
  });

  it("keeps an edit over a reload without a connection, and gives it one effect", async () => {
    await renew("launch");
    await addByProgram("launch", "Before");
    const { page, context } = await visit("/boards/launch", "ada");
    await live(page);
    await context.setOffline(true);
    await says(page, /^offline, 0 edits wait/);
    await add(page, "In the tunnel");
    await says(page, /^offline, 1 edits wait/);
    await expect.poll(() => page.evaluate(storedText)).toContain("In the tunnel");
    // The page comes, as from a cache; its boards do not answer.
    await context.route("**/opstate/**", (route) => route.abort());
    await context.setOffline(false);
    await page.reload();
    await card(page, "In the tunnel").waitFor();
    await card(page, "Before").waitFor();
    await says(page, /, 1 edits wait/);
    expect(await titles("launch")).toEqual(["Before"]);
    await context.unroute("**/opstate/**");
    await live(page);
    await expect.poll(() => titles("launch")).toEqual(["Before", "In the tunnel"]);
    await page.reload();
    await live(page);
    expect(await card(page, "In the tunnel").count()).toBe(1);
    expect(await titles("launch")).toEqual(["Before", "In the tunnel"]);
    people().forget(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    expect(people().errors).toEqual([]);
  });

  it("shows an edit once whose answer was lost, in a page that is rendered from the state that has it", async () => {
    await renew("launch");
    const { page, context } = await visit("/boards/launch", "ada");
    await live(page);
    await context.setOffline(true);
    await says(page, /^offline, 0 edits wait/);
    await add(page, "Sent in the tunnel");
    await expect.poll(() => page.evaluate(storedText)).toContain("Sent in the tunnel");
    const [, id = ""] = /"edit":{"id":"([^"]+)"/.exec(await page.evaluate(storedText)) ?? [];
    // It got there, and the page does not know.
    await ask("POST", "/threads/launch/operations", { operation: { type: "add", title: "Sent in the tunnel" }, id });
    await context.route("**/opstate/**", (route) => route.abort());
    await context.setOffline(false);
    await page.reload();
    await says(page, /, 1 edits wait/);
    await heading(page, "1 open").waitFor();
    expect(await card(page, "Sent in the tunnel").count()).toBe(1);
    await context.unroute("**/opstate/**");
    await live(page);
    expect(await titles("launch")).toEqual(["Sent in the tunnel"]);
    expect(await card(page, "Sent in the tunnel").count()).toBe(1);
    people().forget(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    expect(people().errors).toEqual([]);
  });

  it.each([
    [401, "launch", undefined, "The request carries no valid credentials."],
    [403, "garden", "ben", 'This request needs the right "read" on thread "garden".'],
    [404, "nowhere", "ada", 'There is no thread "nowhere".'],
  ])("answers %s for a board that is not to be seen, and the page says why", async (status, id, user, message) => {
    const { page, streams } = await visit("/boards/launch", "ada");
    await live(page);
    await page.context().clearCookies();
    if (user !== undefined) await signIn({ page, context: page.context() }, user);
    const answer = await page.goto(`${app().url}/boards/${id}`);
    expect(answer?.status()).toBe(status);
    await heading(page, String(status)).waitFor();
    expect(await page.getByRole("alert").textContent()).toBe(message);
    expect(streams).toEqual([["launch"]]);
    people().forget(new RegExp(`status of ${status}`));
  });

  it.each([
    ["unauthenticated", "launch", undefined, "The request carries no valid credentials."],
    ["forbidden", "garden", "ben", 'This request needs the right "read" on thread "garden".'],
    ["not_found", "nowhere", "ada", 'There is no thread "nowhere".'],
  ])("says %s in a page that its server knows nothing of, and asks once", async (status, id, user, message) => {
    const { page, streams } = await visit(`/plain/${id}`, user);
    await says(page, new RegExp(`^${status}, `));
    expect(await page.getByRole("alert").textContent()).toBe(message);
    expect(streams).toEqual([[id]]);
    people().forget(/status of 40\d/);
    expect(people().errors).toEqual([]);
  });

  it("does not send the edit of one person as another's, who signed in meanwhile", async () => {
    await renew("garden");
    const { page, context } = await visit("/boards/garden", "ada");
    await live(page);
    await context.clearCookies();
    await signIn({ page, context }, "ben");
    await add(page, "Ada's");
    await says(page, /^forbidden, /);
    expect(await titles("garden")).toEqual([]);
    people().forget(/status of 4\d\d/);
  });

  it("says that a board was deleted, and goes on when there is one again", async () => {
    await renew("launch");
    const { page } = await visit("/boards/launch", "ada");
    await live(page);
    await ask("DELETE", "/threads/launch");
    await says(page, /^not_found, /);
    await ask("PUT", "/threads/launch", { definition: "board" });
    await add(page, "Again");
    await live(page);
    await expect.poll(() => titles("launch")).toEqual(["Again"]);
    people().forget(/status of 4\d\d/);
  });
}

export const live = (page: Page) => says(page, "Live");
export const says = (page: Page, text: string | RegExp) =>
  page.getByText(text, { exact: typeof text === "string" }).waitFor();
export const card = (page: Page, title: string) => page.getByRole("checkbox", { name: title });
const button = (page: Page, name: string) => page.getByRole("button", { name });
const link = (page: Page, name: string) => page.getByRole("link", { name });
export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

export async function add(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await button(page, "Add").click();
}

export const requestsTo = ({ server }: BoardApp): readonly string[] =>
  [...server.output().matchAll(/^Request: (.*)$/gm)].map(([, request = ""]) => request);

/** What a reader sees of HTML. */
const textIn = (html: string): string =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

interface Noted {
  removed: string[];
}

/** In the page, before it begins: notes what is taken out of what the server rendered. */
function noteRemovals(): void {
  const noted = globalThis as unknown as Noted;
  noted.removed = [];
  const isContent = (node: Node): node is Element => node instanceof Element && node.tagName !== "SCRIPT";
  new MutationObserver((records) => {
    for (const { target, removedNodes } of records)
      if (document.body?.contains(target) || target === document.body)
        for (const node of removedNodes) if (isContent(node)) noted.removed.push(node.outerHTML);
  }).observe(document, { subtree: true, childList: true });
}

/** In the page: all that it has stored, as a text. */
async function storedText(): Promise<string> {
  const all: unknown[] = [];
  for (const { name = "" } of await indexedDB.databases()) {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.addEventListener("success", () => resolve(opening.result));
      opening.addEventListener("error", () => reject(opening.error ?? new Error("It does not open.")));
    });
    for (const store of database.objectStoreNames)
      all.push(
        await new Promise((resolve, reject) => {
          const reading = database.transaction(store).objectStore(store).getAll();
          reading.addEventListener("success", () => resolve(reading.result));
          reading.addEventListener("error", () => reject(reading.error ?? new Error("It cannot be read.")));
        }),
      );
    database.close();
  }
  return JSON.stringify(all);
}
