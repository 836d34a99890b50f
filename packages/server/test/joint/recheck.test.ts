// A stream of many threads asks again: a lost right ends its thread, lost credentials end the
// stream.

import { type Log, memoryLog } from "@opstate/core";
import { describe, expect, it, vi } from "vitest";
import type { Access, Right } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { follow, openJoint } from "../support/joint.ts";
import { as } from "../support/rights/owners.ts";
import { send, start } from "../support/server.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });

/** Threads a and b, and what the application says about Ada. */
async function withAda(log: Log = memoryLog()) {
  const says = {
    asked: 0,
    /** As "thread right". */
    denied: new Set<string>(),
    failing: new Set<string>(),
    actor: { kind: "user", id: "ada" } as Access["actor"] | null,
    answer: async () => {},
  };
  const running = await start({
    log,
    async authorize(request) {
      // The actor who writes at the same time.
      if (request.headers.get("authorization") === "root")
        return { actor: { kind: "user", id: "root" }, allows: () => true };
      says.asked += 1;
      await says.answer();
      const allows = (threadId: string, right: Right) => {
        if (says.failing.has(threadId)) throw new Error("the directory is down");
        return !says.denied.has(`${threadId} ${right}`);
      };
      return says.actor && { actor: says.actor, allows };
    },
  });
  for (const id of ["a", "b"]) await send(`${running.url}/threads/${id}`, "PUT", { definition: "board" }, as("root"));
  const post = (id: string, cardId: string) =>
    send(`${running.url}/threads/${id}/operations`, "POST", addCard(cardId), as("root"));
  const events = await openJoint(running.url, follow(["a", "b"]), as("ada"));
  for (const id of ["a", "b"]) await events.of("snapshot", id);
  const askAgain = () => running.server.revoke({ actor: { kind: "user", id: "ada" } });
  return { ...running, log, says, post, events, askAgain };
}

describe("a reader of many threads", () => {
  it("who may no longer read one loses that one, and gets nothing more of it", async () => {
    const { says, post, events, askAgain } = await withAda();
    says.denied.add("a read");
    await askAgain();
    expect(await events.of("problem")).toMatchObject({ thread: "a", status: 403, code: "not_allowed" });
    await post("a", "c1");
    await post("b", "c1");
    expect(await events.message()).toMatchObject({ thread: "b", type: "commits" });
    says.denied.clear();
    await events.change({ follow: { a: {} } });
    expect(await events.of("snapshot")).toMatchObject({ thread: "a", snapshot: { version: 1 } });
  });

  it.each([
    ["whose credentials have expired", null],
    ["whose credentials are another's now", { kind: "user", id: "bob" }],
  ])("%s loses all", async (_name, actor) => {
    const { says, post, events, askAgain } = await withAda();
    says.actor = actor;
    await askAgain();
    const problem = await events.of("problem");
    expect(problem).toMatchObject({ type: "problem", status: 401, code: "unauthenticated" });
    expect(problem).not.toHaveProperty("thread");
    await events.ended();
    await post("a", "after");
    expect(events.text()).not.toContain('"after"');
  });

  it("who still may read stays, and shows the credentials once each time", async () => {
    const { says, post, events, askAgain } = await withAda();
    for (let beat = 1; beat <= 3; beat += 1) {
      const before = says.asked;
      await askAgain();
      await until(() => says.asked > before);
      for (const id of ["a", "b"]) {
        await post(id, `c${beat}`);
        expect(await events.message()).toMatchObject({ thread: id, commits: [{ version: beat }] });
      }
      expect(says.asked).toBe(before + 1);
    }
  });

  it("keeps a thread when one check of it fails, and not when two in a row do", async () => {
    const { says, post, events, errors, askAgain } = await withAda();
    says.failing.add("a");
    await askAgain();
    await until(() => errors.length === 1);
    await post("a", "c1");
    expect(await events.message()).toMatchObject({ thread: "a", type: "commits" });
    await askAgain();
    expect(await events.message()).toMatchObject({ thread: "a", type: "problem", code: "failure" });
    expect(events.text()).not.toContain("directory");
    await post("b", "c1");
    expect(await events.message()).toMatchObject({ thread: "b", type: "commits" });
  });

  it("stays when the credentials could not be checked once, and not twice in a row", async () => {
    const { says, post, events, errors, askAgain } = await withAda();
    says.answer = () => Promise.reject(new Error("the directory is down"));
    await askAgain();
    await until(() => errors.length === 1);
    await post("a", "c1");
    expect(await events.message()).toMatchObject({ thread: "a", type: "commits" });
    await askAgain();
    expect(await events.message()).toMatchObject({ type: "problem", status: 500, code: "failure" });
    await events.ended();
    expect(errors).toHaveLength(2);
  });

  it("gets a thread that another process deleted and created again: a welcome, a snapshot", async () => {
    const { watch: _, ...silent } = memoryLog();
    const { log, post, events, askAgain } = await withAda(silent);
    await post("a", "c1");
    const { incarnation } = await events.of("commits").then(() => log.info("a").then((info) => info ?? fail()));
    await log.delete("a");
    await log.create({ threadId: "a", definition: "board", definitionVersion: 1, state: board.initial, at: "" });
    await askAgain();
    const welcome = await events.message();
    expect(welcome).toMatchObject({ thread: "a", type: "welcome", incarnation: (await log.info("a"))?.incarnation });
    expect(welcome.incarnation).not.toBe(incarnation);
    expect(await events.message()).toMatchObject({ thread: "a", type: "snapshot", snapshot: { version: 0 } });
    await post("a", "c2");
    expect(await events.message()).toMatchObject({ thread: "a", type: "commits", commits: [{ version: 1 }] });
    await post("b", "c1");
    expect(await events.message()).toMatchObject({ thread: "b", type: "commits" });
  });

  it("loses a branch whose parent another process deleted", async () => {
    const { url, log, post, events, askAgain } = await withAda();
    await send(`${url}/threads/a/branches`, "POST", { name: "x" }, as("root"));
    await events.change({ follow: { "a~x": {} } });
    await events.of("snapshot", "a~x");
    await log.delete("a");
    await askAgain();
    const lost = [await events.of("problem"), await events.of("problem")];
    expect(new Set(lost.map(({ thread }) => thread))).toEqual(new Set(["a", "a~x"]));
    expect(lost.map(({ code }) => code)).toEqual(["unknown_thread", "unknown_thread"]);
    await post("b", "c1");
    expect(await events.message()).toMatchObject({ thread: "b", type: "commits" });
  });
});

function fail(): never {
  throw new Error("There is no such thread.");
}
