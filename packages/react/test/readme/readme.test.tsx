import { StrictMode } from "react";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import rootReadme from "../../../../README.md?raw";
import readme from "../../README.md?raw";
import { board, thread } from "./board.ts";
import boardSource from "./board.ts?raw";
import { Cards } from "./cards.tsx";
import cardsSource from "./cards.tsx?raw";
import { Counter } from "./counter.tsx";
import counterSource from "./counter.tsx?raw";
import { served } from "./server.ts";
import { Page } from "./shelf.tsx";
import shelfSource from "./shelf.tsx?raw";
import { shelf } from "../support/shelf.ts";

test("the examples of the README are the files that run here", () => {
  const blocks = [...readme.matchAll(/^```tsx\n([\s\S]*?)^```/gm)].map((match) => match[1]);
  expect(blocks[0]).toBe(counterSource);
  const shown = shelfSource.replace("./server.ts", "@opstate/client").replaceAll("../support/", "./");
  expect(blocks.slice(1)).toEqual([shown]);
});

test("the first working example ends by line 40", () => {
  const lines = readme.split("\n").slice(0, 40);
  expect(lines.filter((line) => line.startsWith("```")).length % 2).toBe(0);
  expect(lines.join("\n")).toContain("export function Counter()");
});

test("counts to three, then shows why it counts no further", async () => {
  const screen = await render(<Counter />);
  const button = screen.getByRole("button");
  for (const count of ["1", "2", "3"]) {
    await button.click();
    await expect.element(button).toHaveTextContent(count);
  }
  await expect.element(button).toBeDisabled();
  await expect.element(button).toHaveAttribute("title", expect.stringContaining("3"));
});

test("a page with a provider edits, undoes, and shows what an agent does", async () => {
  const screen = await render(<Page threadId="demo" />, { wrapper: StrictMode });
  const title = screen.getByLabelText("Title");
  await title.fill("Books");
  await expect.element(title).toHaveValue("Books");
  await expect.poll(() => served.getState().title).toBe("Books");
  await expect.poll(() => screen.container.querySelector("li")?.textContent).toBe("rename");
  await screen.getByRole("button", { name: "Undo" }).click();
  await expect.element(title).toHaveValue("Shelf");
  await screen.getByRole("button", { name: "Redo" }).click();
  await expect.element(title).toHaveValue("Books");
  await served.propose(shelf.op.rename({ title: "Good books" }), { actor: { kind: "agent", id: "planner" } });
  await screen.getByRole("button", { name: /^Let planner do it/ }).click();
  await expect.element(title).toHaveValue("Good books");
});

test("the repository's README binds the board that it defines", async () => {
  const [definition = "", opening = ""] = [...rootReadme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1]);
  const opened = opening.split("\n")[0];
  expect(`${definition}\n${opened}\n`).toBe(boardSource);
  expect(rootReadme).toContain(cardsSource);
  await thread.dispatch(board.op.add({ title: "Write docs" }), { actor: { kind: "user", id: "ada" } });
  const screen = await render(<Cards />);
  const card = screen.getByLabelText("Write docs");
  await expect.element(card).not.toBeChecked();
  await card.click();
  await expect.element(card).toBeChecked();
  expect(thread.getState().open).toBe(0);
});
