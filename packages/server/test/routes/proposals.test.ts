// Proposals over HTTP: who may approve and decline, and what is refused.

import { describe, expect, it } from "vitest";
import { ada, add, as, bob, robot, wipe } from "../support/rights/kinds.ts";
import { startWithList } from "../support/list-thread.ts";
import { send } from "../support/server.ts";

describe("proposals", () => {
  /** The robot proposes, at version 2, an operation that needs approval. */
  async function openProposal() {
    const { thread, post, items } = await startWithList();
    await post("/operations", add("a"));
    const proposed = await post("/proposals", { operation: wipe, id: "p/1" }, robot);
    const list = async () => (await send(`${thread}/proposals`, "GET", undefined, bob)).body;
    return { post, items, list, proposed, approve: "/proposals/p%2F1/approve" };
  }

  it("are needed for an operation that needs approval", async () => {
    const { post } = await startWithList();
    expect(await post("/operations", wipe, robot)).toMatchObject({ status: 409, body: { code: "needs_approval" } });
  });

  it("are listed in words", async () => {
    const { proposed, list } = await openProposal();
    expect(proposed).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await list()).toMatchObject([
      {
        id: "p/1",
        version: 2,
        operation: wipe,
        actor: { kind: "agent", id: "robot" },
        sentence: "wipe {} (Take everything off)",
        stale: [],
      },
    ]);
  });

  it("are made for what their sender saw", async () => {
    const { post } = await openProposal();
    const propose = (things: unknown) => post("/proposals", { operation: wipe, basedOn: 2, things }, robot);
    expect(await propose([])).toMatchObject({ status: 409, body: { rejection: { reason: "other_thing" } } });
    expect(await propose([""])).toMatchObject({ status: 200 });
    expect(await propose("/list")).toMatchObject({ status: 400, body: { code: "invalid_body" } });
  });

  it("are not approved without the right, nor by their proposer", async () => {
    const { post, approve } = await openProposal();
    expect(await post(approve, {}, robot)).toMatchObject({ status: 403, body: { code: "not_allowed" } });
    expect(await post(approve, {}, as("agent", "robot", "read", "approve"))).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
  });

  it("are not approved as of another version than their own", async () => {
    const { post, approve } = await openProposal();
    expect(await post(approve, { proposedAt: 1 })).toMatchObject({
      status: 409,
      body: { rejection: { reason: "unknown_id" } },
    });
  });

  it("are executed when they are approved, and then no longer listed", async () => {
    const { post, items, list, approve } = await openProposal();
    expect(await post(approve, { id: "yes", proposedAt: 2 })).toMatchObject({
      status: 200,
      body: { commit: { operation: { type: "$approve", proposer: { kind: "agent", id: "robot" } } } },
    });
    expect(await items()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  /** A proposal of the robot, and a commit since that changed what it would change. */
  async function startWithStale() {
    const started = await startWithList();
    await started.post("/operations", add("a"));
    await started.post("/proposals", { operation: wipe, id: "p" }, robot);
    await started.post("/operations", add("b"));
    return started;
  }

  it("are not approved when others changed what they would change", async () => {
    const { post, items } = await startWithStale();
    expect(await post("/proposals/p/approve", {})).toMatchObject({
      status: 409,
      body: { rejection: { reason: "changed" } },
    });
    expect(await post("/proposals/p/approve", { anyway: "yes" })).toMatchObject({
      status: 400,
      body: { code: "invalid_body" },
    });
    expect(await items()).toEqual(["a", "b"]);
  });

  it("are not approved anyway without the right to approve, nor by their proposer", async () => {
    const { post, items } = await startWithStale();
    expect(await post("/proposals/p/approve", { anyway: true }, bob)).toMatchObject({
      status: 403,
      body: { code: "not_allowed" },
    });
    expect(await post("/proposals/p/approve", { anyway: true }, as("agent", "robot", "read", "approve"))).toMatchObject(
      {
        status: 403,
        body: { code: "forbidden" },
      },
    );
    expect(await items()).toEqual(["a", "b"]);
  });

  it("are approved anyway by an actor with the right to approve", async () => {
    const { items, client } = await startWithStale();
    expect(await client(ada).approve("p", { id: "yes", anyway: true })).toMatchObject({
      accepted: true,
      commit: { operation: { type: "$approve", proposer: { kind: "agent", id: "robot" }, anyway: true } },
    });
    expect(await items()).toEqual([]);
  });

  it("are declined by who may approve, and by their proposer", async () => {
    const { post } = await startWithList();
    await post("/operations", add("a"));
    await post("/proposals", { operation: wipe, id: "p" }, robot);
    await post("/proposals", { operation: wipe, id: "q" }, robot);
    expect(await post("/proposals/p/decline", {}, bob)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await post("/proposals/p/decline", { reason: "keep it" })).toMatchObject({
      status: 200,
      body: { commit: { operation: { reason: "keep it" } } },
    });
    expect(await post("/proposals/q/decline", {}, robot)).toMatchObject({ status: 200 });
    expect(await post("/proposals/q/decline", {}, as("user", "eve", "read"))).toMatchObject({
      status: 403,
      body: { code: "not_allowed" },
    });
  });

  it("show their proposer nothing of a state that the proposer may not read", async () => {
    const { post } = await startWithList();
    await post("/operations", add("Confidential"));
    const blind = await post("/proposals", { operation: wipe }, as("agent", "blind", "write"));
    expect(blind).toMatchObject({
      status: 200,
      body: { accepted: true, commit: { operation: { type: "$propose", operation: wipe } } },
    });
    expect(JSON.stringify(blind.body)).not.toContain("Confidential");
    expect(JSON.stringify((await post("/proposals", { operation: wipe }, robot)).body)).toContain("Confidential");
  });

  it("refuse an actor in the body, and unknown members", async () => {
    const { post } = await startWithList();
    await post("/proposals", { operation: add("a"), id: "p" }, robot);
    const cases = [
      ["/proposals", { operation: wipe, actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      ["/proposals", { operation: wipe, allows: true }, "invalid_body"],
      ["/proposals", { id: "x" }, "invalid_body"],
      ["/proposals", { operation: wipe, expiresAt: 7 }, "invalid_body"],
      ["/proposals/p/approve", { actor: { kind: "user", id: "ada" } }, "actor_in_body"],
      ["/proposals/p/approve", { force: true }, "invalid_body"],
      ["/proposals/p/approve", { proposedAt: "1" }, "invalid_body"],
      ["/proposals/p/decline", { reason: 7 }, "invalid_body"],
    ] as const;
    for (const [path, body, code] of cases)
      expect(await post(path, body), JSON.stringify(body)).toMatchObject({ status: 400, body: { code } });
    expect(await post("/proposals", { operation: add("a"), expiresAt: "soon" })).toMatchObject({ status: 422 });
    expect(await post("/proposals/nope/approve", {})).toMatchObject({
      status: 409,
      body: { rejection: { reason: "unknown_id" } },
    });
  });
});
