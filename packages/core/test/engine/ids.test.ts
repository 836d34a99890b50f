import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineState } from "../../src/index.ts";
import { sha256, shortHash } from "../../src/engine/hash.ts";

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string(), at: z.string().optional() })) }),
  initial: { notes: [] },
  operations: {
    add: {
      input: z.object({ texts: z.array(z.string()), keyed: z.boolean().optional() }),
      apply(draft, { texts, keyed }, { id }) {
        for (const text of texts) draft.notes.push({ id: keyed === true ? id("N-", text) : id("N-"), text });
      },
    },
    stamp: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }, { id, now }) {
        draft.notes.push({ id: id(), text, at: now });
      },
    },
  },
});

const ada = { kind: "user", id: "ada" };
const at = "2030-01-01T00:00:00.000Z";
const idsOf = (update: unknown, context?: { actor?: typeof ada; id?: string; at?: string }) => {
  const result = notes.transition(notes.initial, update, context);
  return result.state.notes.map((note) => note.id);
};

describe("the ids that an operation makes", () => {
  it("are a prefix and ten letters and digits", () => {
    expect(idsOf(notes.op.add({ texts: ["a"] }), { actor: ada, id: "s1", at })[0]).toMatch(
      /^N-[0-9a-hjkmnp-tv-z]{10}$/,
    );
  });

  it("are the same in every run of one submission", () => {
    const once = () => idsOf(notes.op.add({ texts: ["a", "b"] }), { actor: ada, id: "s1", at });
    expect(once()).toEqual(once());
  });

  it("differ within one operation, between submissions, actors and parts of a batch", () => {
    const add = notes.op.add({ texts: ["a", "b"] });
    const all = [
      ...idsOf(add, { actor: ada, id: "s1", at }),
      ...idsOf(add, { actor: ada, id: "s2", at }),
      ...idsOf(add, { actor: { kind: "agent", id: "ada" }, id: "s1", at }),
      ...idsOf({ type: "$batch", operations: [add, add] }, { actor: ada, id: "s1", at }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("follow their key where there is one, whatever the order", () => {
    const context = { actor: ada, id: "s1", at };
    const [a, b] = idsOf(notes.op.add({ texts: ["a", "b"], keyed: true }), context);
    expect(idsOf(notes.op.add({ texts: ["b", "a"], keyed: true }), context)).toEqual([b, a]);
  });

  it("follow from state and update where there is no submission", () => {
    const first = idsOf(notes.op.add({ texts: ["a"] }));
    expect(idsOf(notes.op.add({ texts: ["a"] }))).toEqual(first);
    expect(idsOf(notes.op.add({ texts: ["b"] }))).not.toEqual(first);
    const again = notes.reduce(
      notes.reduce(notes.initial, notes.op.add({ texts: ["a"] })),
      notes.op.add({ texts: ["a"] }),
    );
    expect(new Set(again.notes.map((note) => note.id)).size).toBe(2);
  });
});

describe("the time of an operation", () => {
  it("is that of its submission", () => {
    const { state } = notes.transition(notes.initial, notes.op.stamp({ text: "a" }), { actor: ada, id: "s1", at });
    expect(state.notes[0]?.at).toBe(at);
  });

  it("is refused where there is no submission", () => {
    const result = notes.transition(notes.initial, notes.op.stamp({ text: "a" }));
    expect(result).toMatchObject({ accepted: false, rejection: { code: "refused", reason: "needs_submission" } });
    expect(result.state).toBe(notes.initial);
  });
});

describe("the hash", () => {
  it("is SHA-256", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const bytes = Buffer.from(text, "utf16le").swap16();
        const hex = [...sha256(text)].map((word) => word.toString(16).padStart(8, "0")).join("");
        expect(hex).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
    );
  });

  it("is short as the first 50 bits, five a letter", () => {
    const [first = 0, second = 0] = sha256("a");
    const bits = (first.toString(2).padStart(32, "0") + second.toString(2).padStart(32, "0")).slice(0, 50);
    const letters = bits.match(/.{5}/g)?.map((five) => "0123456789abcdefghjkmnpqrstvwxyz"[Number.parseInt(five, 2)]);
    expect(shortHash("a")).toBe(letters?.join(""));
  });
});
