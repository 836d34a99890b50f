import { memoryLog, openThread } from "@opstate/core";
import { defaultRights } from "@opstate/core/thread";
import { describe, expect, it } from "vitest";
import { ada, bob, steady, tally } from "./tally.ts";

const open = () => openThread({ definition: tally, log: memoryLog(), threadId: "t", ...steady() });
const bot = { kind: "bot", id: "b" };

describe("default rights", () => {
  it.each(["user", "system"])("let a %s read, write, undo the work of others and approve", (kind) => {
    expect(defaultRights(kind)).toEqual(["read", "write", "undo", "approve"]);
  });

  it.each(["agent", "webhook", "bot", ""])("let a %j read and write only", (kind) => {
    expect(defaultRights(kind)).toEqual(["read", "write"]);
  });
});

describe("an actor of an unknown kind", () => {
  it("may undo its own work", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: bot, id: "own" });
    expect(await thread.undo({ ids: ["own"] }, { actor: bot })).toMatchObject({ accepted: true });
  });

  it("may not undo the work of others", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "other" });
    expect(await thread.undo({ ids: ["other"] }, { actor: bot })).toMatchObject({ rejection: { code: "forbidden" } });
  });

  it("may undo the work of others when the caller allows it", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "other" });
    const verdict = await thread.undo({ ids: ["other"] }, { actor: bot, allows: (right) => right === "undo" });
    expect(verdict).toMatchObject({ accepted: true });
  });

  it("may not approve what others propose", async () => {
    const thread = await open();
    await thread.propose({ type: "reset" }, { actor: bob, id: "p" });
    expect(await thread.approve("p", { actor: bot })).toMatchObject({ rejection: { code: "forbidden" } });
  });
});
