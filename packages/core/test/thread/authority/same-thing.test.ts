// Submissions that say what they are for: whatever was committed since, they change that and
// nothing else (law 10).

import { memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { cards, titlesOf, twoPeople } from "../../replica/cards.ts";
import { ada, bob, elsewhere } from "../tally.ts";

const { op } = cards;
const open = (log = memoryLog(), more = {}) =>
  openThread({ definition: cards, log: elsewhere(log), threadId: "t", ...more });
const reasonOf = (verdict: Awaited<ReturnType<Awaited<ReturnType<typeof open>>["dispatch"]>>) =>
  verdict.accepted ? "accepted" : verdict.rejection.reason;

describe("a submission with a basis", () => {
  it("is refused when it would change another thing than those it names", async () => {
    const thread = await open();
    await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
    const verdict = await thread.dispatch(op.removeAt({ index: 0 }), { actor: bob, basedOn: 0, things: ["/cards/0"] });
    expect(verdict).toMatchObject({
      accepted: false,
      rejection: { code: "conflict", reason: "other_thing", path: "/cards/0", details: { things: ["/cards/0"] } },
    });
    expect(titlesOf(thread.getState())).toBe("new A B C");
  });

  it("is refused also at its own version, where the code of its sender is another than the authority's", async () => {
    const thread = await open();
    const verdict = await thread.dispatch(op.removeAt({ index: 0 }), { actor: bob, basedOn: 0, things: ["/cards/1"] });
    expect(reasonOf(verdict)).toBe("other_thing");
  });

  it("follows its things to where they are now", async () => {
    const thread = await open();
    await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
    await thread.dispatch(op.toTop({ id: "T-3" }), { actor: ada });
    const dispatch = (index: number, thing: string) =>
      thread.dispatch(op.removeAt({ index }), { actor: bob, basedOn: 0, things: [thing] });
    expect(reasonOf(await dispatch(0, "/cards/0"))).toBe("other_thing");
    expect(reasonOf(await dispatch(0, "/cards/2"))).toBe("accepted");
    expect(reasonOf(await dispatch(1, "/cards/0"))).toBe("accepted");
    expect(titlesOf(thread.getState())).toBe("new B");
  });

  it("is checked against those before it in the same batch, too", async () => {
    const thread = await open();
    const options = { actor: bob, basedOn: 0, things: ["/cards/0"] };
    const verdicts = await Promise.all([
      thread.dispatch(op.insert({ title: "new" }), { actor: ada, basedOn: 0, things: [""] }),
      thread.dispatch(op.removeAt({ index: 0 }), options),
      thread.dispatch(op.removeAt({ index: 1 }), options),
      thread.dispatch(op.toTop({ id: "T-3" }), { actor: bob, basedOn: 0, things: [] }),
    ]);
    expect(verdicts.map(reasonOf)).toEqual(["accepted", "other_thing", "accepted", "other_thing"]);
    expect(titlesOf(thread.getState())).toBe("new B C");
  });

  it("names what an earlier submission of its actor created by that submission", async () => {
    const thread = await open();
    const rename = (by: string) =>
      thread.dispatch(op.renameLast({ title: "x" }), { actor: bob, basedOn: 0, things: [{ by, part: "0" }] });
    await thread.dispatch(op.add({ title: "mine" }), { actor: bob, id: "add", basedOn: 0, things: [""] });
    expect(reasonOf(await rename("other"))).toBe("other_thing");
    expect(reasonOf(await rename("add"))).toBe("accepted");
    await thread.dispatch(op.add({ title: "theirs" }), { actor: ada, id: "add" });
    expect(reasonOf(await rename("add"))).toBe("other_thing");
    expect(titlesOf(thread.getState())).toBe("A B C x theirs");
  });

  it("without things is checked against those that it would have changed at that version", async () => {
    const thread = await open();
    await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
    const based = (update: Parameters<typeof thread.dispatch>[0]) =>
      thread.dispatch(update, { actor: bob, basedOn: 0 });
    expect(reasonOf(await based(op.removeAt({ index: 0 })))).toBe("other_thing");
    expect(reasonOf(await based(op.remove({ id: "T-1" })))).toBe("accepted");
  });

  it("is not checked where it may change anything, or would have been refused at that version", async () => {
    const thread = await open();
    const { cards: before } = thread.getState();
    await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
    const submit = (update: unknown) => thread.submit(update, { actor: { kind: "agent", id: "a" }, basedOn: 0 });
    expect(reasonOf(await submit(op.finishFirstOpen({})))).toBe("accepted");
    const { id } = thread.getState().cards[0]!;
    expect(reasonOf(await submit(op.rename({ id, title: "x" })))).toBe("accepted");
    expect(reasonOf(await submit({ type: "$replace", value: { cards: before } }))).toBe("accepted");
  });

  describe("that is a patch", () => {
    const retitle = (index: number) => ({
      type: "$patch",
      patch: [{ op: "replace", path: `/cards/${index}/title`, value: "x" }],
    });
    const meant = (index: number) => ({ actor: bob, basedOn: 0, things: [`/cards/${index}`] });

    it("changes the things at its paths as its sender saw them, and no other", async () => {
      const thread = await open();
      await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
      expect(reasonOf(await thread.submit(retitle(0), meant(0)))).toBe("other_thing");
      expect(reasonOf(await thread.submit(retitle(0), { actor: bob, basedOn: 0 }))).toBe("other_thing");
      expect(reasonOf(await thread.submit(retitle(1), meant(0)))).toBe("accepted");
      expect(reasonOf(await thread.submit(retitle(0), { actor: bob }))).toBe("accepted");
      expect(titlesOf(thread.getState())).toBe("x x B C");
    });

    it("adds to a list whatever was added before it, and removes only what it saw", async () => {
      const thread = await open();
      const add = { op: "add", path: "/cards/-", value: { id: "p", title: "P", done: false, tags: [] } };
      const remove = { op: "remove", path: "/cards/2" };
      const based = (patch: readonly unknown[]) => thread.submit({ type: "$patch", patch }, { actor: bob, basedOn: 0 });
      await thread.dispatch(op.add({ title: "theirs" }), { actor: ada });
      expect(reasonOf(await based([add]))).toBe("accepted");
      expect(reasonOf(await based([remove]))).toBe("accepted");
      expect(reasonOf(await based([remove]))).toBe("other_thing");
      expect(titlesOf(thread.getState())).toBe("A B theirs P");
    });

    it("is refused with a batch whose parts would undo one another where its things are gone", async () => {
      for (const more of [0, 100]) {
        const thread = await open();
        for (const id of ["T-1", "T-2", "T-3"]) await thread.dispatch(op.remove({ id }), { actor: ada });
        const operations = [
          op.add({ title: "new" }),
          op.removeAt({ index: 0 }),
          ...Array.from({ length: more }, () => op.toTop({ id: "none" })),
        ];
        const batch = { type: "$batch", operations };
        const fromPage = await thread.submit(batch, { actor: bob, basedOn: 0 });
        expect(reasonOf(fromPage)).toBe("other_thing");
        expect(reasonOf(await thread.submit(batch, { actor: bob, basedOn: 3 }))).toBe("accepted");
        expect(titlesOf(thread.getState())).toBe("");
      }
    });

    it("is refused with the batch that it is a part of", async () => {
      const thread = await open();
      await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
      const batch = (...operations: readonly unknown[]) =>
        thread.submit({ type: "$batch", operations }, { actor: bob, basedOn: 0 });
      expect(reasonOf(await batch(op.rename({ id: "T-2", title: "b" }), retitle(0)))).toBe("other_thing");
      expect(titlesOf(thread.getState())).toBe("new A B C");
      expect(reasonOf(await batch(retitle(0), { type: "$replace", value: thread.getState() }))).toBe("accepted");
    });

    it("below the floor is recognized by its content", async () => {
      const { thread, bob, titles } = await twoPeople();
      bob.down();
      const kept = bob.replica.submit({ type: "$batch", operations: [retitle(2)] });
      for (const title of ["x", "y"]) await thread.dispatch(op.add({ title }), { actor: ada });
      await thread.compact({ keep: 0 });
      bob.up();
      expect(reasonOf(await kept)).toBe("accepted");
      expect(titles()).toBe("A B x x y");
    });
  });

  describe("that is a proposal", () => {
    const agent = { kind: "agent", id: "a" };
    const shownBy = (verdict: Awaited<ReturnType<Awaited<ReturnType<typeof open>>["dispatch"]>>) =>
      verdict.accepted && verdict.commit?.operation.type;

    it("proposes for the things that its sender saw, and for no other", async () => {
      const thread = await open();
      await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
      const propose = (index: number, basis: object) =>
        thread.propose(op.removeAt({ index }), { actor: agent, ...basis });
      const stale = await propose(0, { basedOn: 0 });
      expect(stale).toMatchObject({
        accepted: false,
        rejection: { code: "conflict", reason: "other_thing", operation: { type: "removeAt" }, path: "/cards/0" },
      });
      expect(reasonOf(await propose(0, { basedOn: 0, things: ["/cards/0"] }))).toBe("other_thing");
      expect(await thread.proposals()).toEqual([]);
      expect(shownBy(await propose(1, { id: "p", basedOn: 0, things: ["/cards/0"] }))).toBe("$propose");
      expect(shownBy(await propose(0, { basedOn: 1 }))).toBe("$propose");
      expect(shownBy(await propose(0, {}))).toBe("$propose");
      expect(reasonOf(await thread.approve("p", { actor: ada }))).toBe("accepted");
      expect(titlesOf(thread.getState())).toBe("new B C");
      // What was proposed changed nothing: names go on from the state as it was.
      expect(reasonOf(await propose(1, { basedOn: 1 }))).toBe("other_thing");
    });

    it("may be of an operation that needs approval, of a patch, and on a branch", async () => {
      const thread = await open();
      const branch = await thread.branch();
      const patch = [{ op: "replace", path: "/cards/0/title", value: "x" }] as const;
      for (const place of [thread, branch]) {
        await place.dispatch(op.insert({ title: "new" }), { actor: ada });
        const proposed = await place.propose({ type: "$patch", patch } as never, { actor: agent, basedOn: 0 });
        expect(reasonOf(proposed)).toBe("other_thing");
        const wiped = (basedOn: number) => place.propose(op.wipe({ index: 0 }), { actor: agent, basedOn });
        expect(reasonOf(await wiped(0))).toBe("other_thing");
        expect(shownBy(await wiped(1))).toBe("$propose");
      }
    });
  });

  it("is checked after a restart, and by another process on the log", async () => {
    const log = memoryLog();
    const first = await open(log);
    const other = await open(log);
    await first.dispatch(op.insert({ title: "new" }), { actor: ada });
    const options = { actor: bob, basedOn: 0, things: ["/cards/0"] };
    expect(reasonOf(await other.dispatch(op.removeAt({ index: 0 }), options))).toBe("other_thing");
    await first.close();
    const again = await open(log);
    expect(reasonOf(await again.dispatch(op.removeAt({ index: 0 }), options))).toBe("other_thing");
    expect(reasonOf(await again.dispatch(op.removeAt({ index: 1 }), options))).toBe("accepted");
  });

  it("that is older than the history may change nothing but the root, when that is what it is for", async () => {
    const thread = await open();
    for (const title of ["x", "y"]) await thread.dispatch(op.add({ title }), { actor: ada });
    await thread.compact({ keep: 0 });
    const old = { actor: bob, basedOn: 0 };
    expect(
      reasonOf(await thread.dispatch(op.rename({ id: "T-1", title: "z" }), { ...old, things: ["/cards/0"] })),
    ).toBe("other_thing");
    expect(reasonOf(await thread.dispatch(op.insert({ title: "z" }), { ...old, things: [] }))).toBe("other_thing");
    expect(reasonOf(await thread.dispatch(op.insert({ title: "z" }), { ...old, things: [""] }))).toBe("accepted");
  });

  it("knows its things by their content, and what was created since by its submission, where the history is gone", async () => {
    const { thread, bob, titles } = await twoPeople();
    bob.down();
    const { id } = bob.replica.getState().cards[1]!;
    const kept = bob.dispatch(op.rename({ id, title: "b" }));
    const lost = bob.dispatch(op.rename({ id: "T-3", title: "c" }));
    const added = bob.dispatch(op.add({ title: "mine" }));
    const refined = bob.dispatch(op.rename({ id: bob.replica.getState().cards[3]!.id, title: "mine, refined" }));
    await thread.dispatch(op.insert({ title: "new" }), { actor: ada });
    await thread.dispatch(op.rename({ id: "T-3", title: "theirs" }), { actor: ada });
    await thread.compact({ keep: 0 });
    bob.up();
    expect((await Promise.all([kept, lost, added, refined])).map(reasonOf)).toEqual([
      "accepted",
      "other_thing",
      "accepted",
      "accepted",
    ]);
    expect(titles()).toBe("new A b theirs mine, refined");
    expect(bob.titles()).toBe(titles());
  });

  it("is a conflict at a version that there is not, and is refused when it is no basis", async () => {
    const thread = await open();
    const submit = (basis: object) => thread.dispatch(op.insert({ title: "x" }), { actor: ada, ...basis });
    expect(await submit({ basedOn: 1 })).toMatchObject({ rejection: { code: "conflict", path: "/basedOn" } });
    expect(await submit({ basedOn: "0" })).toMatchObject({
      rejection: { code: "invalid_operation", path: "/basedOn" },
    });
    for (const things of ["", ["cards"], ["/a~2"], [{ by: "a" }], [7]])
      expect(await submit({ basedOn: 0, things })).toMatchObject({
        rejection: { code: "invalid_operation", path: "/things" },
      });
  });
});
