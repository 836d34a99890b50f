// A derive rule that throws: the definition's author learns why, the sender only what.

import { defineState, memoryLog, openThread, type OpstateError } from "@opstate/core";
import { immerDrafts } from "@opstate/core/immer";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ada } from "../thread/tally.ts";

afterEach(() => void vi.unstubAllEnvs());

const SECRET = "postgres://admin:hunter2@db";

function define(
  failures: [unknown, { readonly type: string }][],
  engine: "recording" | "immer" = "recording",
  least = 0,
  version = 1,
) {
  return defineState({
    name: "report",
    version,
    schema: z.object({ n: z.int(), parts: z.array(z.object({ n: z.int(), rate: z.number() })) }),
    initial: { n: 0, parts: [{ n: least + 1, rate: 0 }] },
    replace: { allow: ["user"] },
    ...(engine === "immer" ? { drafts: immerDrafts } : {}),
    derive: {
      "/parts/*/rate": (part) => {
        if (part.n < least) throw new Error(`No connection to ${SECRET}`);
        return part.n * 2;
      },
    },
    ...(version === 1 ? {} : { migrate: (state: unknown) => state }),
    onFailure: (error, operation) => failures.push([error, operation]),
    operations: { set: { input: z.object({ n: z.int() }), apply: (draft, { n }) => void (draft.parts[0]!.n = n) } },
  });
}

describe.each(["recording", "immer"] as const)("a derived field that cannot be computed, on %s drafts", (engine) => {
  it.each([
    ["an operation", "set", { type: "set", n: -1 }],
    ["a replacement", "$replace", { type: "$replace", value: { n: 1, parts: [{ n: -1 }] } }],
    ["a whole value", "$replace", { n: 1, parts: [{ n: -1 }] }],
    [
      "a batch",
      "set",
      {
        type: "$batch",
        operations: [
          { type: "set", n: 5 },
          { type: "set", n: -1 },
        ],
      },
    ],
  ])("refuses %s by its name, and shows its error to onFailure alone", async (_, type, update) => {
    vi.stubEnv("NODE_ENV", "production");
    const failures: [unknown, { readonly type: string }][] = [];
    const log = memoryLog();
    const thread = await openThread({ definition: define(failures, engine), log, threadId: "t" });
    const before = thread.getState();
    const verdict = await thread.dispatch(update as { type: "set"; n: number }, { actor: ada, id: "a" });
    expect(verdict).toMatchObject({
      accepted: false,
      rejection: {
        code: "invalid_state",
        message: expect.stringMatching(
          /The derived field "\/parts\/\*\/rate" of report could not be computed\. Nothing was changed\.$/,
        ),
      },
    });
    expect(JSON.stringify([verdict, await thread.history({ rejections: true })])).not.toContain("hunter2");
    expect(thread.getState()).toBe(before);
    // An authority may judge a submission more than once.
    expect(new Set(failures.map(([error, operation]) => `${String(error)} ${operation.type}`))).toEqual(
      new Set([`Error: No connection to ${SECRET} ${type}`]),
    );
  });
});

describe("a stored state whose derived field cannot be computed", () => {
  it("says so to onFailure, and accepts a replacement only", async () => {
    const failures: [unknown, { readonly type: string }][] = [];
    const log = memoryLog();
    await (await openThread({ definition: define([]), log, threadId: "t" })).close();
    const thread = await openThread({ definition: define(failures, "recording", 5), log, threadId: "t" });
    expect(failures).toEqual([
      [expect.objectContaining({ message: `No connection to ${SECRET}` }), { type: "unknown" }],
    ]);
    const refused = await thread.dispatch({ type: "set", n: 1 }, { actor: ada });
    expect(refused).toMatchObject({
      accepted: false,
      rejection: {
        code: "invalid_state",
        message: expect.stringMatching(/"\/parts\/\*\/rate" could not be computed\. Only a whole replacement/),
      },
    });
    expect(JSON.stringify(refused)).not.toContain("hunter2");
    expect(await thread.dispatch({ n: 2, parts: [{ n: 5 }] }, { actor: ada })).toMatchObject({
      accepted: true,
    });
  });

  it("keeps a thread from opening by a migration, with its name", async () => {
    const failures: [unknown, { readonly type: string }][] = [];
    const log = memoryLog();
    await (await openThread({ definition: define([]), log, threadId: "t" })).close();
    const failure = await openThread({ definition: define(failures, "recording", 5, 2), log, threadId: "t" }).then(
      () => expect.unreachable("it should not open"),
      (error: OpstateError) => error,
    );
    expect(failure.message).toMatch(
      /gave no valid state: The derived field "\/parts\/\*\/rate" of report could not be/,
    );
    expect(failures.at(-1)).toMatchObject([{ message: `No connection to ${SECRET}` }, { type: "$replace" }]);
  });
});

describe("an initial state whose derived field cannot be computed", () => {
  it("is the author's own, who sees the error", () => {
    const shape = { name: "n", schema: z.object({ n: z.int() }), initial: { n: 0 }, operations: {} };
    const rule = () => {
      throw new Error("no rate yet");
    };
    expect(() => defineState({ ...shape, derive: { "/n": rule } })).toThrow(/derive "\/n": no rate yet/);
  });
});
