// What counts as the first script of a page.

import { expect, it } from "vitest";
import { scriptsOf } from "../checks/check-scripts.ts";

it("is the entry and what it imports, and no stylesheet", () => {
  const html = `
    <link rel="icon" href="/icon.svg" />
    <script type="module" crossorigin src="./assets/index-a.js"></script>
    <link rel="modulepreload" crossorigin href="./assets/part-b.js">
    <link rel="stylesheet" crossorigin href="./assets/index-c.css">`;
  expect(scriptsOf(html)).toEqual(["./assets/index-a.js", "./assets/part-b.js"]);
});
