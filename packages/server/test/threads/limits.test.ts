// The definition's limits are the ones at every door, and what was accepted there is never refused
// afterwards: not after a restart, under narrower limits, or by a migration.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineState } from "@opstate/core";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createServer } from "../../src/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { ada, authorize, send } from "../support/server.ts";

const directory = mkdtempSync(join(tmpdir(), "opstate-limits-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let ids = 0;

const tree = (depth: number, version = 1) =>
  defineState({
    name: "tree",
    version,
    schema: z.object({ root: z.unknown(), pair: z.tuple([z.string().optional(), z.number().default(5)]) }),
    initial: { root: null, pair: ["a", 5] },
    patches: true,
    replace: { allow: ["user"] },
    limits: { state: { depth, nodes: 1_000 }, operation: { depth } },
    migrate: (state) => ({ ...state, root: [version, state.root] }),
    operations: {
      put: {
        input: z.object({ root: z.unknown() }),
        apply: (draft, { root }) => void (draft.root = root),
      },
      pair: {
        input: z.object({ pair: z.array(z.unknown()) }),
        apply: (draft, { pair }) => void ((draft as { pair: unknown }).pair = pair),
      },
    },
  });

const nested = (levels: number, inner: unknown = 1): unknown => (levels === 0 ? inner : [nested(levels - 1, inner)]);

/** A server on a file, which can be stopped and started with another definition. */
async function openServer(file: string, definition: ReturnType<typeof tree>) {
  const log = sqliteLog({ path: join(directory, file) });
  const server = createServer({ definitions: [definition], log, authorize });
  const { url } = await server.listen();
  await send(`${url}/threads/t`, "PUT", { definition: "tree" }, ada);
  return {
    post: async (operation: unknown) =>
      (await send(`${url}/threads/t/operations`, "POST", { id: `op-${(ids += 1)}`, operation }, ada)).body,
    state: async () => (await send(`${url}/threads/t`, "GET", undefined, ada)).body.state,
    async close() {
      await server.close();
      await log.close();
    },
  };
}

describe("over HTTP, on SQLite", () => {
  it.each([
    ["an operation", (root: unknown) => ({ type: "put", root })],
    ["a replacement", (root: unknown) => ({ type: "$replace", value: { root, pair: ["a", 1] } })],
    ["a patch", (root: unknown) => ({ type: "$patch", patch: [{ op: "replace", path: "/root", value: root }] })],
    ["a batch", (root: unknown) => ({ type: "$batch", operations: [{ type: "put", root }] })],
  ])("accepts as many levels as the definition allows, and keeps what it accepted: %s", async (name, update) => {
    let server = await openServer(`${name}.sqlite`, tree(128));
    expect(await server.post(update(nested(128)))).toMatchObject({ accepted: false, rejection: { code: "too_large" } });
    expect(await server.post(update(nested(127)))).toMatchObject({ accepted: true });
    for (const [depth, version] of [
      [128, 1],
      [10, 1],
      [10, 2],
      [128, 3],
    ] as const) {
      const before = await server.state();
      await server.close();
      server = await openServer(`${name}.sqlite`, tree(depth, version));
      const after = await server.state();
      const added = version === 1 ? 0 : 1;
      expect(levelsOf(after)).toBe(levelsOf(before) + added);
      expect(await server.post({ type: "pair", pair: [`${depth} ${version}`] })).toMatchObject({ accepted: true });
    }
    await server.close();
  });

  it("refuses a list with an absent item, and a part that adds too many values", async () => {
    const server = await openServer("refused.sqlite", tree(64));
    expect(await server.post({ type: "pair", pair: [] })).toMatchObject({
      accepted: false,
      rejection: { code: "invalid_state", path: "/pair/0", message: expect.stringMatching(/absent item/) },
    });
    expect(await server.post({ type: "put", root: Array.from({ length: 1_001 }, () => 0) })).toMatchObject({
      accepted: false,
      rejection: { code: "too_large", message: "It would add more than 1000 values." },
    });
    expect(await server.post({ type: "pair", pair: ["b"] })).toMatchObject({ accepted: true });
    expect(await server.state()).toEqual({ root: null, pair: ["b", 5] });
    await server.close();
  });
});

function levelsOf(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
}
