// Forks: what they inherit, and what lives on because of them.

import type { StreamCases } from "./contract.ts";
import { bytes, expectLike, textsOf } from "./expect.ts";

const JSON_TYPE = "application/json";
const FIVE = ["1", "2", "3", "4", "5"].map(bytes);

export const forkCases: StreamCases = {
  async "a fork has its source up to where it leaves it, and goes its own way"({ store }) {
    await store.create("a", { contentType: JSON_TYPE, messages: FIVE });
    expectLike("fork", await store.create("b", { source: { id: "a", position: 3 } }), {
      status: "created",
      info: { tail: 3, contentType: JSON_TYPE },
    });
    await store.append("a", { messages: [bytes("6")], close: true });
    expectLike("append", await store.append("b", { messages: [bytes('"b"')] }), { status: "appended", tail: 4 });
    expectLike("fork", textsOf(await store.read("b")), ["1", "2", "3", '"b"']);
    expectLike("from within", textsOf(await store.read("b", { position: 2, limit: 2 })), ["3", '"b"']);
    expectLike("source", textsOf(await store.read("a")), ["1", "2", "3", "4", "5", "6"]);
    expectLike("of a closed one", await store.create("c", { source: { id: "a" } }), {
      status: "created",
      info: { tail: 6, isClosed: false },
    });
  },

  async "forks of forks have each part from where it lies"({ store }) {
    await store.create("a", { contentType: "text/plain", messages: [bytes("aaaaaaaaa")] });
    await store.create("b", { source: { id: "a", position: 4 }, messages: [bytes("bbbb")] });
    await store.create("c", { source: { id: "b", position: 7 }, messages: [bytes("cc")] });
    await store.create("d", { source: { id: "c", position: 2 }, messages: [bytes("d")] });
    const texts = await Promise.all(["b", "c", "d"].map(async (id) => textsOf(await store.read(id)).join("")));
    expectLike("texts", texts, ["aaaabbbb", "aaaabbbcc", "aad"]);
    expectLike("pages", textsOf(await store.read("c", { position: 3, limit: 2 })).join(""), "abbb");
  },

  async "a fork can leave within one append, and not beyond it"({ store }) {
    await store.create("a", { contentType: JSON_TYPE, messages: FIVE.slice(0, 3) });
    await store.append("a", { messages: FIVE.slice(3) });
    const fork = (id: string, position: number, skip: number) =>
      store.create(id, { source: { id: "a", position, skip } });
    expectLike("within", await fork("b", 0, 2), { status: "created", info: { tail: 2 } });
    expectLike("again", await fork("b", 0, 2), { status: "exists" });
    expectLike("another", await fork("b", 0, 1), { status: "differs" });
    expectLike("to its end", await fork("c", 3, 2), { status: "created", info: { tail: 5 } });
    expectLike("beyond the append", await fork("d", 0, 4), { status: "no_position" });
    expectLike("beyond the tail", await fork("d", 5, 1), { status: "no_position" });
    expectLike("beyond the tail", await fork("d", 6, 0), { status: "no_position", tail: 5 });
  },

  async "a fork that cannot be made leaves no trace"({ store }) {
    await store.create("a", { contentType: JSON_TYPE, messages: FIVE });
    expectLike("type", await store.create("b", { contentType: "text/plain", source: { id: "a" } }), {
      status: "source_differs",
      contentType: JSON_TYPE,
    });
    expectLike("source", await store.create("b", { source: { id: "x" } }), { status: "no_source" });
    expectLike("nothing holds it", await store.delete("a"), { status: "deleted", retained: false });
    expectLike("source", await store.info("a"), { status: "unknown" });
  },

  async "producers and `seq` begin anew in a fork"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const append = { messages: [bytes("1")], producer: { id: "p", epoch: 0, seq: 0 }, seq: "5" };
    await store.append("a", append);
    await store.create("b", { source: { id: "a" } });
    expectLike("fork", await store.append("b", append), { status: "appended", tail: 2 });
  },

  async "a deleted source lives on in its forks, and goes with the last one"({ store }) {
    await store.create("a", { contentType: JSON_TYPE, messages: FIVE });
    await store.create("b", { source: { id: "a", position: 2 } });
    await store.create("c", { source: { id: "b" } });
    expectLike("delete", await store.delete("a"), { status: "deleted", retained: true });
    for (const gone of [
      await store.info("a"),
      await store.read("a"),
      await store.append("a", { messages: [bytes("6")] }),
      await store.delete("a"),
      await store.create("a"),
    ])
      expectLike("gone", gone, { status: "gone" });
    expectLike("fork of it", await store.create("d", { source: { id: "a" } }), { status: "source_gone" });
    await store.delete("b");
    expectLike("fork", textsOf(await store.read("c")), ["1", "2"]);
    expectLike("last", await store.delete("c"), { status: "deleted", retained: false });
    for (const id of ["a", "b", "c"]) {
      expectLike(id, await store.info(id), { status: "unknown" });
      expectLike(id, await store.create(id), { status: "created", info: { tail: 0 } });
    }
  },

  async "a fork has the expiry of its source, or its own"({ store, now }) {
    const expiresAt = now() + 60_000;
    await store.create("a", { expiresAt });
    await store.create("b", { ttl: 30 });
    const made = async (id: string, source: string, own = {}) => {
      const created = await store.create(id, { source: { id: source }, ...own });
      return "info" in created ? created.info : created;
    };
    expectLike("its source's", await made("c", "a"), { expiresAt });
    expectLike("its source's", await made("d", "b"), { ttl: 30 });
    expectLike("again", await store.create("d", { source: { id: "b" } }), { status: "exists" });
    expectLike("its own", await made("e", "a", { ttl: 90 }), { ttl: 90 });
    expectLike("its own", await made("f", "b", { expiresAt }), { expiresAt, ttl: undefined });
  },

  async "forks of forks end somewhere, and others go on"({ store }) {
    await store.create("0", { contentType: JSON_TYPE, messages: [bytes("0")] });
    let created = await store.create("1", { source: { id: "0" }, messages: [bytes("1")] });
    for (let depth = 2; created.status === "created" && depth < 1_000; depth += 1)
      created = await store.create(String(depth), {
        source: { id: String(depth - 1) },
        messages: [bytes(String(depth))],
      });
    expectLike("end", created, { status: "too_deep" });
    expectLike("a short one", await store.create("x", { source: { id: "2", position: 1 } }), { status: "created" });
  },
};
