// What a person has typed and not sent.

import { memoryStorage } from "@opstate/client";
import { describe, expect, test } from "vitest";
import { createDrafts } from "../../src/page/drafts.ts";

describe("the plan of a debate", () => {
  test("is not started without a topic, and says what is missing", () => {
    const { plan } = createDrafts();
    void plan.dispatch({ type: "write", topic: " \n " });
    expect(plan.can({ type: "start" })).toMatchObject({
      reason: "no_topic",
      message: "Say what they should argue about.",
    });
  });

  test("is there again after a reload", async () => {
    const storage = memoryStorage();
    const before = createDrafts(storage).plan;
    await before.dispatch({ type: "write", topic: "Zoos" });
    await before.dispatch({ type: "setRounds", maxRounds: 7 });
    const after = createDrafts(storage).plan;
    await after.ready();
    expect(after.getState()).toEqual({ topic: "Zoos", maxRounds: 7 });
  });

  test("is empty again when it was started", async () => {
    const { plan } = createDrafts();
    await plan.dispatch({ type: "write", topic: "Zoos" });
    expect(await plan.dispatch({ type: "start" })).toMatchObject({ accepted: true });
    expect(plan.getState()).toEqual(plan.getInitialState());
  });
});

test("each debate has a remark of its own, after a reload too", async () => {
  const storage = memoryStorage();
  const drafts = createDrafts(storage);
  expect(drafts.remarkOf("a")).toBe(drafts.remarkOf("a"));
  await drafts.remarkOf("a").dispatch({ type: "write", round: 1, text: "And the animals?" });
  await drafts.remarkOf("b").dispatch({ type: "write", round: 2, text: "And the costs?" });
  const again = createDrafts(storage);
  await Promise.all([again.remarkOf("a").ready(), again.remarkOf("b").ready()]);
  expect(again.remarkOf("a").getState()).toEqual({ round: 1, text: "And the animals?" });
  expect(again.remarkOf("b").getState()).toEqual({ round: 2, text: "And the costs?" });
});
