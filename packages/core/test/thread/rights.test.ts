import { memoryLog, openThread } from "@opstate/core";
import { defaultRights } from "@opstate/core/thread";
import { describe, expect, it } from "vitest";
import { ada, bob, steady, tally } from "./tally.ts";

const open = () => openThread({ definition: tally, log: memoryLog(), threadId: "t", ...steady() });
const bot = { kind: "bot", id: "b" };

describe("default rights", () => {
  it.each(["user", "system"])("let a %s take back and approve what others do", (kind) => {
    expect(defaultRights(kind)).toEqual(["read", "write", "undo", "approve"]);
  });

  it.each(["agent", "webhook", "bot", ""])("let a %j read and write only", (kind) => {
    expect(defaultRights(kind)).toEqual(["read", "write"]);
  });
});

describe("an actor of a kind that opstate does not know", () => {
  it("may take back its own work", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: bot, id: "own" });
    expect(await thread.undo({ ids: ["own"] }, { actor: bot })).toMatchObject({ accepted: true });
  });

  it("may not take back what others did", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "hers" });
    expect(await thread.undo({ ids: ["hers"] }, { actor: bot })).toMatchObject({ rejection: { code: "forbidden" } });
  });

  it("may take it back when the caller allows it", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "hers" });
    const verdict = await thread.undo({ ids: ["hers"] }, { actor: bot, allows: (right) => right === "undo" });
    expect(verdict).toMatchObject({ accepted: true });
  });

  it("may not approve what others propose", async () => {
    const thread = await open();
    await thread.propose({ type: "reset" }, { actor: bob, id: "p" });
    expect(await thread.approve("p", { actor: bot })).toMatchObject({ rejection: { code: "forbidden" } });
  });
});
