// "Presence": its pages in React and in Svelte, each used by two people.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { guideImports, guideInstalls, writeGuide } from "../support/guide.ts";
import { openBrowser, type People, type Person } from "../../../tools/people.ts";
import { type ServedPage, servePage } from "../support/page.ts";
import { type Program, startProgram } from "../support/program.ts";
import { svelteErrors, typeErrors } from "../support/types.ts";

const name = "presence";

it("installs what its code imports", () =>
  expect(guideInstalls(name)).toEqual(expect.arrayContaining([...guideImports(name)])));

it("has right types", () => {
  const folder = writeGuide(name, { folder: `${name}-types` });
  expect(typeErrors(folder)).toBe("");
  expect(svelteErrors(folder)).toBe("");
});

describe.each(["react", "svelte"] as const)("in %s", (binding) => {
  let server: Program;
  let site: ServedPage;
  let people: People;
  let ada: Person;
  let ben: Person;

  beforeAll(async () => {
    const ports = { 4310: await freePort(), 5173: await freePort() };
    const folder = writeGuide(name, { folder: `${name}-${binding}`, ports });
    server = startProgram(folder, "server.ts");
    await server.printed(/^Serving /m);
    site = await servePage(folder, ports[5173]);
    people = await openBrowser();
    const url = `${site.url}${binding}.html`;
    ada = await people.visit(url);
    await ada.page.getByText("Nobody else").waitFor();
    ben = await people.visit(`${url}?user=ben`);
  });

  afterAll(async () => {
    await people?.close();
    await site?.close();
    await server?.stop();
  });

  it("each sees the other, and not themselves", async () => {
    await expect.poll(() => ada.page.getByRole("status").innerText()).toBe("ben");
    await expect.poll(() => ben.page.getByRole("status").innerText()).toBe("ada");
  });

  it("shows what the other one works on, as long as they do", async () => {
    const [first, second] = [ada.page.getByRole("textbox").nth(0), ada.page.getByRole("textbox").nth(1)];
    const beside = (index: number) => ben.page.locator("label").nth(index).getByText("is here");
    await first.focus();
    await expect.poll(() => beside(0).allInnerTexts()).toEqual([expect.stringContaining("ada is here")]);
    await second.focus();
    await expect.poll(() => beside(1).allInnerTexts()).toEqual([expect.stringContaining("ada is here")]);
    expect(await beside(0).count()).toBe(0);
    await second.blur();
    await expect.poll(() => beside(1).count()).toBe(0);
    await second.fill("Call the electrician");
    await expect.poll(() => ben.page.getByRole("textbox").nth(1).inputValue()).toBe("Call the electrician");
  });

  it("is gone with the page", async () => {
    await ada.context.close();
    await expect.poll(() => ben.page.getByRole("status").innerText()).toBe("Nobody else");
  });

  it("prints no error in the pages", () => expect(people.errors).toEqual([]));
});
