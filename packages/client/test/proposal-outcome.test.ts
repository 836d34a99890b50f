import { memoryLog, openThread, type Thread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { createProposalFeed } from "../src/proposal-feed.ts";
import { createProposalOutcome } from "../src/proposal-outcome.ts";
import { gate, turn } from "./gated.ts";
import { ada, robot, tally } from "./tally.ts";

const nothing = () => undefined;
const name = { type: "name", name: "a" } as const;

async function proposed() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  await thread.propose(name, { id: "p", actor: robot });
  const list = createProposalFeed(thread);
  let reads = 0;
  const find = () => {
    reads += 1;
    return thread.proposal("p");
  };
  return { thread, source: { id: "p", list, find }, reads: () => reads };
}

describe("the outcome of a proposal", () => {
  it("is open while it is in the list, without a request of its own, and then what was decided", async () => {
    const { thread, source, reads } = await proposed();
    const outcome = createProposalOutcome(source);
    expect(outcome.getState()).toEqual({ loading: true });
    outcome.subscribe(nothing);
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { status: "open", proposal: { id: "p" } }, loading: false });
    expect(reads()).toBe(0);
    await thread.decline("p", { actor: ada, reason: "Not now" });
    await turn();
    expect(outcome.getState()).toMatchObject({
      outcome: { status: "decided", how: "declined", by: ada, reason: "Not now" },
      loading: false,
    });
  });

  it("is read once when it was decided, however much happens after", async () => {
    const { thread, source, reads } = await proposed();
    await thread.approve("p", { actor: ada });
    const outcome = createProposalOutcome(source);
    outcome.subscribe(nothing);
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { how: "approved" } });
    await thread.propose({ type: "name", name: "b" }, { id: "q", actor: robot });
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    await turn();
    expect(reads()).toBe(1);
  });

  it("is open again when the undo that took it back is taken back", async () => {
    const { thread, source } = await proposed();
    const outcome = createProposalOutcome(source);
    outcome.subscribe(nothing);
    await thread.undo({ ids: ["p"] }, { actor: robot, id: "undo" });
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { how: "taken_back" } });
    await thread.undo({ ids: ["undo"] }, { actor: robot });
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { status: "open" } });
  });

  it("is none for a proposal that the log does not know, until it does", async () => {
    const { thread, source } = await proposed();
    const outcome = createProposalOutcome({ ...source, id: "later", find: () => thread.proposal("later") });
    outcome.subscribe(nothing);
    await turn();
    expect(outcome.getState()).toEqual({ loading: false });
    await thread.propose({ type: "name", name: "b" }, { id: "later", actor: robot });
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { status: "open" } });
  });

  it.each([
    ["unknown", undefined, async () => undefined],
    ["taken back", "decided", async (thread: Thread) => thread.undo({ ids: ["p"] }, { actor: robot })],
  ])("is read once while it is %s, however often others make the list be read", async (_, status, end) => {
    const { thread, source, reads } = await proposed();
    await end(thread);
    const id = status === undefined ? "other" : "p";
    const find = () => source.find().then((found) => (status === undefined ? undefined : found));
    const outcome = createProposalOutcome({ ...source, id, find });
    outcome.subscribe(nothing);
    await thread.propose({ type: "name", name: "b" }, { id: "q", actor: robot });
    await turn();
    const before = reads();
    for (const by of [1, 2, 3]) {
      await thread.dispatch({ type: "add", by }, { actor: ada });
      await turn();
    }
    expect(outcome.getState().outcome?.status).toBe(status);
    expect(reads()).toBe(before);
    await thread.decline("q", { actor: ada });
    await turn();
    expect(reads()).toBe(before + 1);
  });

  it("is read when it expired, and then once", async () => {
    let now = Date.parse("2026-11-29T00:00:00Z");
    const clock = () => new Date(now).toISOString();
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", clock });
    await thread.propose(name, { id: "p", actor: robot, expiresAt: new Date(now + 60_000).toISOString() });
    await thread.propose({ type: "name", name: "b" }, { id: "q", actor: robot });
    const list = createProposalFeed(thread);
    let reads = 0;
    const find = () => {
      reads += 1;
      return thread.proposal("p");
    };
    const outcome = createProposalOutcome({ id: "p", list, find });
    outcome.subscribe(nothing);
    await turn();
    now += 120_000;
    for (const by of [1, 2, 3]) {
      await thread.dispatch({ type: "add", by }, { actor: ada });
      await turn();
    }
    expect(outcome.getState()).toMatchObject({ outcome: { status: "expired" }, loading: false });
    expect(reads).toBe(1);
  });

  it("is read again by who comes after all others left in the middle of a read", async () => {
    const { thread, source } = await proposed();
    await thread.approve("p", { actor: ada });
    const held = gate();
    const outcome = createProposalOutcome({ ...source, find: held.hold(source.find) });
    const leave = outcome.subscribe(nothing);
    await turn();
    leave();
    held.release();
    outcome.subscribe(nothing);
    await turn();
    held.release();
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { how: "approved" }, loading: false });
  });

  it("says what went wrong, and reads again with the list", async () => {
    const { thread, source } = await proposed();
    await thread.approve("p", { actor: ada });
    let broken = true;
    const find = async () => (broken ? Promise.reject(new Error("no network")) : source.find());
    const outcome = createProposalOutcome({ ...source, find });
    outcome.subscribe(nothing);
    await turn();
    expect(outcome.getState()).toEqual({ loading: false, error: new Error("no network") });
    broken = false;
    await source.list.refresh();
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { how: "approved" }, loading: false });
  });

  it("does not show an answer that a later list overtook", async () => {
    const { thread, source } = await proposed();
    const held = gate();
    const outcome = createProposalOutcome({ ...source, id: "q", find: held.hold(() => thread.proposal("q")) });
    outcome.subscribe(nothing);
    await turn();
    await thread.propose({ type: "name", name: "b" }, { id: "q", actor: robot });
    await turn();
    held.release();
    await turn();
    expect(outcome.getState()).toMatchObject({ outcome: { status: "open" }, loading: false });
  });
});
