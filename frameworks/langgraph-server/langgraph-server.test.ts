// LangGraph's own server with the boards' routes, as its developer has it: `langgraphjs dev`, an
// agent on a thread in the server's process, and a page with `useStream` beside the board. The
// model is a scripted one, and nothing needs a network.

import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { openBrowser, type People } from "../../tools/people.ts";
import type { Program } from "../../tools/program.ts";
import { createProject, type Project } from "../harness/project.ts";

let project: Project;
let server: Program;
let ports: Record<2024 | 5173, number>;

beforeAll(async () => {
  ports = { 2024: await freePort(), 5173: await freePort() };
  const from = ["app", "more"].map((part) => join(import.meta.dirname, part));
  project = await createProject({ name: "langgraph-server", from, ports });
  const cli = "node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs";
  server = project.start("node", [cli, "dev", "--no-browser", "--host", "localhost", "--port", `${ports[2024]}`], {
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
    LANGSMITH_TRACING: "false",
  });
  await server.printed(/Server running at/);
});
afterAll(() => project?.remove());

it("has right types, with the scripted model and with a provider's", async () => {
  copyFileSync(join(import.meta.dirname, "app/server/model.ts"), join(project.folder, "server/provider.ts"));
  expect(await project.run("tsc", [])).toBe("");
});

it("serves runs and boards to programs", async () => {
  const output = await project.run("node", ["--test", "--test-reporter=tap", "uses-api.ts"], {
    SERVER: `http://localhost:${ports[2024]}`,
  });
  expect(output).toMatch(/^# pass 7$/m);
  expect(output).toMatch(/^# skipped 0$/m);
});

describe("its page", () => {
  let people: People;
  const pages: Page[] = [];
  const visit = async (user: string): Promise<Page> => {
    const { page, context } = await people.visit("about:blank");
    await context.addCookies([{ name: "user", value: user, url: `http://localhost:${ports[5173]}` }]);
    await page.goto(`http://localhost:${ports[5173]}/`);
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
    pages.push(page);
    return page;
  };
  const list = (page: Page, name: string) => page.getByRole("list", { name }).getByRole("listitem");
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const say = async (page: Page, text: string) => {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await button(page, "Send").click();
  };
  const add = async (page: Page, title: string) => {
    await page.getByLabel("Title", { exact: true }).fill(title);
    await button(page, "Add").click();
  };
  const titles = async (page: Page) =>
    (await list(page, "Cards").allInnerTexts()).map((text) => text.replace(/:.*/s, ""));
  const verdict = (page: Page, text: RegExp) => list(page, "Messages").filter({ hasText: text }).waitFor();
  /** The agent's last message. */
  const done = (page: Page) => list(page, "Messages").getByText("Done", { exact: true }).waitFor();

  beforeAll(async () => {
    await project.run("vite", ["build"]);
    const preview = project.start("vite", [
      "preview",
      "--host",
      "localhost",
      "--port",
      `${ports[5173]}`,
      "--strictPort",
    ]);
    await preview.printed(/Local/);
    people = await openBrowser();
  });
  afterAll(() => people?.close());
  beforeEach(async () => {
    const at = `http://localhost:${ports[2024]}/opstate/threads/launch`;
    const headers = { cookie: "user=ada", "content-type": "application/json" };
    const { state } = (await (await fetch(at, { headers })).json()) as {
      readonly state: { readonly cards: readonly { readonly id: string }[] };
    };
    for (const { id } of state.cards)
      await fetch(`${at}/operations`, { method: "POST", headers, body: JSON.stringify({ type: "remove", id }) });
  });
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
    expect(people.errors).toEqual([]);
  });

  it("shows the conversation and the board, and the agent reads an edit in its next step", async () => {
    const [ada, ben] = await Promise.all([visit("ada"), visit("ben")]);
    await say(ada, "add From the agent; add Second when From Ada; tell");
    for (const page of [ada, ben]) await list(page, "Cards").filter({ hasText: "From the agent" }).waitFor();
    // The run is under way: the model waits for this card.
    expect(await button(ada, "Send").isDisabled()).toBe(true);
    await add(ada, "From Ada");
    for (const page of [ada, ben]) await list(page, "Cards").filter({ hasText: "Second" }).waitFor();
    await verdict(ada, /- user ada: add {"title":"From Ada"}/);
    expect(await titles(ben)).toEqual(["From the agent", "From Ada", "Second"]);
  });

  it("answers an approval in the conversation: the run goes on", async () => {
    const [ada, ben] = await Promise.all([visit("ada"), visit("ben")]);
    await say(ada, "add Old; remove Old");
    await list(ben, "Proposals").waitFor();
    await button(ada, "Yes").click();
    await done(ada);
    await verdict(ada, /^Accepted: .*Approved by user "ada"\.$/s);
    await expect.poll(() => titles(ben)).toEqual([]);
    expect(await list(ben, "Proposals").count()).toBe(0);
    expect(await list(ada, "Questions").count()).toBe(0);
  });

  it("answers it on the board of another person: the run goes on too", async () => {
    const [ada, ben] = await Promise.all([visit("ada"), visit("ben")]);
    await say(ada, "add Old; remove Old");
    await list(ada, "Questions").getByText("May the agent remove?").waitFor();
    await button(ben, "Approve").click();
    await done(ada);
    await verdict(ada, /^Accepted: .*Approved by user "ben"\.$/s);
    expect(await list(ada, "Questions").count()).toBe(0);
    await expect.poll(() => titles(ada)).toEqual([]);
  });

  it("declines on the board, and the model reads that", async () => {
    const ada = await visit("ada");
    await say(ada, "add Kept; remove Kept");
    await list(ada, "Questions").waitFor();
    await button(ada, "Decline").click();
    await done(ada);
    await verdict(ada, /declined/i);
    expect(await titles(ada)).toEqual(["Kept"]);
  });

  it("asks again after a reload, and goes on with what was decided meanwhile", async () => {
    const [ada, ben] = await Promise.all([visit("ada"), visit("ben")]);
    await say(ada, "add Old; remove Old");
    await list(ada, "Questions").waitFor();
    await ada.reload();
    await list(ada, "Questions").getByText("May the agent remove?").waitFor();
    await ada.goto("about:blank");
    await button(ben, "Approve").click();
    await expect.poll(() => titles(ben)).toEqual([]);
    await ada.goto(`http://localhost:${ports[5173]}/`);
    await done(ada);
    await verdict(ada, /Approved by user "ben"/);
  });

  it("connects again when a file of the server was saved, and the board is as it was", async () => {
    const [ada, ben] = await Promise.all([visit("ada"), visit("ben")]);
    await add(ada, "Before");
    await list(ben, "Cards").filter({ hasText: "Before" }).waitFor();
    appendFileSync(join(project.folder, "server/user.ts"), "// Saved\n");
    await server.printed(/(?:Server running at[^]*){2}/);
    await add(ada, "After");
    await list(ben, "Cards").filter({ hasText: "After" }).waitFor();
    expect(await titles(ben)).toEqual(["Before", "After"]);
    await say(ada, "add From the agent");
    await list(ben, "Cards").filter({ hasText: "From the agent" }).waitFor();
    people.forget(/status of 5\d\d|ERR_/);
  });
});
