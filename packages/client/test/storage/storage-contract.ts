// The contract of storages as cases: what a client relies on when it keeps snapshots and edits.
// Each case throws when the contract is broken.

import type { ClientStorage, StorageScope, StoredEdit, StoredSnapshot } from "@opstate/client";
import { expect } from "vitest";

export interface StorageUnderTest {
  /** The storage of one more tab, all of them over the same store. */
  tab(): ClientStorage;
}

const url = "https://boards.example.com";
export const ada: StorageScope = { url, actor: { kind: "user", id: "ada" } };
const others: readonly StorageScope[] = [
  { url, actor: { kind: "user", id: "bob" } },
  { url, actor: { kind: "agent", id: "ada" } },
  { url: "https://other.example.com", actor: ada.actor },
  // Keys that would meet if they were joined as text.
  { url, actor: { kind: "user", id: 'ada","x' } },
  { url, actor: { kind: "user", id: "ada\u0000" } },
];

export function edit(id: string, more: Partial<StoredEdit> = {}): StoredEdit {
  const at = "2026-01-01T00:00:00.000Z";
  return { id, operation: { type: "add", by: 1 }, at, definition: "counter", definitionVersion: 1, ...more };
}

export function snapshot(version: number, more: Partial<StoredSnapshot> = {}): StoredSnapshot {
  return { definition: "counter", definitionVersion: 1, incarnation: "i", version, state: { count: version }, ...more };
}

const idsOf = async (storage: ClientStorage, scope = ada, thread = "t") =>
  (await storage.load(scope, thread)).edits.map(({ id }) => id);

export const storageContract: Record<string, (store: StorageUnderTest) => Promise<void>> = {
  async "has nothing at first"({ tab }) {
    expect(await tab().load(ada, "t")).toEqual({ edits: [] });
    expect(await tab().lastActor(url)).toBeUndefined();
  },

  async "gives another tab what one saved"({ tab }) {
    const [one, two] = [tab(), tab()];
    const whole = edit("e", { basedOn: 3, things: [], runId: "r", expectedVersion: 3, incarnation: "i" });
    await one.saveSnapshot(ada, "t", snapshot(3, { branch: true }));
    await one.saveEdit(ada, "t", whole);
    expect(await two.load(ada, "t")).toEqual({ snapshot: snapshot(3, { branch: true }), edits: [whole] });
  },

  async "keeps apart addresses, actors and threads"({ tab }) {
    const storage = tab();
    await storage.saveEdit(ada, "t", edit("hers"));
    await storage.saveSnapshot(ada, "t", snapshot(1));
    for (const scope of others) expect(await storage.load(scope, "t")).toEqual({ edits: [] });
    for (const thread of ["", "T", "t/", "t\u0000"]) expect(await storage.load(ada, thread)).toEqual({ edits: [] });
    for (const scope of others) await storage.saveEdit(scope, "t", edit("theirs"));
    expect(await idsOf(storage)).toEqual(["hers"]);
  },

  async "gives edits in the order in which they were saved, whichever tab saved them"({ tab }) {
    const tabs = [tab(), tab(), tab()];
    const ids = Array.from({ length: 12 }, (_, index) => `e${(index * 7) % 12}`);
    for (const [index, id] of ids.entries()) await tabs[index % 3]?.saveEdit(ada, "t", edit(id));
    for (const storage of tabs) expect(await idsOf(storage)).toEqual(ids);
  },

  async "keeps the order of calls that do not wait for each other"({ tab }) {
    const storage = tab();
    const ids = Array.from({ length: 50 }, (_, index) => `e${49 - index}`);
    await Promise.all(ids.map((id) => storage.saveEdit(ada, "t", edit(id))));
    expect(await idsOf(storage)).toEqual(ids);
  },

  async "has one edit for one id: the newer value, at the earlier place"({ tab }) {
    const [one, two] = [tab(), tab()];
    await one.saveEdit(ada, "t", edit("a"));
    await one.saveEdit(ada, "t", edit("b"));
    await Promise.all([one.saveEdit(ada, "t", edit("a")), two.saveEdit(ada, "t", edit("a", { basedOn: 9 }))]);
    await two.saveEdit(ada, "t", edit("a", { basedOn: 9 }));
    expect((await one.load(ada, "t")).edits).toEqual([edit("a", { basedOn: 9 }), edit("b")]);
    await one.saveEdit(ada, "other", edit("a"));
    expect(await idsOf(one, ada, "other")).toEqual(["a"]);
  },

  async "removes the named edits, in any tab, and unknown ones without a word"({ tab }) {
    const [one, two] = [tab(), tab()];
    for (const id of ["a", "b", "c", "d"]) await one.saveEdit(ada, "t", edit(id));
    await one.saveEdit(ada, "other", edit("b"));
    await Promise.all([one.removeEdits(ada, "t", ["b", "nobody's"]), two.removeEdits(ada, "t", ["d", "b"])]);
    await two.removeEdits(ada, "t", []);
    expect(await idsOf(one)).toEqual(["a", "c"]);
    expect(await idsOf(one, ada, "other")).toEqual(["b"]);
  },

  async "drops a snapshot and never an edit with it"({ tab }) {
    const storage = tab();
    await storage.saveSnapshot(ada, "t", snapshot(1));
    await storage.saveEdit(ada, "t", edit("e"));
    await storage.dropSnapshot(ada, "t");
    await storage.dropSnapshot(ada, "unknown");
    expect(await storage.load(ada, "t")).toEqual({ edits: [edit("e")] });
  },

  async "removes the edits that are in a snapshot in the same step, also where a newer one stays"({ tab }) {
    const storage = tab();
    for (const id of ["a", "b", "c"]) await storage.saveEdit(ada, "t", edit(id));
    await storage.saveSnapshot(ada, "t", snapshot(5), ["b", "nobody's"]);
    expect(await storage.load(ada, "t")).toEqual({ snapshot: snapshot(5), edits: [edit("a"), edit("c")] });
    await storage.saveSnapshot(ada, "t", snapshot(4), ["a"]);
    expect(await storage.load(ada, "t")).toEqual({ snapshot: snapshot(5), edits: [edit("c")] });
    const big = { big: 1n, call: () => 1 };
    await expect(storage.saveSnapshot(ada, "t", snapshot(6, { state: big }), ["c"])).rejects.toMatchObject({
      code: "not_json",
    });
    expect(await idsOf(storage)).toEqual(["c"]);
  },

  async "keeps the newer of two versions, and what cannot be compared as it comes"({ tab }) {
    const [one, two] = [tab(), tab()];
    const stored = async () => (await one.load(ada, "t")).snapshot;
    await one.saveSnapshot(ada, "t", snapshot(5));
    await two.saveSnapshot(ada, "t", snapshot(4));
    expect(await stored()).toEqual(snapshot(5));
    for (const next of [
      snapshot(5, { state: { count: 50 } }),
      snapshot(2, { incarnation: "another" }),
      snapshot(1, { incarnation: "another", definitionVersion: 2 }),
      snapshot(0, { incarnation: "another", definition: "board" }),
    ]) {
      await two.saveSnapshot(ada, "t", next);
      expect(await stored()).toEqual(next);
    }
  },

  async "remembers whom it was used with last, by address"({ tab }) {
    const [one, two] = [tab(), tab()];
    await one.setLastActor(url, ada.actor);
    await one.setLastActor("", { kind: "user", id: "bob" });
    expect(await two.lastActor(url)).toEqual(ada.actor);
    await two.setLastActor(url, undefined);
    expect(await one.lastActor(url)).toBeUndefined();
    expect(await one.lastActor("")).toEqual({ kind: "user", id: "bob" });
  },

  async "clears everything of one actor, and nothing of another"({ tab }) {
    const storage = tab();
    for (const scope of [ada, ...others])
      for (const thread of ["t", "u"]) {
        await storage.saveSnapshot(scope, thread, snapshot(1));
        await storage.saveEdit(scope, thread, edit("e"));
      }
    await storage.clear(ada);
    for (const thread of ["t", "u"]) {
      expect(await storage.load(ada, thread)).toEqual({ edits: [] });
      for (const scope of others)
        expect(await storage.load(scope, thread)).toEqual({ snapshot: snapshot(1), edits: [edit("e")] });
    }
  },

  async "gives the edits of all threads of one actor, whichever tab saved them"({ tab }) {
    const [one, two] = [tab(), tab()];
    expect(await one.allEdits(ada)).toEqual(new Map());
    await one.saveEdit(ada, "t", edit("a"));
    await two.saveEdit(ada, "u", edit("b"));
    await two.saveEdit(ada, "t", edit("c"));
    await two.saveSnapshot(ada, "empty", snapshot(1));
    for (const scope of others) await one.saveEdit(scope, "t", edit("theirs"));
    expect(await one.allEdits(ada)).toEqual(
      new Map([
        ["t", [edit("a"), edit("c")]],
        ["u", [edit("b")]],
      ]),
    );
    await one.removeEdits(ada, "u", ["b"]);
    expect([...(await two.allEdits(ada)).keys()]).toEqual(["t"]);
  },

  async "refuses what an ended session still does, in any tab, and begins another one"({ tab }) {
    const [one, two] = [tab(), tab()];
    const session = await one.begin(ada);
    expect(await two.begin(ada)).toBe(session);
    const old = { ...ada, session };
    await one.setLastActor(url, ada.actor);
    await one.saveEdit(old, "t", edit("e"));
    await two.saveSnapshot(old, "t", snapshot(1), ["nobody's"]);
    await one.clear(old);
    expect(await two.lastActor(url)).toBeUndefined();
    const refused = { name: "StorageError", code: "signed_out" };
    await expect(two.saveSnapshot(old, "t", snapshot(2))).rejects.toMatchObject(refused);
    await expect(two.saveSnapshot(old, "t", snapshot(2), ["e"])).rejects.toMatchObject(refused);
    await expect(two.saveEdit(old, "t", edit("e"))).rejects.toMatchObject(refused);
    await expect(two.removeEdits(old, "t", ["e"])).rejects.toMatchObject(refused);
    await expect(two.dropSnapshot(old, "t")).rejects.toMatchObject(refused);
    await expect(two.load(old, "t")).rejects.toMatchObject(refused);
    await expect(two.allEdits(old)).rejects.toMatchObject(refused);
    expect(await two.load(ada, "t")).toEqual({ edits: [] });
    const next = { ...ada, session: await two.begin(ada) };
    expect(next.session).not.toBe(session);
    await two.setLastActor(url, ada.actor);
    await two.saveEdit(next, "t", edit("e"));
    // What the old session clears late is not the new one's.
    await one.clear(old);
    expect(await one.load(next, "t")).toEqual({ edits: [edit("e")] });
    expect(await one.lastActor(url)).toEqual(ada.actor);
  },

  async "ends the session of one actor, and leaves those of others and whom it was used with last"({ tab }) {
    const storage = tab();
    const sessions = await Promise.all(others.map((scope) => storage.begin(scope)));
    await storage.setLastActor(url, { kind: "user", id: "bob" });
    await storage.clear({ ...ada, session: await storage.begin(ada) });
    expect(await Promise.all(others.map((scope) => storage.begin(scope)))).toEqual(sessions);
    expect(await storage.lastActor(url)).toEqual({ kind: "user", id: "bob" });
  },

  async "does not change with the objects that were given to it, or that it gave"({ tab }) {
    const storage = tab();
    const operation = { type: "add", by: 1 };
    await storage.saveEdit(ada, "t", edit("e", { operation }));
    operation.by = 2;
    const loaded = await storage.load(ada, "t");
    for (const each of loaded.edits) Object.assign(each.operation as object, { by: 3 });
    expect((await storage.load(ada, "t")).edits[0]?.operation).toEqual({ type: "add", by: 1 });
  },

  async "keeps any JSON, and any text"({ tab }) {
    const storage = tab();
    const state = { "": null, deep: [[[{ a: [1e300, -1, 0.1, true, "\ud800 \u0000 👩‍👩‍👧"] }]]] };
    await storage.saveSnapshot(ada, "é\u2028", snapshot(1, { state }));
    expect((await storage.load(ada, "é\u2028")).snapshot?.state).toEqual(state);
  },

  async "rejects what cannot be stored, with its code, and keeps what was there"({ tab }) {
    const storage = tab();
    await storage.saveEdit(ada, "t", edit("e"));
    await storage.saveSnapshot(ada, "t", snapshot(1));
    const whole = { big: 1n, call: () => 1 };
    await expect(storage.saveEdit(ada, "t", edit("e", { operation: whole }))).rejects.toMatchObject({
      code: "not_json",
    });
    await expect(storage.saveSnapshot(ada, "t", snapshot(2, { state: whole }))).rejects.toMatchObject({
      name: "StorageError",
    });
    expect(await storage.load(ada, "t")).toEqual({ snapshot: snapshot(1), edits: [edit("e")] });
    await storage.saveEdit(ada, "t", edit("next"));
    expect(await idsOf(storage)).toEqual(["e", "next"]);
  },
};
