// The oracle keeps a list of what was accepted and folds what is not taken back from the initial
// state, every time anew. A thread that starts in the middle, runs backwards and stores patches
// must say the same after every step.

import { type Actor, createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { type UndoOperation, type VersionRanges, versionsIn } from "@opstate/core/log";
import type { UndoTarget } from "@opstate/core/thread";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";

interface Done {
  readonly version: number;
  readonly id: string;
  readonly actor: Actor;
  readonly runId: string;
  readonly operation: { readonly type: string };
  /** What an undo names; undefined for everything else. */
  readonly names: readonly number[] | undefined;
}

class Oracle {
  readonly done: Done[] = [];

  /** A commit counts unless an undo that counts names it. */
  counts(entry: Done, also: ReadonlySet<number>): boolean {
    if (also.has(entry.version)) return false;
    return !this.done.some((undo) => undo.names?.includes(entry.version) === true && this.counts(undo, also));
  }

  fold(also: ReadonlySet<number> = new Set()) {
    let state = tally.initial;
    const refused: Done[] = [];
    for (const entry of this.done) {
      if (entry.names !== undefined || !this.counts(entry, also)) continue;
      const step = tally.transition(state, entry.operation);
      state = step.state;
      if (!step.accepted) refused.push(entry);
    }
    return { state, refused };
  }

  meant(target: UndoTarget): Done[] {
    if ("ids" in target) return this.done.filter(({ id }) => target.ids.includes(id));
    const chosen: Done[] = [];
    const picked = new Set<number>();
    for (const entry of this.done) {
      const fits = "runId" in target ? entry.runId === target.runId : entry.actor.id === target.actor.id;
      if (!fits || (target.since ?? 0) >= entry.version) continue;
      if (entry.names?.every((at) => picked.has(at)) !== true) chosen.push(entry);
      picked.add(entry.version);
    }
    return chosen;
  }
}
const actors = [ada, bob, robot];
const name = fc.constantFrom("a", "b", "c", "d");
const update = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 101 }).map((by) => ({ type: "add", by })) },
  { weight: 4, arbitrary: name.map((name) => ({ type: "name", name })) },
  { weight: 4, arbitrary: name.map((name) => ({ type: "unname", name })) },
  fc.constant({ type: "reset" }),
  fc.constant({ type: "wipe" }),
  fc.tuple(name, name).map(([a, b]) => ({
    type: "$batch",
    operations: [
      { type: "name", name: a },
      { type: "name", name: b },
    ],
  })),
  fc.uniqueArray(name, { maxLength: 4 }).map((names) => ({ type: "$replace", value: { count: names.length, names } })),
);
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("dispatch" as const), who: fc.nat(2), run: fc.nat(3), update }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("undo" as const),
      what: fc.constantFrom("ids", "ids", "ids", "runId", "actor"),
      picks: fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
      since: fc.nat(10),
      onDependent: fc.constantFrom("refuse" as const, "drop" as const),
      // Waits behind another submission of the same turn, and before one.
      crowded: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen" as const) }) },
);

describe("undo", () => {
  it("gives the fold of what is not taken back, names what no longer holds, and is undone exactly", async () => {
    const seen = { undone: 0, refused: 0, dropped: 0, redone: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 12, maxLength: 40, size: "max" }), async (commands) => {
        const log = memoryLog();
        const open = () => openThread({ definition: tally, log, threadId: "t", snapshotEvery: 7 });
        let thread = await open();
        const oracle = new Oracle();
        const states = new Map<number, unknown>([[0, tally.initial]]);
        let ids = 0;

        const note = (verdict: Awaited<ReturnType<typeof thread.dispatch>>) => {
          if (!verdict.accepted || verdict.commit === undefined) return;
          const { version, id, actor, runId = "", operation } = verdict.commit;
          if (oracle.done.some((entry) => entry.version === version)) return;
          const names = operation.type === "$undo" ? [...versionsIn((operation as UndoOperation).versions)] : undefined;
          oracle.done.push({ version, id, actor, runId, operation, names });
        };
        const send = (update: { readonly type: string; readonly by?: number }, actor: Actor, run = 0) =>
          thread.submit(update, { actor, id: `n${(ids += 1)}`, runId: `run-${run}` });

        for (const step of commands) {
          if (step.kind === "reopen") {
            await thread.close();
            thread = await open();
          } else if (step.kind === "dispatch") {
            const actor = actors[step.who] ?? ada;
            note(await send(step.update, actor, step.run));
          } else if (oracle.done.length > 0) {
            const at = (pick: number) => oracle.done[oracle.done.length - 1 - (pick % oracle.done.length)];
            const [pick = 0] = step.picks;
            const target: UndoTarget =
              step.what === "ids"
                ? { ids: step.picks.map((one) => at(one)?.id ?? "") }
                : step.what === "runId"
                  ? { runId: at(pick)?.runId ?? "", since: step.since }
                  : { actor: at(pick)?.actor ?? ada, since: step.since };
            const before = thread.version;
            const early = step.crowded ? send({ type: "add", by: 1 }, bob, 9) : undefined;
            const undoing = thread.undo(target, {
              actor: ada,
              id: `n${(ids += 1)}`,
              runId: `run-${step.since % 4}`,
              onDependent: step.onDependent,
            });
            const late = step.crowded ? send({ type: "add", by: 2 }, bob, 9) : undefined;
            if (early !== undefined) note(await early);
            const meant = oracle.meant(target);
            const verdict = await undoing;
            const set = new Set(meant.map(({ version }) => version));
            const expected = oracle.fold(set);
            if (meant.every((entry) => !oracle.counts(entry, new Set()))) {
              expect(verdict).toEqual({ accepted: true, version: before + (early === undefined ? 0 : 1) });
            } else if (expected.refused.length > 0 && step.onDependent === "refuse") {
              seen.refused += 1;
              expect(verdict).toMatchObject({
                accepted: false,
                rejection: {
                  code: "conflict",
                  reason: "dependents",
                  details: { dependents: expected.refused.map(({ id }) => id).slice(0, 20) },
                },
              });
            } else {
              seen.undone += 1;
              const operation = verdict.accepted ? (verdict.commit?.operation as UndoOperation) : undefined;
              expect(versionsOf(operation?.versions)).toEqual(inOrder([...meant, ...expected.refused]));
              expect(versionsOf(operation?.dropped)).toEqual(inOrder(expected.refused));
              expect(verdict.version).toBe(before + (early === undefined ? 1 : 2));
              if (expected.refused.length > 0) seen.dropped += 1;
              if (meant.some(({ names }) => names !== undefined)) seen.redone += 1;
              note(verdict);
              states.set(verdict.version, expected.state);
            }
            if (late !== undefined) note(await late);
          }
          const { state, refused } = oracle.fold();
          expect(refused).toEqual([]);
          expect(thread.getState()).toEqual(state);
          expect(oracle.done.map(({ version }) => version)).toEqual(
            Array.from({ length: thread.version }, (_, index) => index + 1),
          );
        }
        for (const [version, state] of states) expect(await thread.stateAt(version)).toEqual(state);
        const replica = createReplica({
          definition: tally,
          transport: threadTransport(thread, { actor: bob }),
          snapshot: { version: 0, state: tally.initial },
        });
        await new Promise<void>((resolve) => {
          const settle = () => replica.sync.getState().version === thread.version && resolve();
          replica.sync.subscribe(settle);
          settle();
        });
        expect(replica.getState()).toEqual(thread.getState());
        replica.close();
      }),
      { numRuns: 250 },
    );
    // The harness must have met what it is for.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
  });
});

function versionsOf(ranges: VersionRanges | readonly string[] = []): readonly number[] {
  return [...versionsIn(ranges as VersionRanges)];
}

function inOrder(entries: readonly Done[]): readonly number[] {
  return entries.map(({ version }) => version).sort((left, right) => left - right);
}
