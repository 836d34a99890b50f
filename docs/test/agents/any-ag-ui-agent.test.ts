// "Any AG-UI agent": the guide's agent and its session in processes of their own, and its two pages
// in a browser.

import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { guideFiles, guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { openBrowser, type People } from "../../../tools/people.ts";
import { type ServedPage, servePage } from "../support/page.ts";
import { type Program, startProgram } from "../support/program.ts";
import { svelteErrors } from "../support/types.ts";

const name = "any-ag-ui-agent";

describe("Any AG-UI agent", () => {
  let folder: string;
  let agent: Program;
  let site: ServedPage;
  let people: People;

  beforeAll(async () => {
    folder = writeGuide(name, { ports: { 4311: await freePort() } });
    agent = startProgram(folder, "agent.ts");
    await agent.printed(/^An agent at /m);
    site = await servePage(folder);
    people = await openBrowser();
  });

  afterAll(async () => {
    await people?.close();
    await site?.close();
    await agent?.stop();
  });

  it("installs what its code imports", () =>
    expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

  it("has right types", () => expect(svelteErrors(writeGuide(name, { folder: `${name}-types` }))).toBe(""));

  it("prints what the guide says: answer, tool result, conflict, question, replay", async () => {
    const talk = startProgram(folder, "talk.ts");
    expect(await talk.ended).toBe(0);
    expect(talk.output()).toBe(guideFiles(name)["printed.txt"]);
  });

  it.each([
    ["React", ""],
    ["Svelte", "svelte-chat.html"],
  ])("shows the conversation in %s, and answers the question", async (_, path) => {
    const { page } = await people.visit(site.url + path);
    await page.getByRole("button", { name: "Plan it" }).click();
    await page.getByText("assistant: I looked for a room.").waitFor();
    await page.getByText("1 conflicts").waitFor();
    await page.getByText('{"city":"Lisbon","nights":3}').waitFor();
    expect(await page.getByRole("button", { name: "Plan it" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Book it?" }).click();
    await page.getByText("assistant: Booked: true").waitFor();
    await expect.poll(() => rolesOf(page)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(await page.getByRole("button", { name: "Book it?" }).count()).toBe(0);
    expect(people.errors).toEqual([]);
  });
});

async function rolesOf(page: Page): Promise<string[]> {
  const texts = await page.getByText(/^(?:user|assistant|tool): /).allTextContents();
  return texts.map((text) => text.split(":")[0] ?? "");
}
