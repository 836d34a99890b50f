// A restart or a migration never refuses what was accepted: an insertion that makes a state too
// deep is refused at once.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineState, openThread, type Thread } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { sqliteLog } from "../../src/sqlite/index.ts";

const directory = mkdtempSync(join(tmpdir(), "opstate-depth-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let files = 0;

const ada = { kind: "system", id: "ada" } as const;
const DEEPEST = 64;

/** `levels` objects inside one another. */
function nested(levels: number): object {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}

function depthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

/** The innermost object. */
function bottom(value: any): any {
  return value.in === undefined ? value : bottom(value.in);
}

const input = z.object({});
const shape = (engine: "recording" | "immer") => ({
  name: "outline",
  schema: z.object({
    root: z.looseObject({}),
    shelf: z.array(z.looseObject({})),
    size: z.int(),
    mirror: z.looseObject({}).optional(),
    tree: z.looseObject({ in: z.looseObject({}).optional() }).optional(),
  }),
  initial: { root: {}, shelf: [], size: 0 },
  patches: true,
  ...(engine === "immer" ? { drafts: immerDrafts } : {}),
  derive: {
    "/size": (state: any) => Object.keys(state.root).length,
    "/mirror": (state: any) => (state.size === 7 ? { mirror: state.root } : undefined),
  },
  operations: {
    paste: {
      input: z.object({ value: z.looseObject({}) }),
      apply: (draft: any, { value }: any) => void (bottom(draft.root).in = value),
    },
    shelve: {
      input: z.object({ value: z.looseObject({}) }),
      apply: (draft: any, { value }: any) => void draft.shelf.push(value),
    },
    take: { input, apply: (draft: any) => void (bottom(draft.root).in = draft.shelf.pop()) },
    wrap: { input, apply: (draft: any) => void (draft.root = { in: draft.root }) },
    copy: { input, apply: (draft: any) => void Object.assign(bottom(draft.root), { in: { ...draft.shelf[0] } }) },
    cut: { input, apply: (draft: any) => void (draft.root = {}) },
    count: { input, apply: (draft: any) => void Object.assign(draft.root, { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }) },
  },
});
const versioned = (engine: "recording" | "immer", version: number) =>
  defineState({
    ...shape(engine),
    version,
    migrate: (state: any) => ({ ...state, root: { ...state.root, migrated: version } }),
  });

describe.each(["recording", "immer"] as const)("a state at its deepest, on %s drafts", (engine) => {
  async function session() {
    const path = join(directory, `${(files += 1)}.sqlite`);
    let log = sqliteLog({ path, worker: false });
    let thread: Thread<any> = await openThread({ definition: versioned(engine, 1), log, threadId: "t" });
    return {
      send: (...updates: object[]) => sendAll(thread, updates),
      get thread() {
        return thread;
      },
      async reopen(version: number) {
        await thread.close();
        await log.close();
        log = sqliteLog({ path, worker: false });
        thread = await openThread({ definition: versioned(engine, version), log, threadId: "t" });
      },
    };
  }

  async function sendAll(thread: Thread<any>, updates: readonly object[]) {
    let last: unknown;
    for (const update of updates) last = await thread.dispatch(update, { actor: ada });
    return last;
  }

  const paste = (levels: number) => ({ type: "paste", value: nested(levels) });
  const shelve = (levels: number) => ({ type: "shelve", value: nested(levels) });
  const at = (levels: number) => `/root${"/in".repeat(levels)}`;
  /** The first updates are accepted. The last one is one level too deep. */
  const ways: [string, (spare: number) => object[]][] = [
    ["two pastes", (spare) => [paste(51), paste(12 - spare)]],
    ["a paste of a deep value", (spare) => [paste(63 - spare)]],
    ["a move from a shallow place", (spare) => [paste(30), shelve(33 - spare), { type: "take" }]],
    ["a wrap", (spare) => [paste(62 - spare), { type: "wrap" }]],
    ["a copy by spreads", (spare) => [paste(30), shelve(33 - spare), { type: "copy" }]],
    ["a derived field", (spare) => [paste(62 - spare), { type: "count" }]],
    ["a batch", (spare) => [{ type: "$batch", operations: [paste(51), paste(12 - spare)] }]],
    [
      "a patch",
      (spare) => [paste(51), { type: "$patch", patch: [{ op: "add", path: at(52), value: nested(12 - spare) }] }],
    ],
    [
      "a patch that moves",
      (spare) => [
        paste(30),
        shelve(33 - spare),
        { type: "$patch", patch: [{ op: "move", from: "/shelf/0", path: at(31) }] },
      ],
    ],
    [
      "a patch that copies",
      (spare) => [
        paste(30),
        shelve(33 - spare),
        { type: "$patch", patch: [{ op: "copy", from: "/shelf/0", path: at(31) }] },
      ],
    ],
    ["a replacement", (spare) => [{ type: "$replace", value: { root: nested(64 - spare), shelf: [] } }]],
  ];

  it.each(ways)("is not made deeper by %s", async (_, way) => {
    const refused = await session();
    const before = way(0).slice(0, -1);
    await refused.send(...before);
    const state = refused.thread.getState();
    expect(await refused.send(...way(0).slice(-1))).toMatchObject({
      accepted: false,
      rejection: { code: "too_large" },
    });
    expect(refused.thread.getState()).toBe(state);
  });

  it.each(ways)("that %s made opens again, migrated too", async (_, way) => {
    const opened = await session();
    for (const update of way(1)) expect(await opened.send(update)).toMatchObject({ accepted: true });
    expect(depthOf(opened.thread.getState())).toBe(DEEPEST);
    await opened.reopen(1);
    expect(await opened.send(shelve(1))).toMatchObject({ accepted: true });
    await opened.reopen(2);
    expect(opened.thread.getState()).toMatchObject({ root: { migrated: 2 } });
    expect(await opened.send(shelve(1))).toMatchObject({ accepted: true });
  });

  it("is not made deeper by an undo", async () => {
    const { send, thread } = await session();
    await send(paste(40));
    const cut: any = await thread.dispatch({ type: "cut" }, { actor: ada });
    await send(paste(40));
    expect(await thread.undo({ ids: [cut.commit.id] }, { actor: ada })).toMatchObject({ accepted: false });
    expect(depthOf(thread.getState())).toBe(42);
  });

  it("that was accepted under wider limits opens, and can be edited where it gets no deeper", async () => {
    const path = join(directory, `${(files += 1)}.sqlite`);
    const wide = defineState({ ...shape(engine), limits: { state: { depth: 200 }, operation: { depth: 200 } } });
    const log = sqliteLog({ path });
    const before = await openThread({ definition: wide, log, threadId: "t" });
    expect(await before.dispatch(paste(150) as never, { actor: ada })).toMatchObject({ accepted: true });
    await before.close();
    const thread = await openThread({ definition: versioned(engine, 2), log, threadId: "t" });
    expect(
      await sendAll(thread, [
        shelve(2),
        { type: "$patch", patch: [{ op: "move", from: at(100), path: `${at(99)}/on` }] },
      ]),
    ).toMatchObject({ accepted: true });
    expect(await sendAll(thread, [{ type: "wrap" }])).toMatchObject({
      accepted: false,
      rejection: { code: "too_large" },
    });
    await log.close();
  });
});
