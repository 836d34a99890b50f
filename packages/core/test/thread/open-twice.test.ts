// A thread that is opened more than once in one process, on one log object.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Log, memoryLog, openThread, type OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, defineTally, elsewhere, robot, spied, steady, tally } from "./tally.ts";

const add = (by: number) => ({ type: "add", by }) as const;
const open = (log: Log, more = {}) => openThread({ definition: tally, log, threadId: "t", ...more });
const rejected = (opening: Promise<unknown>) =>
  opening.then(
    () => expect.unreachable("it should not open"),
    (error: unknown) => error as OpstateError,
  );

describe("a thread that is opened twice in one process", () => {
  it("shows every commit to both at once", async () => {
    const log = memoryLog();
    const [mine, theirs] = await Promise.all([open(log), open(log)]);
    const seen: number[] = [];
    theirs.onCommit(({ version }) => seen.push(version));
    await mine.dispatch(add(1), { actor: ada });
    expect(theirs.version).toBe(1);
    expect(theirs.getState()).toBe(mine.getState());
    expect(seen).toEqual([1]);
  });

  it("is read from its log once, and judges in the order of the calls", async () => {
    const log = spied(memoryLog());
    const threads = await Promise.all([1, 2, 3, 4].map(() => open(log)));
    expect(log.calls.filter((call) => call === "create")).toHaveLength(1);
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => threads[index % 4]?.dispatch(add(1), { actor: ada })),
    );
    expect(verdicts.map((verdict) => verdict?.version)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    // No thread was late.
    expect(log.calls.filter((call) => call === "append").length).toBeLessThan(5);
  });

  it("reports a refusal to all, and gives an id one effect whichever of them sends it", async () => {
    const log = memoryLog();
    const [mine, theirs] = [await open(log), await open(log)];
    const refused: unknown[] = [];
    mine.onRejection(({ id }) => refused.push(id));
    await theirs.dispatch(add(101), { actor: ada, id: "no" });
    expect(refused).toEqual(["no"]);
    await mine.dispatch(add(1), { actor: ada, id: "a" });
    expect(await theirs.dispatch(add(1), { actor: ada, id: "a" })).toMatchObject({ accepted: true, version: 1 });
    expect(mine.getState().count).toBe(1);
  });

  it("keeps for each opener its clock, its ids and what its listeners throw", async () => {
    const log = memoryLog();
    const errors: unknown[] = [];
    const mine = await open(log, { ...steady(), onError: (error: unknown) => errors.push(error) });
    const theirs = await open(log, { mintId: () => "theirs", clock: () => "2030-01-01T00:00:00.000Z" });
    mine.onCommit(() => {
      throw new Error("mine");
    });
    mine.subscribe(() => {
      throw new Error("also mine");
    });
    await mine.dispatch(add(1), { actor: ada });
    await theirs.dispatch(add(1), { actor: ada });
    expect(await log.read("t", {})).toMatchObject([
      { id: "id-1", at: expect.stringMatching(/^2026/) },
      { id: "theirs", at: "2030-01-01T00:00:00.000Z" },
    ]);
    expect(errors.map(String)).toEqual(["Error: also mine", "Error: mine", "Error: also mine", "Error: mine"]);
  });

  it("stays open until the last of them closes", async () => {
    const store = memoryLog();
    let watching = 0;
    const log: Log = {
      ...store,
      watch(...call) {
        watching += 1;
        const end = store.watch?.(...call);
        return () => {
          watching -= 1;
          end?.();
        };
      },
    };
    const [mine, theirs] = [await open(log), await open(log)];
    expect(watching).toBe(1);
    const [closed, heard]: [unknown[], number[]] = [[], []];
    mine.onClose((reason) => closed.push(reason));
    mine.onCommit(({ version }) => heard.push(version));
    await mine.close();
    await mine.close();
    expect(closed).toEqual([undefined]);
    await expect(mine.dispatch(add(1), { actor: ada })).rejects.toMatchObject({ code: "closed" });
    expect(await theirs.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true });
    expect(heard).toEqual([]);
    expect(watching).toBe(1);
    await theirs.close();
    expect(watching).toBe(0);
    // It is read from the log again.
    const again = await open(log);
    expect(again.version).toBe(1);
    expect(watching).toBe(1);
  });

  it("gives what was submitted before `close` its verdict, while others go on", async () => {
    const log = memoryLog();
    const [mine, theirs] = [await open(log), await open(log)];
    const heard: number[] = [];
    mine.onCommit(({ version }) => heard.push(version));
    const verdict = mine.dispatch(add(1), { actor: ada });
    const closing = mine.close();
    await theirs.dispatch(add(1), { actor: bob });
    expect(await verdict).toMatchObject({ accepted: true, version: 1 });
    await closing;
    expect(heard[0]).toBe(1);
  });

  it("sees what was written to the log by others before it was opened again", async () => {
    const { watch: _, ...store } = memoryLog();
    const log: Log = store;
    const mine = await open(log);
    const far = await open(elsewhere(log));
    for (let by = 1; by <= 3; by++) await far.dispatch(add(by), { actor: bob });
    const again = await open(log);
    expect(again.version).toBe(3);
    expect(mine.version).toBe(3);
  });

  it("is another thread once it was deleted from its log", async () => {
    const log = memoryLog();
    const mine = await open(log);
    const theirs = await open(log);
    const reasons: (string | undefined)[] = [];
    for (const each of [mine, theirs]) each.onClose((reason) => reasons.push(reason?.code));
    await mine.dispatch(add(1), { actor: ada });
    await log.delete("t");
    const next = await open(log);
    expect(next.version).toBe(0);
    expect(next.incarnation).not.toBe(mine.incarnation);
    expect(reasons).toEqual(["replaced", "replaced"]);
    await expect(theirs.dispatch(add(1), { actor: ada })).rejects.toMatchObject({ code: "replaced" });
    expect(await next.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true, version: 1 });
  });

  it("is opened by the next one where the first one failed", async () => {
    let fails = 1;
    const log = spied(memoryLog(), (method) => {
      if (method === "load" && fails-- > 0) throw new Error("the log does not answer");
    });
    const [first, second] = await Promise.allSettled([open(log), open(log)]);
    expect(first).toMatchObject({ status: "rejected" });
    expect(second).toMatchObject({ status: "fulfilled" });
  });

  describe("has branches that", () => {
    it("are shared too, and closed by each opener alone", async () => {
      const log = memoryLog();
      const [mine, theirs] = [await open(log), await open(log)];
      const branch = await mine.branch();
      const same = await theirs.openBranch(branch.threadId);
      const direct = await openThread({ definition: tally, log, threadId: branch.threadId });
      await branch.dispatch(add(2), { actor: robot });
      expect(same?.getState().count).toBe(2);
      expect(direct.getState().count).toBe(2);
      await mine.close();
      await expect(branch.dispatch(add(2), { actor: robot })).rejects.toMatchObject({ code: "closed" });
      expect(await same?.dispatch(add(2), { actor: robot })).toMatchObject({ accepted: true });
      expect(await same?.merge({ actor: ada })).toHaveLength(2);
      expect(theirs.getState().count).toBe(4);
    });
  });

  describe("in another way", () => {
    it("is refused with another definition", async () => {
      const log = memoryLog();
      const mine = await open(log);
      const error = await rejected(open(log, { definition: defineTally(2) }));
      expect(error.code).toBe("definition_mismatch");
      expect(error.message).toMatch(
        /open already.*also named "tally" \(version 1; here it is version 2\).*Define it once/,
      );
      await mine.close();
      expect((await openThread({ definition: defineTally(2), log, threadId: "t" })).definition.version).toBe(2);
    });

    it.each([
      [{ snapshotEvery: 5 }, { snapshotEvery: 6 }, /`snapshotEvery` 5, not 6/],
      [{ compact: { keep: 3 } }, { compact: { keep: 4 } }, /`compact.keep` 3, not 4/],
    ])("is refused with other options: %j, then %j", async (first, second, words) => {
      const log = memoryLog();
      await open(log, first);
      const error = await rejected(open(log, second));
      expect(error.code).toBe("other_options");
      expect(error.message).toMatch(words);
      expect(await open(log, first)).toMatchObject({ version: 0 });
      expect(await open(log)).toMatchObject({ version: 0 });
    });

    it("uses the options of the first who gives them", async () => {
      const log = memoryLog();
      const mine = await open(log);
      const theirs = await open(log, { compact: { keep: 2 } });
      for (let index = 0; index < 10; index++) await mine.dispatch(add(1), { actor: ada });
      await expect.poll(() => theirs.floor).toBeGreaterThan(0);
    });
  });
});

it("keeps no thread that was dropped without `close`", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const store = memoryLog();
  let watching = 0;
  const log: Log = {
    ...store,
    watch(...call) {
      watching += 1;
      const end = store.watch?.(...call);
      return () => {
        watching -= 1;
        end?.();
      };
    },
  };
  // A listener is on one of them. Of another one, one function is kept.
  let heard = 0;
  (await open(log, { threadId: "heard" })).onCommit(() => (heard += 1));
  const { dispatch } = await open(log, { threadId: "kept" });
  for (let index = 0; index < 20; index++)
    await (await open(log, { threadId: `t${index}` })).dispatch(add(1), { actor: ada });
  await expect
    .poll(() => {
      collect();
      return watching;
    })
    .toBe(2);
  expect(await dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true });
  await (await open(log, { threadId: "heard" })).dispatch(add(1), { actor: ada });
  expect(heard).toBe(1);
});
