// Appending: order, producers, closing, limits.

import type { StreamCases } from "./contract.ts";
import { bytes, expectLike, pageOf, textsOf } from "./expect.ts";

const JSON_TYPE = "application/json";

export const appendCases: StreamCases = {
  async "a stream is made once, and making it again tells whether it is the same"({ store }) {
    const made = { contentType: "text/plain; charset=utf-8", ttl: 60 };
    expectLike("first", await store.create("a", made), {
      status: "created",
      info: { tail: 0, isClosed: false, ttl: 60 },
    });
    expectLike("same type in other words", await store.create("a", { ...made, contentType: "TEXT/plain" }), {
      status: "exists",
    });
    for (const other of [
      { ...made, contentType: "text/html" },
      { ...made, ttl: 61 },
      { ...made, isClosed: true },
    ])
      expectLike("another one", await store.create("a", other), { status: "differs" });
    expectLike("no stream", await store.info("b"), { status: "unknown" });
  },

  async "what a stream is made with comes first"({ store }) {
    await store.create("a", { contentType: JSON_TYPE, messages: [bytes("1"), bytes("2")] });
    expectLike("append", await store.append("a", { messages: [bytes("3")] }), { status: "appended", tail: 3 });
    expectLike("messages", textsOf(await store.read("a")), ["1", "2", "3"]);
  },

  async "a JSON stream counts messages, and any other bytes"({ store }) {
    await store.create("json", { contentType: JSON_TYPE });
    await store.create("text", { contentType: "text/plain" });
    const messages = [bytes("12"), bytes("345")];
    expectLike("json", await store.append("json", { messages }), { status: "appended", tail: 2 });
    expectLike("text", await store.append("text", { messages }), { status: "appended", tail: 5 });
  },

  async "appends of many writers at once all have a place"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const names = Array.from({ length: 50 }, (_, index) => String(index));
    const appended = await Promise.all(names.map((name) => store.append("a", { messages: [bytes(name)] })));
    const tails = appended.map((one) => (one.status === "appended" ? one.tail : -1));
    expectLike(
      "tails",
      tails.toSorted((a, b) => a - b),
      names.map((_, index) => index + 1),
    );
    const read = textsOf(await store.read("a"));
    for (const [index, name] of names.entries()) expectLike("place", read[(tails[index] ?? 0) - 1], name);
  },

  async "a producer's append has one effect"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const write = (seq: number, epoch = 0) =>
      store.append("a", { messages: [bytes(`"${epoch}.${seq}"`)], producer: { id: "p", epoch, seq } });
    expectLike("begins at 0", await write(1), { status: "gap", expected: 0 });
    expectLike("first", await write(0), { status: "appended", tail: 1, producer: { epoch: 0, seq: 0 } });
    expectLike("second", await write(1), { status: "appended", tail: 2 });
    expectLike("again", await write(0), { status: "duplicate", tail: 2, producer: { epoch: 0, seq: 1 } });
    expectLike("gap", await write(3), { status: "gap", expected: 2 });
    expectLike("new epoch", await write(1, 1), { status: "epoch_begins_at_0" });
    expectLike("new epoch", await write(0, 1), { status: "appended", tail: 3 });
    expectLike("fenced", await write(2), { status: "fenced", epoch: 1 });
    expectLike("messages", textsOf(await store.read("a")), ['"0.0"', '"0.1"', '"1.0"']);
  },

  async "the same append sent many times at once has one effect"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const append = { messages: [bytes("1")], producer: { id: "p", epoch: 0, seq: 0 } };
    const sent = await Promise.all(Array.from({ length: 8 }, () => store.append("a", append)));
    expectLike("one effect", sent.filter(({ status }) => status === "appended").length, 1);
    expectLike("the others", sent.filter(({ status }) => status === "duplicate").length, 7);
    expectLike("messages", textsOf(await store.read("a")), ["1"]);
  },

  async "`seq` grows byte by byte, and a producer's repetition is judged first"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const write = (seq: string) => store.append("a", { messages: [bytes("1")], seq });
    expectLike("first", await write("2"), { status: "appended" });
    expectLike("smaller", await write("10"), { status: "seq_taken", last: "2" });
    expectLike("same", await write("2"), { status: "seq_taken" });
    expectLike("longer", await write("20"), { status: "appended" });
    // In UTF-16 the first one would be greater.
    expectLike("beyond the first plane", await write("\uff61"), { status: "appended" });
    expectLike("beyond the first plane", await write("\u{1f600}"), { status: "appended" });
    const producer = { id: "p", epoch: 0, seq: 0 };
    const append = { messages: [bytes("2")], seq: "\u{1f601}", producer };
    expectLike("with a producer", await store.append("a", append), { status: "appended" });
    expectLike("again", await store.append("a", append), { status: "duplicate" });
  },

  async "a closed stream takes no more, and stays readable"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const last = { messages: [bytes("1")], close: true };
    expectLike("closing", await store.append("a", last), { status: "appended", tail: 1, isClosed: true });
    expectLike("more", await store.append("a", { messages: [bytes("2")] }), { status: "closed", tail: 1 });
    expectLike("closing with more", await store.append("a", last), { status: "closed" });
    expectLike("closing again", await store.append("a", { close: true }), { status: "duplicate", isClosed: true });
    expectLike("page", pageOf(await store.read("a")), { next: 1, info: { isClosed: true } });
  },

  async "a producer's closing append may be sent again, and nothing else"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const closing = { messages: [bytes("1")], close: true, producer: { id: "p", epoch: 1, seq: 0 } };
    expectLike("closing", await store.append("a", closing), { status: "appended", isClosed: true });
    expectLike("again", await store.append("a", closing), { status: "duplicate", isClosed: true });
    const other = { ...closing, producer: { id: "p", epoch: 1, seq: 1 } };
    expectLike("another", await store.append("a", other), { status: "closed" });
    const old = { ...closing, producer: { id: "p", epoch: 0, seq: 0 } };
    expectLike("an earlier epoch", await store.append("a", old), { status: "fenced", epoch: 1 });
  },

  async "an append of another content type is refused, with nothing done"({ store }) {
    await store.create("a", { contentType: JSON_TYPE });
    const append = { contentType: "text/plain", messages: [bytes("1")], producer: { id: "p", epoch: 0, seq: 0 } };
    expectLike("other", await store.append("a", append), { status: "content_differs", contentType: JSON_TYPE });
    expectLike("same", await store.append("a", { ...append, contentType: "Application/JSON;a=b" }), {
      status: "appended",
      tail: 1,
    });
  },

  async "the bytes of a stream are bounded"({ store }) {
    const limits = { bytes: 4 };
    await store.create("a", { contentType: "text/plain", limits });
    expectLike("bytes", await store.append("a", { messages: [bytes("1234")], limits }), { status: "appended" });
    expectLike("more bytes", await store.append("a", { messages: [bytes("5")], limits }), {
      status: "too_large",
      bytes: 4,
    });
    expectLike("closing adds none", await store.append("a", { close: true, limits }), { status: "appended" });
    expectLike("begins too large", await store.create("b", { messages: [bytes("12345")], limits }), {
      status: "too_large",
    });
    expectLike("is not there", await store.info("b"), { status: "unknown" });
  },

  async "the producers of a stream are bounded"({ store }) {
    const limits = { producers: 1 };
    await store.create("a", { contentType: "text/plain", limits });
    const of = (id: string) => ({ messages: [bytes("1")], producer: { id, epoch: 0, seq: 0 }, limits });
    expectLike("producer", await store.append("a", of("p")), { status: "appended" });
    expectLike("producers", await store.append("a", of("q")), { status: "too_many_producers", producers: 1 });
  },

  async "the streams of an owner are bounded, until some are deleted or expire"({ store, pass }) {
    const limits = { streams: 2 };
    const make = (id: string) => store.create(id, { contentType: "text/plain", owner: "ada", limits, ttl: 1_000 });
    await make("a");
    await make("b");
    expectLike("streams", await make("c"), { status: "too_many_streams", streams: 2 });
    expectLike("another's", await store.create("d", { owner: "bob", limits }), { status: "created" });
    await store.delete("b");
    expectLike("after a deletion", await make("c"), { status: "created" });
    pass(1_100_000);
    expectLike("after they expired", await make("e"), { status: "created" });
  },

  async "a caller may use its buffer again"({ store }) {
    await store.create("a", { contentType: "text/plain" });
    const buffer = bytes("first");
    const appending = store.append("a", { messages: [buffer] });
    buffer.fill(0);
    await appending;
    expectLike("messages", textsOf(await store.read("a")), ["first"]);
  },
};
