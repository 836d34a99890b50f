// How long streams live: deletion, a time to live, a time to end.

import type { StreamCases } from "./contract.ts";
import { bytes, expectLike, pageOf, textsOf } from "./expect.ts";

export const lifetimeCases: StreamCases = {
  async "a deleted stream is gone, and its id is free"({ store }) {
    const first = await store.create("a", { contentType: "text/plain", messages: [bytes("old")] });
    await store.append("a", { messages: [bytes("!")], producer: { id: "p", epoch: 7, seq: 0 } });
    expectLike("delete", await store.delete("a"), { status: "deleted", retained: false });
    expectLike("again", await store.delete("a"), { status: "unknown" });
    expectLike("append", await store.append("a", { messages: [bytes("x")] }), { status: "unknown" });
    const second = await store.create("a", { contentType: "text/html", messages: [bytes("new")] });
    expectLike("created", second, { status: "created", info: { tail: 3 } });
    expectLike("messages", textsOf(await store.read("a")), ["new"]);
    const append = { messages: [bytes("!")], producer: { id: "p", epoch: 0, seq: 0 } };
    expectLike("producers begin anew", await store.append("a", append), { status: "appended" });
    const incarnations = [first, second].map((one) => ("info" in one ? one.info.incarnation : ""));
    expectLike("another incarnation", incarnations[0] === incarnations[1], false);
  },

  async "a read or a write begins the time to live anew, and a look does not"({ store, pass }) {
    await store.create("a", { contentType: "text/plain", ttl: 10_000 });
    for (let round = 0; round < 3; round += 1) {
      pass(9_000_000);
      expectLike("read", await store.read("a"), { status: "found" });
      pass(9_000_000);
      expectLike("append", await store.append("a", { messages: [bytes("x")] }), { status: "appended" });
    }
    pass(9_900_000);
    expectLike("just before", await store.info("a"), { status: "found" });
    // It may be later by a twentieth of its time.
    pass(700_000);
    expectLike("look", await store.info("a"), { status: "unknown" });
    expectLike("read", await store.read("a"), { status: "unknown" });
    expectLike("append", await store.append("a", { messages: [bytes("x")] }), { status: "unknown" });
    expectLike("free", await store.create("a", { contentType: "text/html" }), { status: "created", info: { tail: 0 } });
  },

  async "a time to end comes, whatever is read"({ store, pass, now }) {
    const expiresAt = now() + 1_000_000;
    await store.create("a", { expiresAt });
    expectLike("requested again", await store.create("a", { expiresAt }), { status: "exists", info: { expiresAt } });
    pass(900_000);
    expectLike("before", await store.read("a"), { status: "found" });
    pass(200_000);
    expectLike("after", await store.read("a"), { status: "unknown" });
    expectLike("as a source", await store.create("b", { source: { id: "a" } }), { status: "no_source" });
  },

  async "an expired source lives on in its forks"({ store, pass }) {
    await store.create("a", { contentType: "text/plain", ttl: 10, messages: [bytes("a")] });
    await store.create("b", { source: { id: "a" }, ttl: 1_000 });
    pass(20_000);
    expectLike("source", await store.read("a"), { status: "gone" });
    expectLike("taken", await store.create("a"), { status: "gone" });
    expectLike("fork", textsOf(await store.read("b")), ["a"]);
    await store.delete("b");
    expectLike("free", await store.create("a"), { status: "created" });
  },

  async "the expired go without a request, and others stay"({ store, pass }) {
    for (let index = 0; index < 40; index += 1) await store.create(`old-${index}`, { ttl: 10, owner: "ada" });
    await store.create("kept", { messages: [bytes("1")] });
    pass(20_000);
    for (let index = 0; index < 5; index += 1) await store.create(`new-${index}`);
    expectLike("kept", pageOf(await store.read("kept")).next, 1);
    for (let index = 0; index < 40; index += 1)
      expectLike("old", await store.info(`old-${index}`), { status: "unknown" });
  },
};
