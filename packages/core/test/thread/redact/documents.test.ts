// Every kind of commit without what a person wrote, wherever it had it, and with all that was not
// theirs.

import { describe, expect, it } from "vitest";
import { type Commit, defineState, memoryLog, openThread, type Thread } from "../../../src/index.ts";
import { Blanks } from "../../../src/thread/redact/blanks.ts";
import { blankCommit, blankReceipt, contentOf } from "../../../src/thread/redact/documents.ts";
import { Written } from "../../../src/thread/redact/written.ts";
import { z } from "zod";

const ada = { kind: "user", id: "ada" };
const bob = { kind: "user", id: "bob" };
const admin = { kind: "system", id: "privacy" };
const SECRET = "Zwetschgenkuchen";

const written = new Written();
written.add([SECRET, `of ${SECRET}`, 1_234_567]);
const blanks = new Blanks(written, { notes: ["of bob"] }, new Map());

const commit = (operation: object, more: Partial<Commit> = {}): Commit => ({
  version: 7,
  id: "c7",
  operation: operation as Commit["operation"],
  actor: bob,
  at: "2026-01-01T00:00:00.000Z",
  patches: [],
  inverse: [],
  definitionVersion: 1,
  ...more,
});
const step = (value: unknown) => ({ op: "add", path: "/notes/0", value }) as const;

describe("a commit", () => {
  const inner = { type: "add", text: SECRET };
  it.each<[string, Commit]>([
    ["its operation", commit({ type: "add", text: SECRET, list: [{ deep: `of ${SECRET}` }] })],
    ["a number of its operation", commit({ type: "add", size: 1_234_567 })],
    ["a part of a batch", commit({ type: "$batch", operations: [inner, { type: "add", text: "of bob" }] })],
    ["its sentence", commit({ type: "sort" }, { sentence: `Add "${SECRET}"` })],
    ["its patches", commit({ type: "sort" }, { patches: [step({ text: SECRET })] })],
    ["its inverse", commit({ type: "sort" }, { inverse: [step({ text: SECRET })] })],
    ["what an undo did again", commit({ type: "$undo", replayed: [{ version: 3, patches: [step(SECRET)] }] })],
    ["a proposal", commit({ type: "$propose", operation: inner, patches: [], previous: [] })],
    [
      "the change of a proposal",
      commit({ type: "$propose", operation: { type: "sort" }, patches: [step(SECRET)], previous: [] }),
    ],
    [
      "what a proposal would replace",
      commit({
        type: "$propose",
        operation: { type: "sort" },
        patches: [],
        previous: [{ path: "/notes/0", value: SECRET, element: { text: SECRET } }],
      }),
    ],
    ["an approval", commit({ type: "$approve", id: "p1", operation: inner })],
    ["a merge", commit({ type: "$merge", branch: "b", operation: inner })],
    ["the reason of a decline", commit({ type: "$decline", id: "p1", reason: `Not the ${SECRET}` })],
  ])("has it no more in %s", (_, before) => {
    expect(blanks.holds(contentOf(before)), "it is looked for there").toBe(true);
    const after = blankCommit(before, blanks);
    expect(JSON.stringify(after)).not.toMatch(/Zwetschgenkuchen|1234567/);
    expect(blanks.holds(contentOf(after))).toBe(false);
    const { version, id, actor, at } = before;
    expect(after).toMatchObject({ version, id, actor, at, operation: { type: before.operation.type } });
  });

  it("keeps what others wrote, and its places", () => {
    const others = commit(
      { type: "add", text: "of bob" },
      { sentence: 'Add "of bob"', patches: [step("of bob")], inverse: [{ op: "remove", path: "/notes/0" }] },
    );
    expect(blankCommit(others, blanks)).toEqual(others);
  });
});

it("a receipt of the actor does not say any more what was sent, not even by its hash", () => {
  const receipt = { actor: ada, id: "1", hash: "of the text", outcome: { accepted: true, version: 1 } as const };
  expect(blankReceipt(receipt, ada, blanks)).toEqual({ ...receipt, hash: expect.not.stringContaining("of the text") });
  expect(blankReceipt({ ...receipt, actor: bob }, ada, blanks)).toEqual({ ...receipt, actor: bob });
});

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string() })) }),
  initial: { notes: [] },
  operations: {
    set: {
      input: z.object({ id: z.string(), text: z.string() }),
      apply(draft, { id, text }) {
        const note = draft.notes.find((candidate) => candidate.id === id);
        if (note) note.text = text;
        else draft.notes.push({ id, text });
      },
    },
  },
});

describe("what others did with what a person wrote", () => {
  const set = (thread: Pick<Thread<typeof notes>, "dispatch">, id: string, text: string, actor = bob) =>
    thread.dispatch(notes.op.set({ id, text }), { actor });
  const commitsOf = async (thread: Pick<Thread, "history">) =>
    (await thread.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));

  it("stays in the history, without it", async () => {
    const log = memoryLog();
    const thread = await openThread({ definition: notes, log, threadId: "t" });
    await set(thread, "n1", SECRET, ada);
    const last = thread.version;
    await set(thread, "n1", "of bob");
    await set(thread, "n2", `Ada said ${SECRET}`);
    await thread.propose(notes.op.set({ id: "n2", text: `${SECRET}?` }), { actor: bob, id: "p1" });
    await thread.approve("p1", { actor: admin });
    await thread.propose(notes.op.set({ id: "n2", text: "-" }), { actor: bob, id: "p2" });
    await thread.decline("p2", { actor: admin, reason: `It is about ${SECRET}` });
    const undone = await set(thread, "n2", "-");
    await thread.undo({ ids: [undone.accepted ? (undone.commit?.id ?? "") : ""] }, { actor: bob });
    await set(thread, "n2", "later");
    const { floor } = await thread.redact({ actor: ada, by: admin });
    expect(floor).toBe(last);
    const commits = await commitsOf(thread);
    expect(JSON.stringify(commits)).not.toContain(SECRET);
    expect(commits.map(({ operation }) => operation.type)).toEqual([
      ...["set", "set", "$propose", "$approve", "$propose", "$decline", "set", "$undo", "set"],
      "$redact",
    ]);
    for (const { version } of commits) await thread.stateAt(version);
  });

  it("stays on branches as a whole, and each says that it was erased", async () => {
    const log = memoryLog();
    const thread = await openThread({ definition: notes, log, threadId: "t" });
    await set(thread, "n1", "of bob");
    const branch = await thread.branch();
    await set(branch, "b1", SECRET, ada);
    await set(branch, "b1", `${SECRET}, said Ada`);
    await set(branch, "b1", "-");
    await thread.redact({ actor: ada, by: admin });
    const commits = await commitsOf(branch);
    expect(JSON.stringify(commits)).not.toContain(SECRET);
    expect(commits.map(({ version, operation }) => [version, operation.type])).toEqual([
      [1, "set"],
      [2, "set"],
      [3, "set"],
      [4, "$redact"],
    ]);
    expect((await commitsOf(thread)).at(-1)?.operation).toMatchObject({ type: "$redact" });
  });
});
