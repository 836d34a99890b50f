// What a page's client makes of the routes beside the state.

import { describe, expect, it } from "vitest";
import { ada, as, robot } from "../support/rights/kinds.ts";
import { startWithList } from "../support/list-thread.ts";

async function startWithClients() {
  const { client, items } = await startWithList();
  return { items, client, page: client(ada), agent: client(robot) };
}

/** "a" is proposed by the agent, approved by the page at version 2, undone at 3. */
async function undoneProposal() {
  const clients = await startWithClients();
  const { page, agent } = clients;
  await agent.propose({ type: "add", item: "a" }, { id: "p" });
  await page.approve("p", { id: "yes" });
  return { ...clients, undone: await page.undo({ ids: ["yes"] }, { id: "u" }) };
}

describe("threadClient", () => {
  it("proposes and approves", async () => {
    const { page, agent, items } = await startWithClients();
    expect((await agent.propose({ type: "add", item: "a" }, { id: "p" })).accepted).toBe(true);
    expect((await page.proposals()).map(({ id }) => id)).toEqual(["p"]);
    expect((await page.approve("p", { id: "yes" })).accepted).toBe(true);
    expect(await items()).toEqual(["a"]);
  });

  it("undoes and redoes", async () => {
    const { page, items, undone } = await undoneProposal();
    expect(undone).toMatchObject({ accepted: true, version: 3 });
    expect(await items()).toEqual([]);
    expect((await page.redo("u")).accepted).toBe(true);
    expect(await items()).toEqual(["a"]);
  });

  it("returns the verdict of a refused operation", async () => {
    const { page } = await undoneProposal();
    await page.redo("u");
    expect(await page.approve("p")).toMatchObject({ accepted: false, rejection: { reason: "decided" }, attempt: 1 });
  });

  it("reads the past", async () => {
    const { page, client } = await undoneProposal();
    await page.redo("u");
    expect((await page.history({ order: "descending", limit: 1 })).map(({ kind }) => kind)).toEqual(["commit"]);
    expect((await page.stateAt(2)).state.items).toEqual(["a"]);
    expect(await page.explain("/items/0")).toMatchObject({ path: "/items/0" });
    expect(await client(ada).explain("/nothing")).toBeUndefined();
  });

  it("works on branches", async () => {
    const { page, agent } = await undoneProposal();
    const branch = await agent.branch({ version: 0 });
    expect(branch.parent.version).toBe(0);
    expect(await page.openBranch(branch.threadId).diff()).toEqual([]);
    expect(await branch.merge()).toEqual([]);
    await branch.discard();
    expect(await page.branches()).toEqual([]);
    await expect(branch.diff()).rejects.toMatchObject({ name: "RequestError", status: 404, code: "unknown_branch" });
  });

  it("throws when the server refuses the request", async () => {
    const { client } = await startWithClients();
    await expect(client(as("user", "eve")).proposals()).rejects.toMatchObject({ status: 403, code: "not_allowed" });
  });
});
