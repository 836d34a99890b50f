import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { createProposalFeed } from "../src/proposal-feed.ts";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "./tally.ts";
import { gate, turn } from "./gated.ts";

const nothing = () => undefined;
const name = (text: string) => ({ type: "name", name: text }) as const;

async function started() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  let reads = 0;
  const source = {
    onCommit: thread.onCommit,
    proposals() {
      reads += 1;
      return thread.proposals();
    },
  };
  return { thread, source, reads: () => reads };
}

describe("proposal feed", () => {
  it("is loading until it is watched, then follows proposals and decisions", async () => {
    const { thread, source, reads } = await started();
    await thread.propose(name("a"), { id: "p1", actor: robot });
    const feed = createProposalFeed(source);
    await turn();
    expect([feed.getState(), reads()]).toEqual([{ proposals: [], loading: true }, 0]);
    feed.subscribe(nothing);
    await turn();
    expect(feed.getState()).toMatchObject({ proposals: [{ id: "p1", stale: [] }], loading: false });
    await thread.propose(name("b"), { id: "p2", actor: robot });
    await turn();
    expect(feed.getState().proposals.map(({ id }) => id)).toEqual(["p1", "p2"]);
    const approved = await thread.approve("p1", { actor: ada });
    await turn();
    expect(feed.getState().proposals.map(({ id }) => id)).toEqual(["p2"]);
    await thread.decline("p2", { actor: ada });
    await turn();
    expect(feed.getState().proposals).toEqual([]);
    if (approved.accepted && approved.commit) await thread.undo({ ids: [approved.commit.id] }, { actor: ada });
    await turn();
    expect(feed.getState().proposals).toEqual(await thread.proposals());
  });

  it("learns that one was undone, and that this undo was, too", async () => {
    const { thread, source } = await started();
    await thread.propose(name("a"), { id: "p", actor: robot });
    const feed = createProposalFeed(source);
    feed.subscribe(nothing);
    await turn();
    await thread.undo({ ids: ["p"] }, { id: "undo", actor: robot });
    await turn();
    expect(feed.getState().proposals).toEqual([]);
    await thread.undo({ ids: ["undo"] }, { actor: robot });
    await turn();
    expect(feed.getState().proposals).toMatchObject([{ id: "p" }]);
  });

  it("learns that one became stale", async () => {
    const { thread, source } = await started();
    await thread.propose(name("a"), { id: "p", actor: robot });
    const feed = createProposalFeed(source);
    feed.subscribe(nothing);
    await turn();
    expect(feed.getState().proposals[0]?.rejection).toBeUndefined();
    await thread.dispatch(name("a"), { actor: bob });
    await turn();
    expect(feed.getState().proposals[0]).toMatchObject({ rejection: { reason: "name_taken" } });
  });

  it("does not read for edits while none waits", async () => {
    const { thread, source, reads } = await started();
    const feed = createProposalFeed(source);
    feed.subscribe(nothing);
    await turn();
    for (const text of ["a", "b", "c"]) await thread.dispatch(name(text), { actor: bob });
    await turn();
    expect(reads()).toBe(1);
  });

  it("reads once for what comes together, and again for what came while it read", async () => {
    const { thread, source, reads } = await started();
    const held = gate();
    const feed = createProposalFeed({ ...source, proposals: held.hold(source.proposals) });
    feed.subscribe(nothing);
    await turn();
    for (const id of ["p1", "p2", "p3"]) await thread.propose(name(id), { id, actor: robot });
    await turn();
    expect(reads()).toBe(1);
    held.release();
    await turn();
    expect([reads(), feed.getState().loading]).toEqual([2, true]);
    held.release();
    await turn();
    expect(feed.getState()).toMatchObject({ loading: false, proposals: [{ id: "p1" }, { id: "p2" }, { id: "p3" }] });
    expect(reads()).toBe(2);
  });

  it("says what went wrong, and tries again with the next commit", async () => {
    const { thread, source } = await started();
    let broken = true;
    const feed = createProposalFeed({
      ...source,
      proposals: async () => (broken ? Promise.reject(new Error("no network")) : source.proposals()),
    });
    feed.subscribe(nothing);
    await turn();
    expect(feed.getState()).toEqual({ proposals: [], loading: false, error: new Error("no network") });
    broken = false;
    await thread.dispatch(name("a"), { actor: bob });
    await turn();
    expect(feed.getState()).toEqual({ proposals: [], decisions: 2, loading: false });
  });

  it("reads again when it is watched again, and after a lost connection", async () => {
    const { thread, source } = await started();
    const feed = createProposalFeed(source);
    feed.subscribe(nothing)();
    await turn();
    await thread.propose(name("a"), { id: "p1", actor: robot });
    expect(feed.getState().proposals).toEqual([]);
    feed.subscribe(nothing);
    await turn();
    expect(feed.getState().proposals).toHaveLength(1);

    let status: (status: "online" | "offline") => void = nothing;
    let open = true;
    const inner = threadTransport(thread, { actor: ada });
    const replica = createReplica({
      definition: tally,
      transport: {
        connect(options) {
          status = options.onStatus;
          return inner.connect({ ...options, onMessage: (message) => open && options.onMessage(message) });
        },
      },
    });
    const remote = createProposalFeed({ ...replica, proposals: source.proposals });
    remote.subscribe(nothing);
    await turn();
    open = false;
    status("offline");
    await thread.propose(name("b"), { id: "p2", actor: robot });
    await turn();
    expect(remote.getState().proposals).toHaveLength(1);
    open = true;
    status("online");
    await turn();
    expect(remote.getState().proposals).toHaveLength(2);
  });
});
