// Calls: their time, what they are given, several processes, and the end of the store.

import type { StreamCases } from "./contract.ts";
import { bytes, expectLike, expectRejects, textsOf } from "./expect.ts";

export const callCases: StreamCases = {
  async "a call that is over does nothing"({ store }) {
    await store.create("a", { contentType: "text/plain" });
    const append = { messages: [bytes("x")] };
    const late = { deadline: Date.now() - 1 };
    await expectRejects("append", "timed_out", store.append("a", append, late));
    await expectRejects("read", "timed_out", store.read("a", {}, late));
    await expectRejects("create", "timed_out", store.create("b", {}, late));
    await expectRejects("delete", "timed_out", store.delete("a", late));
    await expectRejects("signal", "aborted", store.append("a", append, { signal: AbortSignal.abort() }));
    expectLike("a", await store.info("a"), { info: { tail: 0 } });
    expectLike("b", await store.info("b"), { status: "unknown" });
  },

  async "what no stream can have is refused"({ store }) {
    for (const id of ["", "x".repeat(513), "a\u0000b", "a\nb", "\ud800"]) {
      await expectRejects(JSON.stringify(id), "invalid_id", store.create(id));
      await expectRejects(JSON.stringify(id), "invalid_id", store.read(id));
    }
    await store.create("a", { contentType: "text/plain" });
    for (const range of [{ limit: 0 }, { bytes: 0 }, { limit: 1.5 }, { position: -1 }, { position: Number.NaN }])
      await expectRejects(JSON.stringify(range), "RangeError", store.read("a", range));
    await expectRejects("nothing", "RangeError", store.append("a", {}));
    await expectRejects("empty", "RangeError", store.append("a", { messages: [new Uint8Array()] }));
    await expectRejects("both", "RangeError", store.create("b", { ttl: 1, expiresAt: 1 }));
  },

  async "two processes write to one stream, each append once"({ store, beside }) {
    if (!beside) return;
    const other = await beside();
    await store.create("a", { contentType: "application/json" });
    const sent = Array.from({ length: 20 }, (_, seq) => ({
      messages: [bytes(String(seq))],
      producer: { id: String(seq), epoch: 0, seq: 0 },
    }));
    const outcomes = await Promise.all(
      sent.flatMap((append) => [store.append("a", append), other.append("a", append)]),
    );
    expectLike("appended", outcomes.filter(({ status }) => status === "appended").length, 20);
    expectLike("duplicate", outcomes.filter(({ status }) => status === "duplicate").length, 20);
    const numbers = textsOf(await other.read("a")).map(Number);
    expectLike(
      "messages",
      numbers.toSorted((a, b) => a - b),
      sent.map((_, seq) => seq),
    );
  },

  async "two processes make one stream"({ store, beside }) {
    if (!beside) return;
    const other = await beside();
    const ids = Array.from({ length: 10 }, (_, index) => `s${index}`);
    const made = await Promise.all(ids.flatMap((id) => [store.create(id), other.create(id)]));
    expectLike("created", made.filter(({ status }) => status === "created").length, 10);
    expectLike("exists", made.filter(({ status }) => status === "exists").length, 10);
  },

  async "a closed store says so, and may be closed again"({ store }) {
    await store.create("a");
    await store.close();
    await store.close();
    await expectRejects("read", "closed", store.read("a"));
    await expectRejects("append", "closed", store.append("a", { close: true }));
  },
};
