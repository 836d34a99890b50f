// What a page's client makes of the routes beside the state.

import { describe, expect, it } from "vitest";
import { ada, as, robot } from "../support/kinds.ts";
import { startWithList } from "../support/list-thread.ts";

describe("threadClient", () => {
  it("does all of it, with verdicts as values", async () => {
    const { client, items } = await startWithList();
    const [page, agent] = [client(ada), client(robot)];
    const proposed = await agent.propose({ type: "add", item: "a" }, { id: "p" });
    expect(proposed.accepted).toBe(true);
    expect((await page.proposals()).map(({ id }) => id)).toEqual(["p"]);
    expect((await page.approve("p", { id: "yes" })).accepted).toBe(true);
    expect(await items()).toEqual(["a"]);
    const undone = await page.undo({ ids: ["yes"] }, { id: "u" });
    expect(undone).toMatchObject({ accepted: true, version: 3 });
    expect((await page.redo("u")).accepted).toBe(true);
    expect(await page.approve("p")).toMatchObject({ accepted: false, rejection: { reason: "decided" }, attempt: 1 });
    expect((await page.history({ order: "descending", limit: 1 })).map(({ kind }) => kind)).toEqual(["commit"]);
    expect((await page.stateAt(2)).state.items).toEqual(["a"]);
    expect(await page.explain("/items/0")).toMatchObject({ path: "/items/0" });
    expect(await client(ada).explain("/nothing")).toBeUndefined();

    const branch = await agent.branch({ version: 0 });
    expect(branch.parent.version).toBe(0);
    expect(await page.openBranch(branch.threadId).diff()).toEqual([]);
    expect(await branch.merge()).toEqual([]);
    await branch.discard();
    expect(await page.branches()).toEqual([]);
    await expect(branch.diff()).rejects.toMatchObject({ name: "RequestError", status: 404, code: "unknown_branch" });
    await expect(client(as("user", "eve")).proposals()).rejects.toMatchObject({ status: 403, code: "not_allowed" });
  });
});
