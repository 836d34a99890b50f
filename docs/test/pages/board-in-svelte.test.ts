// The guide "A board in ten minutes, in Svelte" works as it is printed.

import { describe, expect, it } from "vitest";
import { boardGuide, LAST_SECTION } from "../support/board-guide.ts";
import { writeGuide } from "../support/guide.ts";
import { svelteErrors } from "../support/types.ts";

const name = "board-in-svelte";

describe("A board in ten minutes, in Svelte", () => {
  it("has right types before its last section", () =>
    expect(svelteErrors(writeGuide(name, { until: LAST_SECTION, folder: `${name}-until-undo` }))).toBe(""));

  it("has right types as a whole", () =>
    expect(svelteErrors(writeGuide(name, { folder: `${name}-complete` }))).toBe(""));

  boardGuide(name, "Page.svelte");
});
