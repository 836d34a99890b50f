// Each planted bug is found, by the shortest way to it.

import { describe, expect, it } from "vitest";
import { PLANTED, withBug, worldOf } from "./planted.ts";
import { search } from "./search.ts";
import { createModel } from "./world.ts";
import * as log from "./log.ts";
import * as steps from "../../src/thread/authority/step.ts";

describe("the search finds that", () => {
  it.each(Object.entries(PLANTED))("%s", async (_, bug) => {
    const { broken } = search(createModel(worldOf(bug), await withBug(bug)));
    expect(broken?.law).toMatch(bug.law);
    expect(broken?.trace).not.toHaveLength(0);
  });

  it("forgets a head by the shortest way", async () => {
    const bug = PLANTED["a head that is announced while it reads is forgotten"];
    if (bug === undefined) throw new Error("It is not planted.");
    const { broken } = search(createModel(worldOf(bug), await withBug(bug)));
    expect(broken?.trace).toMatchInlineSnapshot(`
      [
        "writer 1 sends a to A",
        "the log gets the append of a after version 0 of A: appended",
        "B is notified of head 1",
        "A gets the answer: appended; a gets accepted at version 1",
        "the log reads for B what is after 0: 1 is a",
        "writer 2 sends b to A",
        "the log gets the append of b after version 1 of A: appended",
        "A gets the answer: appended; b gets accepted at version 2",
        "A is notified of head 2",
        "B is notified of head 2",
        "B gets what it read",
        "nothing is under way any more",
      ]
    `);
  });

  it("breaks no law in the same worlds without a bug", () => {
    for (const bug of Object.values(PLANTED))
      if (bug.file === "step" && bug.world.failures === undefined)
        expect(search(createModel(worldOf(bug), { steps, log })).broken).toBeUndefined();
  });
});
