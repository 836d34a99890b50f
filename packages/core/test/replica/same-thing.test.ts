// An edit that waited changes what its person intended, or it is refused and says so (law 10).

import type { Submission } from "@opstate/core/transport";
import { describe, expect, it } from "vitest";
import { createReplica } from "@opstate/core";
import { ada } from "../thread/tally.ts";
import { cards, settled, titlesOf, twoPeople } from "./cards.ts";

const { op } = cards;

describe("two people each add a card while one of them is offline", () => {
  it("with ids that follow from the state, the edit of the own card never changes the other's", async () => {
    const { thread, ada, bob, titles } = await twoPeople();
    bob.down();
    const added = bob.dispatch(op.addNumbered({ title: "Bob's" }));
    const renamed = bob.dispatch(op.rename({ id: "T-4", title: "Bob's, refined" }));
    expect(bob.titles()).toBe("A B C Bob's, refined");
    await ada.dispatch(op.addNumbered({ title: "Ada's" }));
    bob.up();
    await settled();
    expect(await added).toMatchObject({ accepted: true });
    expect(await renamed).toMatchObject({
      accepted: false,
      rejection: {
        code: "conflict",
        reason: "other_thing",
        message: expect.stringContaining('"Ada\'s" at /cards/3'),
        details: { things: ["/cards/3"] },
      },
    });
    expect(titles()).toBe("A B C Ada's Bob's");
    expect(bob.titles()).toBe(titles());
    expect(bob.replica.sync.getState()).toMatchObject({ pending: [], rejections: [{ verdict: { accepted: false } }] });
    expect(thread.version).toBe(2);
  });

  it("with ids of the submission, both are accepted", async () => {
    const { ada, bob, titles } = await twoPeople();
    bob.down();
    const added = bob.dispatch(op.add({ title: "Bob's" }));
    const { id } = bob.replica.getState().cards[3]!;
    const renamed = bob.dispatch(op.rename({ id, title: "Bob's, refined" }));
    await ada.dispatch(op.add({ title: "Ada's" }));
    bob.up();
    await settled();
    expect([await added, await renamed]).toMatchObject([{ accepted: true }, { accepted: true }]);
    expect(titles()).toBe("A B C Ada's Bob's, refined");
    expect(bob.titles()).toBe(titles());
  });
});

describe("an edit that was never sent", () => {
  it("is rejected at once when it would change another thing, and is not sent", async () => {
    const { thread, ada, bob, titles } = await twoPeople();
    bob.down();
    const removed = bob.dispatch(op.removeAt({ index: 0 }));
    await ada.dispatch(op.insert({ title: "new" }));
    const refusals: unknown[] = [];
    thread.onRejection((refusal) => refusals.push(refusal));
    bob.up();
    expect(await removed).toMatchObject({ accepted: false, rejection: { code: "conflict", reason: "other_thing" } });
    expect([titles(), bob.titles(), refusals]).toEqual(["new A B C", "new A B C", []]);
  });

  it("is accepted when its things only moved, or changed in themselves", async () => {
    const { ada, bob, titles } = await twoPeople();
    bob.down();
    const renamed = bob.dispatch(op.rename({ id: "T-2", title: "mine" }));
    const toTop = bob.dispatch(op.toTop({ id: "T-3" }));
    await ada.dispatch(op.rename({ id: "T-2", title: "theirs" }));
    await ada.dispatch(op.removeAt({ index: 0 }));
    await ada.dispatch(op.insert({ title: "new" }));
    bob.up();
    expect([await renamed, await toTop]).toMatchObject([{ accepted: true }, { accepted: true }]);
    expect(titles()).toBe("C new mine");
    await settled();
    expect(bob.titles()).toBe(titles());
  });

  it("is rejected at once also when it is a patch, and accepted where its things are as they were", async () => {
    const { ada, bob, titles } = await twoPeople();
    bob.down();
    const retitle = (index: number, value: string) => ({
      type: "$patch",
      patch: [{ op: "replace", path: `/cards/${index}/title`, value }],
    });
    const verdicts = [
      bob.replica.submit(retitle(0, "a")),
      bob.dispatch(op.rename({ id: "T-1", title: "aa" })),
      bob.replica.submit(retitle(2, "c")),
    ];
    expect(bob.titles()).toBe("aa B c");
    await ada.dispatch(op.rename({ id: "T-2", title: "b" }));
    await ada.dispatch(op.insert({ title: "new" }));
    await ada.dispatch(op.removeAt({ index: 2 }));
    bob.up();
    await settled();
    expect((await Promise.all(verdicts)).map((verdict) => !verdict.accepted && verdict.rejection.reason)).toEqual([
      "other_thing",
      false,
      false,
    ]);
    expect(titles()).toBe("new aa c");
    expect(bob.titles()).toBe(titles());
  });

  it("may change another thing where the definition says `retarget`", async () => {
    const { thread, ada, bob } = await twoPeople();
    bob.down();
    const finished = bob.dispatch(op.finishFirstOpen({}));
    await ada.dispatch(op.insert({ title: "new" }));
    bob.up();
    expect(await finished).toMatchObject({ accepted: true });
    expect(thread.getState().cards.map(({ done }) => done)).toEqual([true, false, false, false]);
  });

  it("removes those as well that need it, and no others", async () => {
    const { ada, bob, titles } = await twoPeople();
    bob.down();
    const verdicts = [
      bob.dispatch(op.removeAt({ index: 0 })),
      bob.dispatch(op.add({ title: "mine" })),
      bob.dispatch(op.renameLast({ title: "mine, refined" })),
    ];
    await ada.dispatch(op.insert({ title: "new" }));
    bob.up();
    expect((await Promise.all(verdicts)).map(({ accepted }) => accepted)).toEqual([false, true, true]);
    expect(titles()).toBe("new A B C mine, refined");
  });

  it("is checked against the first state that the replica gets, when it was made before", async () => {
    const { ada, bob, titles } = await twoPeople();
    const { transport, up, down } = bob;
    down();
    const late = createReplica({ definition: cards, transport });
    const removed = late.dispatch(op.removeAt({ index: 0 }));
    up();
    expect(await removed).toMatchObject({ accepted: true });
    expect(titles()).toBe("B C");
    await ada.dispatch(op.insert({ title: "new" }));
    expect(titlesOf(late.getState())).toBe("new B C");
  });
});

describe("an edit in flight", () => {
  async function inFlight() {
    const people = await twoPeople();
    const sent: Submission[] = [];
    let deliver: (message: never) => void = () => {};
    const replica = createReplica({
      definition: cards,
      actor: ada,
      snapshot: { version: 0, state: cards.initial },
      transport: {
        connect({ onMessage, onStatus }) {
          deliver = onMessage as never;
          onStatus("online");
          return { send: (submission) => sent.push(submission), close() {} };
        },
      },
    });
    return { ...people, sent, replica, deliver: (message: unknown) => deliver(message as never) };
  }

  it("leaves the view when it would change another thing, and waits for the verdict of the authority", async () => {
    const { thread, bob, sent, replica, deliver } = await inFlight();
    const verdict = replica.dispatch(op.removeAt({ index: 0 }));
    expect(titlesOf(replica.getState())).toBe("B C");
    const theirs = await bob.dispatch(op.insert({ title: "new" }));
    deliver({ type: "commits", commits: [theirs.accepted && theirs.commit] });
    expect(titlesOf(replica.getState())).toBe("new A B C");
    expect(replica.sync.getState().pending).toHaveLength(1);
    const { operation, ...envelope } = sent[0]!;
    deliver({ type: "verdict", id: sent[0]!.id, verdict: await thread.submit(operation, { ...envelope, actor: ada }) });
    expect(await verdict).toMatchObject({ accepted: false, rejection: { reason: "other_thing" } });
    expect(replica.sync.getState().pending).toEqual([]);
  });

  it("leaves the view also when it is a patch, whose paths lead to something else by now", async () => {
    const { thread, bob, sent, replica, deliver } = await inFlight();
    const patch = [{ op: "replace", path: "/cards/1/title", value: "b" }];
    const verdict = replica.submit({ type: "$patch", patch });
    const theirs = await bob.dispatch(op.insert({ title: "new" }));
    expect(sent).toMatchObject([{ basedOn: 0, things: ["/cards/1"] }]);
    deliver({ type: "commits", commits: [theirs.accepted && theirs.commit] });
    expect(titlesOf(replica.getState())).toBe("new A B C");
    const { operation, ...envelope } = sent[0]!;
    deliver({ type: "verdict", id: sent[0]!.id, verdict: await thread.submit(operation, { ...envelope, actor: ada }) });
    expect(await verdict).toMatchObject({ accepted: false, rejection: { reason: "other_thing" } });
  });

  it("is sent with the version that it was made on and its things there", async () => {
    const { bob, sent, replica, deliver } = await inFlight();
    const theirs = await bob.dispatch(op.insert({ title: "new" }));
    void replica.dispatch(op.add({ title: "mine" }));
    const { id } = replica.getState().cards[3]!;
    void replica.dispatch(op.rename({ id, title: "x" }));
    void replica.dispatch(op.toTop({ id: "T-3" }));
    void replica.dispatch(op.rename({ id: "T-3", title: "c" }));
    deliver({ type: "commits", commits: [theirs.accepted && theirs.commit] });
    void replica.dispatch(op.rename({ id: "T-3", title: "cc" }));
    void replica.dispatch({
      type: "$batch",
      operations: [op.remove({ id: "T-1" }), op.rename({ id: "T-2", title: "b" })],
    });
    void replica.dispatch(op.finishFirstOpen({}));
    expect(sent.map(({ basedOn, things }) => [basedOn, things])).toEqual([
      [0, [""]],
      [0, [{ by: sent[0]!.id, part: "0" }]],
      [0, [""]],
      [0, ["/cards/2"]],
      [1, ["/cards/3"]],
      [1, ["/cards/2", "/cards/1"]],
      [undefined, undefined],
    ]);
  });
});
