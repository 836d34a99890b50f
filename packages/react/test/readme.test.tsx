import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import readme from "../README.md?raw";
import { Counter } from "./readme-counter.tsx";
import source from "./readme-counter.tsx?raw";

test("the README's example is the one that runs here", () => {
  const blocks = [...readme.matchAll(/^```tsx\n([\s\S]*?)^```/gm)].map((match) => match[1]);
  expect(blocks.slice(0, 2).join("\n")).toBe(source);
});

test("counts to three, then says why not further", async () => {
  const screen = await render(<Counter />);
  const button = screen.getByRole("button");
  for (const count of ["1", "2", "3"]) {
    await button.click();
    await expect.element(button).toHaveTextContent(count);
  }
  await expect.element(button).toBeDisabled();
  await expect.element(button).toHaveAttribute("title", expect.stringContaining("3"));
});
