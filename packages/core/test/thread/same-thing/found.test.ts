// Histories that random runs found: each had a fault once. The oracle judges every step of them.

import { describe, expect, it } from "vitest";
import { HISTORIES } from "./found.ts";
import { World } from "./world.ts";

describe("an operation that is done again: found", () => {
  it.each(HISTORIES)("%s", async (_, steps) => {
    const world = new World(() => undefined);
    await expect(world.run(steps)).resolves.toBeUndefined();
  });
});
