// Every interleaving of small worlds. tools/soaks/interleavings.ts goes through the large ones.

import { describe, expect, it } from "vitest";
import * as steps from "../../src/thread/authority/step.ts";
import { ADDS, NOTHING_WRONG, SHORT } from "./configurations.ts";
import * as log from "./log.ts";
import { search } from "./search.ts";
import { createModel } from "./world.ts";

describe("every interleaving of two authorities and two writers keeps the laws:", () => {
  it.each(Object.entries(SHORT))("%s", (what, configuration) => {
    const { states, transitions, depth, broken } = search(createModel(configuration, { steps, log }));
    console.log(`${what}: ${states} states, ${transitions} transitions, depth ${depth}`);
    expect(broken).toBeUndefined();
    expect(states).toBeGreaterThan(1_000);
  });
});

describe("the search", () => {
  it("counts a state and its mirror image as one, and passes over no other", () => {
    const world = { ...NOTHING_WRONG, operations: ADDS, pauses: 1 };
    const mirrored = search(createModel(world, { steps, log }));
    const whole = search(createModel(world, { steps, log }), { isMirrored: false });
    expect(whole.broken).toBeUndefined();
    expect(whole.depth).toBe(mirrored.depth);
    // Only a state that is its own mirror image is counted once in both: the first, and few others.
    expect(whole.states).toBeGreaterThan(1.9 * mirrored.states);
    expect(whole.states).toBeLessThan(2 * mirrored.states);
  });
});
