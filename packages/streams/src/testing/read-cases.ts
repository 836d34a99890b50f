// Reading: pages, positions, and streams that stand beside one another.

import type { StreamStore } from "../store/store.ts";
import type { StreamCases } from "./contract.ts";
import { bytes, expectLike, pageOf, textsOf } from "./expect.ts";

async function readAll(store: StreamStore, id: string, size: { limit?: number; bytes?: number }): Promise<string[]> {
  const texts: string[] = [];
  let position = 0;
  for (;;) {
    const page = pageOf(await store.read(id, { ...size, position }));
    texts.push(...textsOf(page));
    if (page.messages.length === 0) return texts;
    position = page.next;
  }
}

export const readCases: StreamCases = {
  async "pages end at their limit or their bytes, and give everything once"({ store }) {
    const texts = Array.from({ length: 25 }, (_, index) => JSON.stringify("x".repeat(index)));
    await store.create("a", { contentType: "application/json", messages: texts.map(bytes) });
    expectLike("limit", textsOf(await store.read("a", { limit: 4 })), texts.slice(0, 4));
    expectLike("bytes", textsOf(await store.read("a", { bytes: 9 })), texts.slice(0, 3));
    expectLike("one at least", textsOf(await store.read("a", { position: 20, bytes: 1 })), texts.slice(20, 21));
    for (const size of [{ limit: 1 }, { limit: 7 }, { bytes: 40 }, { limit: 3, bytes: 30 }])
      expectLike("all", await readAll(store, "a", size), texts);
  },

  async "bytes are read from any position, in pieces of at most 64 KiB"({ store }) {
    const whole = new Uint8Array(200_000).map((_, index) => index % 251);
    await store.create("a", { messages: [whole.subarray(0, 150_000)] });
    await store.append("a", { messages: [whole.subarray(150_000)] });
    for (const position of [0, 1, 65_535, 65_536, 149_999, 150_000, 199_999]) {
      const page = pageOf(await store.read("a", { position }));
      const read = page.messages.flatMap((message) => [...message]);
      expectLike("end", page.next, 200_000);
      expectLike(
        "piece",
        page.messages.every(({ length }) => length <= 65_536),
        true,
      );
      expectLike(
        "bytes",
        read.every((byte, index) => byte === whole[position + index]) && read.length,
        200_000 - position,
      );
    }
    expectLike("a page has its size", pageOf(await store.read("a", { bytes: 70_000 })).next, 65_536);
  },

  async "a read at the tail gives nothing, and one behind it says so"({ store }) {
    await store.create("a", { contentType: "text/plain", messages: [bytes("123")] });
    expectLike("at the tail", await store.read("a", { position: 3 }), { messages: [], from: 3, next: 3 });
    expectLike("tail", await store.read("a", { position: "tail" }), { messages: [], from: 3, next: 3 });
    expectLike("behind", await store.read("a", { position: 4 }), { status: "beyond", tail: 3 });
    expectLike("none", await store.read("b"), { status: "unknown" });
  },

  async "ids that differ are different streams"({ store }) {
    const ids = [
      "a",
      "A",
      "a ",
      "a/b",
      "a%2Fb",
      "ä",
      "a\u0308",
      "\u{1f600}",
      "__proto__",
      "%",
      "_",
      "'\"\\",
      "x".repeat(512),
    ];
    for (const [index, id] of ids.entries()) await store.create(id, { messages: [bytes(String(index))] });
    for (const [index, id] of ids.entries()) expectLike(id, textsOf(await store.read(id)), [String(index)]);
  },

  async "what was written is there when the storage is opened again"({ store, reopen }) {
    if (!reopen) return;
    await store.create("a", { contentType: "application/json", ttl: 60, messages: [bytes('"\u0000\u{1f600}"')] });
    const producer = { id: "p", epoch: 3, seq: 0 };
    await store.append("a", { messages: [bytes("2")], producer, seq: "1" });
    await store.create("b", { source: { id: "a" } });
    const again = await reopen();
    expectLike("info", await again.info("a"), { info: { tail: 2, ttl: 60, contentType: "application/json" } });
    expectLike("messages", textsOf(await again.read("b")), ['"\u0000\u{1f600}"', "2"]);
    expectLike("producer", await again.append("a", { messages: [bytes("2")], producer }), { status: "duplicate" });
    expectLike("seq", await again.append("a", { messages: [bytes("3")], seq: "1" }), { status: "seq_taken" });
  },
};
