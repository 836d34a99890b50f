import { createReplica, memoryLog, openThread, threadTransport, type Transport } from "@opstate/core";
import { accessThread } from "../../src/connection/access-thread.ts";
import { createUndoStack } from "../../src/undo/undo-stack.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";
import { turn } from "../gated.ts";

const nothing = () => undefined;
const name = (text: string) => ({ type: "name", name: text }) as const;

async function started() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const by = (actor: typeof ada) => (text: string) => thread.dispatch(name(text), { actor, id: `${actor.id}-${text}` });
  return {
    thread,
    mine: by(ada),
    theirs: by(bob),
    access: { ...accessThread(thread, ada), onCommit: thread.onCommit },
    names: () => thread.getState().names,
  };
}

describe("undo stack", () => {
  /** A stack of ada's, after edits by her and others in turn: a, x, b, y. */
  async function inTurn() {
    const { mine, theirs, access, names } = await started();
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    await mine("a");
    await theirs("x");
    await mine("b");
    await theirs("y");
    await turn();
    return { stack, names };
  }

  it("says what can be undone and redone next", async () => {
    const { stack } = await inTurn();
    expect(stack.getState()).toEqual({
      canUndo: true,
      canRedo: false,
      busy: false,
      last: { id: "ada-b", operation: name("b") },
    });
    await stack.undo();
    expect(stack.getState()).toMatchObject({ last: { id: "ada-a" }, next: { id: "ada-b" } });
    await stack.undo();
    expect(stack.getState()).toMatchObject({ canUndo: false, canRedo: true, next: { id: "ada-a" } });
  });

  it("undoes one's own last edits and keeps what others did in between", async () => {
    const { stack, names } = await inTurn();
    expect(await stack.undo()).toMatchObject({ accepted: true });
    expect(names()).toEqual(["a", "x", "y"]);
    await stack.undo();
    expect(names()).toEqual(["x", "y"]);
    expect(await stack.undo()).toBeUndefined();
  });

  it("redoes what was undone, in its place, and undoes it again", async () => {
    const { stack, names } = await inTurn();
    await stack.undo();
    await stack.undo();
    await stack.redo();
    await stack.redo();
    expect(names()).toEqual(["a", "x", "b", "y"]);
    expect(await stack.redo()).toBeUndefined();
    await stack.undo();
    expect(names()).toEqual(["a", "x", "y"]);
  });

  it("has nothing to redo after a new edit of one's own; others' edits end nothing", async () => {
    const { mine, theirs, access } = await started();
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    await mine("a");
    await stack.undo();
    await theirs("x");
    expect(stack.getState().canRedo).toBe(true);
    await mine("b");
    expect(stack.getState()).toMatchObject({ canUndo: true, canRedo: false });
  });

  it("knows what was done before it was made, and whatever another one of the same actor did", async () => {
    const { mine, access, names } = await started();
    await mine("a");
    await mine("b");
    const one = createUndoStack(access, ada);
    const other = createUndoStack(access, ada);
    one.subscribe(nothing);
    other.subscribe(nothing);
    await turn();
    await one.undo();
    expect(names()).toEqual(["a"]);
    expect(other.getState()).toEqual(one.getState());
    await other.redo();
    expect(names()).toEqual(["a", "b"]);
    const unwatched = createUndoStack(access, ada);
    await unwatched.undo();
    expect(names()).toEqual(["a"]);
    const forgetful = createUndoStack(access, ada, { reach: 0 });
    forgetful.subscribe(nothing);
    await turn();
    expect(forgetful.getState().canUndo).toBe(false);
  });

  it("carries calls out one after the other", async () => {
    const { mine, access, names } = await started();
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    for (const text of ["a", "b", "c"]) await mine(text);
    const calls = [stack.undo(), stack.undo(), stack.redo(), stack.undo()];
    expect(stack.getState().busy).toBe(true);
    for (const verdict of await Promise.all(calls)) expect(verdict?.accepted).toBe(true);
    expect(names()).toEqual(["a"]);
    expect(stack.getState().busy).toBe(false);
  });

  it("gives the refusal when others build on it, and stays; or undoes theirs too with `onDependent: drop`", async () => {
    const { thread, theirs, access, names } = await started();
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    await theirs("a");
    await thread.dispatch({ type: "unname", name: "a" }, { actor: ada });
    await thread.dispatch(name("a"), { actor: bob, id: "again" });
    await theirs("b");
    expect(await stack.undo()).toMatchObject({ accepted: false, rejection: { code: "conflict" } });
    expect(stack.getState()).toMatchObject({ canUndo: true, busy: false });
    expect(await stack.undo({ onDependent: "drop" })).toMatchObject({ accepted: true });
    expect(names()).toEqual(["a", "b"]);
    expect(stack.getState()).toMatchObject({ canUndo: false, canRedo: true });
  });

  it("keeps what others did with `onDependent: keep`", async () => {
    const { thread, theirs, access, names } = await started();
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    await theirs("a");
    await thread.dispatch({ type: "unname", name: "a" }, { actor: ada });
    await thread.dispatch(name("a"), { actor: bob, id: "again" });
    expect(await stack.undo({ onDependent: "keep" })).toMatchObject({ accepted: true });
    expect(names()).toEqual(["a", "a"]);
    expect(await stack.redo()).toMatchObject({ accepted: true });
    expect(names()).toEqual(["a"]);
  });

  it("an undo of others' work is an edit of one's own", async () => {
    const { thread, access, names } = await started();
    await thread.dispatch(name("r"), { actor: robot, runId: "run" });
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    await access.undo({ runId: "run" });
    expect(names()).toEqual([]);
    expect(stack.getState()).toMatchObject({ canUndo: true, last: { operation: { type: "$undo" } } });
    await stack.undo();
    expect(names()).toEqual(["r"]);
    await stack.redo();
    expect(names()).toEqual([]);
  });

  it("does not offer what another actor undid, or what the log forgot", async () => {
    const { thread, mine, access } = await started();
    const stack = createUndoStack(access, ada);
    stack.subscribe(nothing);
    await mine("a");
    await mine("b");
    await thread.undo({ ids: ["ada-b"] }, { actor: bob });
    expect(stack.getState()).toMatchObject({ last: { id: "ada-a" }, canRedo: false });
    await thread.compact({ keep: 0 });
    expect(await stack.undo()).toMatchObject({ accepted: false, rejection: { reason: "compacted" } });
    expect(stack.getState().canUndo).toBe(false);
  });

  it("rejects with what the source threw, and goes on", async () => {
    const { mine, access } = await started();
    let broken = true;
    const source = {
      ...access,
      undo: async (...call: Parameters<typeof access.undo>) =>
        broken ? Promise.reject(new Error("no network")) : access.undo(...call),
    };
    const stack = createUndoStack(source, ada);
    stack.subscribe(nothing);
    await mine("a");
    await expect(stack.undo()).rejects.toThrow("no network");
    expect(stack.getState()).toMatchObject({ canUndo: true, busy: false });
    broken = false;
    expect(await stack.undo()).toMatchObject({ accepted: true });
  });

  describe("beside a replica", () => {
    async function replicated() {
      const { thread, mine, theirs, access, names } = await started();
      const held: (() => void)[] = [];
      let holding = false;
      const inner = threadTransport(thread, { actor: ada });
      const transport: Transport = {
        connect(options) {
          const connection = inner.connect(options);
          return {
            ...connection,
            send: (submission) =>
              holding ? void held.push(() => connection.send(submission)) : connection.send(submission),
          };
        },
      };
      const replica = createReplica({ definition: tally, transport });
      const stack = createUndoStack({ ...access, ...replica }, ada);
      stack.subscribe(nothing);
      await turn();
      const hold = () => (holding = true);
      const release = () => {
        holding = false;
        for (const send of held.splice(0)) send();
      };
      return { thread, mine, theirs, names, replica, stack, hold, release };
    }

    it("an edit without its verdict is the last one, and an undo waits for it", async () => {
      const { mine, replica, stack, names, hold, release } = await replicated();
      await mine("a");
      hold();
      void replica.dispatch(name("b"), { id: "b" });
      void replica.dispatch(name("c"), { id: "c" });
      await turn();
      expect(stack.getState()).toMatchObject({
        canUndo: true,
        canRedo: false,
        last: { id: "c", operation: name("c") },
      });
      const undone = [stack.undo(), stack.undo()];
      expect(stack.getState().last).toMatchObject({ id: "ada-a" });
      await turn();
      expect(names()).toEqual(["a"]);
      release();
      expect(await Promise.all(undone)).toMatchObject([{ accepted: true }, { accepted: true }]);
      expect(names()).toEqual(["a"]);
      expect(stack.getState()).toMatchObject({ last: { id: "ada-a" }, next: { id: "b" } });
    });

    it("an edit that is refused while its undo waits undoes nothing else", async () => {
      const { mine, theirs, replica, stack, names, hold, release } = await replicated();
      await mine("a");
      hold();
      void replica.dispatch(name("b"), { id: "b" });
      const undone = stack.undo();
      await theirs("b");
      release();
      expect(await undone).toBeUndefined();
      expect(names()).toEqual(["a", "b"]);
    });
  });

  it("agrees with a model: of one's own edits in their order, each there or undone", async () => {
    const step = fc.constantFrom("mine", "mine", "theirs", "undo", "undo", "redo", "both");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const { mine, theirs, access, names } = await started();
        const stack = createUndoStack(access, ada);
        stack.subscribe(nothing);
        const order: { text: string; own: boolean; there: boolean }[] = [];
        const done: typeof order = [];
        const back: typeof order = [];
        const undo = () => {
          const last = done.pop();
          if (last) back.push(Object.assign(last, { there: false }));
        };
        const redo = () => {
          const next = back.pop();
          if (next) done.push(Object.assign(next, { there: true }));
        };
        for (const [index, what] of steps.entries()) {
          const text = `n${index}`;
          if (what === "mine") {
            await mine(text);
            const entry = { text, own: true, there: true };
            order.push(entry);
            done.push(entry);
            back.length = 0;
          }
          if (what === "theirs") {
            await theirs(text);
            order.push({ text, own: false, there: true });
          }
          if (what === "undo") {
            await stack.undo();
            undo();
          }
          if (what === "redo") {
            await stack.redo();
            redo();
          }
          if (what === "both") {
            await Promise.all([stack.undo(), stack.undo(), stack.redo()]);
            undo();
            undo();
            redo();
          }
          expect(names()).toEqual(order.filter(({ there }) => there).map(({ text }) => text));
          expect(stack.getState()).toMatchObject({ canUndo: done.length > 0, canRedo: back.length > 0, busy: false });
          expect(stack.getState().last?.id).toBe(done.at(-1) && `ada-${done.at(-1)?.text}`);
        }
        const fresh = createUndoStack(access, ada);
        fresh.subscribe(nothing);
        await turn();
        expect(fresh.getState()).toEqual(stack.getState());
      }),
      { numRuns: 100 },
    );
  });
});
