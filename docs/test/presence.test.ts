// "Presence": its pages in React and in Svelte, each used by two people.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../tools/free-port.ts";
import { writeGuide } from "./guide.ts";
import { openBrowser, type People, type Person } from "../../tools/people.ts";
import { type ServedPage, servePage } from "./support/page.ts";
import { type Program, startProgram } from "./support/program.ts";
import { svelteErrors, typeErrors } from "./support/types.ts";

const name = "presence";

/** What the guide leaves to the reader's bundler. */
const pages = {
  react: { main: "main.tsx", plugin: "@vitejs/plugin-react", imported: "react" },
  svelte: { main: "main.ts", plugin: "@sveltejs/vite-plugin-svelte", imported: "{ svelte as react }" },
} as const;

function addBundler(folder: string, binding: keyof typeof pages): string {
  const { main, plugin, imported } = pages[binding];
  const page = join(folder, binding);
  mkdirSync(page, { recursive: true });
  writeFileSync(
    join(page, "index.html"),
    `<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="/${main}"></script></body></html>`,
  );
  writeFileSync(
    join(page, "vite.config.ts"),
    `import ${imported} from "${plugin}"; export default { plugins: [react()], server: { fs: { strict: false } } };`,
  );
  return page;
}

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
    site = await servePage(addBundler(folder, binding), ports[5173]);
    people = await openBrowser();
    ada = await people.visit(site.url);
    await ada.page.getByText("Nobody else").waitFor();
    ben = await people.visit(`${site.url}?user=ben`);
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
