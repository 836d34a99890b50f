import { expect, it } from "vitest";
import { findWide } from "../checks/check-widths.ts";

const wide = (columns: number) => "x".repeat(columns);

it("lets code be 120 columns wide, and a comment 100", () => {
  expect(findWide(`${wide(120)}\n// ${wide(97)}\n * ${wide(97)}`)).toEqual([]);
  expect(findWide(`${wide(121)}\n// ${wide(98)}\n * ${wide(98)}`)).toEqual([
    "line 1: 121 columns, 120 at most",
    "line 2: 101 columns, 100 at most",
    "line 3: 101 columns, 100 at most",
  ]);
});

it("counts the code of an example as code", () => {
  expect(findWide(`/**\n * \`\`\`ts\n * ${wide(117)}\n * \`\`\`\n */`)).toEqual([]);
  expect(findWide(`/**\n * \`\`\`ts\n * ${wide(118)}\n * \`\`\`\n */`)).toEqual(["line 3: 121 columns, 120 at most"]);
});

it("does not count URLs and literals", () => {
  expect(findWide(`// https://example.org/${wide(120)}`)).toEqual([]);
  expect(findWide(`const text = "${wide(120)}";`)).toEqual([]);
  expect(findWide(`const pattern = /${wide(120)}/u;`)).toEqual([]);
  expect(findWide(`const text = \`\n${wide(130)}\n\`;`)).toEqual([]);
});
