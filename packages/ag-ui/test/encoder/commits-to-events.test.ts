// A thread as AG-UI events: what a client that knows only the protocol gets of it.

import { defined } from "@opstate/core";
import type { AGUIEvent } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { applyPatch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { deltaGuards } from "../../src/encoder/delta-guards.ts";
import { chatReducer, commitsToEvents, initialChatState } from "../../src/index.ts";
import { ada, board, customs, deltas, openBoard, robot, stateAfter } from "./support.ts";

describe("the events of a thread", () => {
  it("begin with the state and continue with every commit of any actor, without a gap", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.rename({ title: "Launch" }), { actor: ada });
    const first = thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    const events = commitsToEvents(thread);
    await first;
    await thread.dispatch(board.op.add({ column: 0, id: "c2" }), { actor: robot, runId: "r1", toolCallId: "t1" });
    const sent = events.take();
    expect(sent.map(({ type }) => type)).toEqual(["STATE_SNAPSHOT", "STATE_DELTA", "CUSTOM", "STATE_DELTA", "CUSTOM"]);
    expect(stateAfter(sent)).toEqual(thread.getState());
    expect(sent[0]?.metadata).toEqual({
      opstate: { threadId: "launch", incarnation: thread.incarnation, version: 1 },
    });
    expect(deltas(sent).map(({ metadata }) => metadata)).toEqual([
      { opstate: { version: 2, after: 1 } },
      { opstate: { version: 3, after: 2 } },
    ]);
    expect(customs(sent, "opstate.commit")).toEqual([
      {
        version: 2,
        id: expect.any(String),
        operation: board.op.add({ column: 0, id: "c1" }),
        actor: ada,
        at: expect.any(String),
      },
      {
        version: 3,
        id: expect.any(String),
        operation: board.op.add({ column: 0, id: "c2" }),
        actor: robot,
        at: expect.any(String),
        runId: "r1",
        toolCallId: "t1",
      },
    ]);
    events.close();
  });

  it("carry the sentence of a commit that has one", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread);
    await thread.dispatch(board.op.rename({ title: "Launch" }), { actor: ada });
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    expect(customs(events.take(), "opstate.commit").map((value) => (value as { sentence?: string }).sentence)).toEqual([
      "Rename '' to 'Launch'",
      undefined,
    ]);
    events.close();
  });

  it("are events of the protocol, without null for absent members", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread, { runId: "r1" });
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    await thread.dispatch(board.op.add({ column: 7, id: "c1" }), { actor: robot });
    await thread.propose(board.op.clear({}), { actor: robot, runId: "r1" });
    const sent = events.take();
    expect(sent.length).toBeGreaterThan(6);
    for (const event of sent)
      expect(EventSchemas.parse(JSON.parse(JSON.stringify(event)))).toEqual(JSON.parse(JSON.stringify(event)));
    expect(JSON.stringify(sent)).not.toContain("null");
  });

  it("report refusals with their reason", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread);
    await thread.dispatch(board.op.move({ from: 0, to: 1 }), { actor: robot, id: "s1", toolCallId: "t9" });
    expect(customs(events.take(), "opstate.rejection")).toEqual([
      expect.objectContaining({
        id: "s1",
        actor: robot,
        toolCallId: "t9",
        version: 0,
        rejection: expect.objectContaining({ code: "refused", reason: "no_card", message: "Nothing to move" }),
      }),
    ]);
  });

  it("contain only the type of a large operation, whose delta has its changes", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread);
    await thread.dispatch(board.op.rename({ title: "x".repeat(5_000) }), { actor: ada });
    const sent = events.take();
    expect(customs(sent, "opstate.commit")).toEqual([
      expect.objectContaining({ operation: { type: "rename", cut: { length: expect.any(Number) } } }),
    ]);
    expect(stateAfter(sent)).toEqual(thread.getState());
  });

  it("are read one by one in a loop, and end with the signal and its listeners", async () => {
    const thread = await openBoard();
    const aborter = new AbortController();
    const seen: AGUIEvent[] = [];
    const reading = (async () => {
      for await (const event of commitsToEvents(thread, { signal: aborter.signal })) {
        seen.push(event);
        if (deltas(seen).length === 20) aborter.abort();
      }
    })();
    for (let index = 0; index < 25; index += 1)
      await thread.dispatch(board.op.add({ column: 0, id: `c${index}` }), { actor: ada });
    await reading;
    expect(deltas(seen).map(({ metadata }) => metadata?.["opstate"])).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ version: index + 1, after: index })),
    );
  });

  it("end at once when the signal is aborted already, and when the loop is left", async () => {
    const thread = await openBoard();
    const late = commitsToEvents(thread, { signal: AbortSignal.abort() });
    expect(await late.ready()).toBe(false);
    expect(late.take()).toEqual([]);
    const left = commitsToEvents(thread);
    for await (const event of left) {
      expect(event.type).toBe("STATE_SNAPSHOT");
      break;
    }
    await thread.dispatch(board.op.rename({ title: "x" }), { actor: ada });
    expect(left.take()).toEqual([]);
    expect(await left.ready()).toBe(false);
  });

  it("retain nothing of the thread after their end", async () => {
    const thread = await openBoard();
    let listening = 0;
    function counted<T>(listen: (listener: (value: T) => void) => () => void) {
      return (listener: (value: T) => void) => {
        listening += 1;
        const stop = listen(listener);
        return () => {
          listening -= 1;
          stop();
        };
      };
    }
    const watched: typeof thread = Object.create(thread, {
      onCommit: { value: counted(thread.onCommit) },
      onRejection: { value: counted(thread.onRejection) },
    });
    const events = commitsToEvents(watched);
    expect(listening).toBeGreaterThan(0);
    events.close();
    await vi.waitUntil(() => listening === 0);
  });

  it("beyond the limit become one snapshot, and continue from it", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread, { limit: 4 });
    const sent = [...events.take()];
    for (let index = 0; index < 30; index += 1)
      await thread.dispatch(board.op.add({ column: 0, id: `c${index}` }), { actor: ada });
    const late = events.take();
    expect(late.map(({ type }) => type)).toEqual(["STATE_SNAPSHOT"]);
    await thread.dispatch(board.op.add({ column: 1, id: "after" }), { actor: ada });
    sent.push(...late, ...events.take());
    expect(deltas(sent).map(({ metadata }) => metadata)).toEqual([{ opstate: { version: 31, after: 30 } }]);
    expect(stateAfter(sent)).toEqual(thread.getState());
  });

  it("lead a client to the thread's state however reads and commits interleave", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({
              kind: fc.constant("add" as const),
              column: fc.nat(2),
              at: fc.option(fc.nat(3), { nil: undefined }),
            }),
            fc.record({ kind: fc.constant("move" as const), from: fc.nat(1), to: fc.nat(1) }),
            fc.record({ kind: fc.constant("take" as const) }),
            fc.record({ kind: fc.constant("undo" as const) }),
          ),
          { maxLength: 40 },
        ),
        fc.integer({ min: 1, max: 6 }),
        async (steps, limit) => {
          const thread = await openBoard();
          const events = commitsToEvents(thread, { limit });
          const sent: AGUIEvent[] = [];
          for (const [index, step] of steps.entries()) {
            if (step.kind === "take") sent.push(...events.take());
            else if (step.kind === "move") await thread.dispatch(board.op.move(step), { actor: ada });
            else if (step.kind === "undo") await thread.undo({ actor: robot }, { actor: ada, onDependent: "drop" });
            else
              await thread.dispatch(
                board.op.add({ column: step.column, id: `c${index}`, ...defined({ at: step.at }) }),
                {
                  actor: index % 2 ? ada : robot,
                },
              );
          }
          sent.push(...events.take());
          events.close();
          expect(stateAfter(sent)).toEqual(thread.getState());
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a client at another version", () => {
  it("detects it by the delta when the same value was changed before", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread);
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    await thread.dispatch(board.op.add({ column: 0, id: "c2" }), { actor: ada });
    await thread.dispatch(board.op.move({ from: 0, to: 1 }), { actor: ada });
    await thread.dispatch(board.op.rename({ title: "a" }), { actor: ada });
    await thread.dispatch(board.op.rename({ title: "b" }), { actor: ada });
    const sent = events.take();
    const [snapshot] = sent;
    const all = deltas(sent);
    // Each is left out in turn; of those two that touch nothing that came before or after, the
    // version alone tells.
    for (const missed of [0, 1, 3]) {
      const rest = all.filter((_, index) => index !== missed);
      expect(() => stateAfter([...(snapshot ? [snapshot] : []), ...rest])).toThrow();
    }
    expect(all.map(({ metadata }) => metadata?.["opstate"])).toEqual(
      [1, 2, 3, 4, 5].map((version) => ({ version, after: version - 1 })),
    );
  });

  it("detects it by the version, wherever the missed change was, and is right again after the next snapshot", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread, { limit: 4 });
    await thread.dispatch(board.op.rename({ title: "a" }), { actor: ada });
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    const [snapshot, , , second] = events.take();
    const missed = [snapshot, second].reduce(chatReducer, initialChatState());
    expect(missed.state).toEqual(board.initial);
    expect(missed.conflicts).toMatchObject([{ code: "version", patches: expect.any(Array) }]);
    for (let index = 0; index < 9; index += 1)
      await thread.dispatch(board.op.rename({ title: `t${index}` }), { actor: ada });
    const repaired = events.take().reduce(chatReducer, missed);
    expect(repaired).toMatchObject({ state: thread.getState(), conflicts: [] });
  });

  it("has little to compare, however large a delta is", async () => {
    const thread = await openBoard();
    const events = commitsToEvents(thread);
    const columns = Array.from({ length: 50 }, (_, index) => ({
      id: `k${index}`,
      cards: Array.from({ length: 20 }, (_, card) => ({ id: `c${card}`, done: false })),
    }));
    await thread.dispatch({ type: "$replace", value: { title: "t".repeat(150), columns } }, { actor: robot });
    await thread.dispatch({ type: "$replace", value: { title: "u", columns: columns.toReversed() } }, { actor: robot });
    await thread.dispatch(board.op.clear({}), { actor: ada });
    const all = deltas(events.take());
    expect(all).toHaveLength(3);
    for (const { delta } of all) {
      const guards = delta.filter(({ op }) => op === "test");
      expect(guards.length).toBeLessThanOrEqual(8);
      expect(JSON.stringify(guards).length).toBeLessThan(2_000);
    }
  });

  it("detects it by the item before one that is inserted into a list", () => {
    const delta = [{ op: "add" as const, path: "/list/1", value: { id: "b" } }];
    const guards = deltaGuards({ list: [{ id: "a" }, { id: "x" }] }, delta);
    expect(applyPatch({ list: [{ id: "a" }, { id: "x" }] }, [...guards, ...delta]).ok).toBe(true);
    expect(applyPatch({ list: [{ id: "x" }] }, delta).ok).toBe(true);
    expect(applyPatch({ list: [{ id: "x" }] }, [...guards, ...delta]).ok).toBe(false);
    expect(deltaGuards([1, 2], [{ op: "add", path: "/-", value: 3 }])).toEqual([{ op: "test", path: "/1", value: 2 }]);
  });

  it("accepts every guard on the state that the delta was made from (property)", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ column: fc.nat(1), at: fc.nat(4), move: fc.boolean() }), { maxLength: 12 }),
        async (steps) => {
          const thread = await openBoard();
          const events = commitsToEvents(thread);
          let guarded = 0;
          for (const [index, { column, at, move }] of steps.entries()) {
            const batch = {
              type: "$batch" as const,
              operations: [
                board.op.add({ column, id: `c${index}`, at }),
                ...(move ? [board.op.move({ from: column, to: 1 - column })] : []),
              ],
            };
            const before = thread.getState();
            await thread.dispatch(batch, { actor: ada });
            const [delta] = deltas(events.take());
            const guards = (delta?.delta ?? []).filter(({ op }) => op === "test");
            guarded += guards.length;
            expect(applyPatch(before, guards).ok).toBe(true);
          }
          expect(guarded).toBeGreaterThanOrEqual(steps.length > 0 ? 1 : 0);
          events.close();
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("proposals", () => {
  it("that are open are sent as interrupts, and `interrupts` returns those of the run", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    const propose = (id: string, runId: string) =>
      thread.propose(board.op.clear({}), { actor: robot, id, runId, toolCallId: `call-${id}` });
    await propose("old", "r0");
    await propose("declined", "r0");
    await thread.decline("declined", { actor: ada });
    const events = commitsToEvents(thread, { runId: "r1" });
    const all = commitsToEvents(thread);
    await propose("new", "r1");
    const seen: AGUIEvent[] = [];
    while (customs(seen, "opstate.proposal").length < 2 && (await events.ready())) seen.push(...events.take());
    const interrupt = {
      id: "new",
      reason: "confirmation",
      message: 'The agent asks to do "clear".',
      toolCallId: "call-new",
      responseSchema: expect.objectContaining({ required: ["approved"] }),
      metadata: {
        opstate: expect.objectContaining({
          proposal: "new",
          proposedAt: 5,
          operation: board.op.clear({}),
          basedOn: 4,
          proposer: robot,
        }),
      },
    };
    expect(
      customs(seen, "opstate.proposal")
        .map((value) => (value as { id: string }).id)
        .sort(),
    ).toEqual(["new", "old"]);
    expect(events.interrupts()).toEqual([interrupt]);
    expect(
      all
        .interrupts()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["new", "old"]);
    await thread.approve("new", { actor: ada });
    expect(events.interrupts()).toEqual([]);
    expect(all.interrupts().map(({ id }) => id)).toEqual(["old"]);
    expect(stateAfter([...seen, ...events.take()])).toEqual(thread.getState());
  });

  it("that are decided while the log is read are not sent as open", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    for (const id of ["p1", "p2"]) await thread.propose(board.op.clear({}), { actor: robot, id });
    let read = () => {};
    const reading = new Promise<void>((resolve) => {
      read = resolve;
    });
    const slow: typeof thread = Object.create(thread, {
      proposals: {
        async value() {
          const open = await thread.proposals();
          await reading;
          return open;
        },
      },
    });
    const events = commitsToEvents(slow);
    const seen = [...events.take()];
    await thread.decline("p1", { actor: ada });
    read();
    while (customs(seen, "opstate.proposal").length === 0 && (await events.ready())) seen.push(...events.take());
    expect(customs(seen, "opstate.proposal")).toMatchObject([{ id: "p2" }]);
    expect(events.interrupts()).toMatchObject([{ id: "p2" }]);
    events.close();
  });

  it("are open again when their undo is undone", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.add({ column: 0, id: "c1" }), { actor: ada });
    const events = commitsToEvents(thread);
    await thread.propose(board.op.clear({}), { actor: robot, id: "p1" });
    await thread.undo({ ids: ["p1"] }, { actor: robot, id: "u1" });
    expect(events.interrupts()).toEqual([]);
    await thread.undo({ ids: ["u1"] }, { actor: robot, id: "u2" });
    await vi.waitUntil(() => events.interrupts().length > 0);
    expect((await thread.proposal("p1"))?.status).toBe("open");
    expect(events.interrupts()).toMatchObject([{ id: "p1" }]);
    events.close();
  });

  it("come to a reader that fell behind", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.add({ column: 0, id: "c0" }), { actor: ada });
    const events = commitsToEvents(thread, { runId: "r1", limit: 2 });
    await thread.propose(board.op.clear({}), { actor: robot, id: "p1", runId: "r1" });
    for (let index = 0; index < 9; index += 1)
      await thread.dispatch(board.op.rename({ title: `t${index}` }), { actor: ada });
    expect(events.take().map(({ type }) => type)).toEqual(["STATE_SNAPSHOT", "CUSTOM"]);
    expect(events.interrupts().map(({ id }) => id)).toEqual(["p1"]);
  });
});
