// The vectors for clients in other languages say what the code of this repository does.

import { isFinal } from "../../core/src/engine/rejection/rejection.ts";
import { applyPatch } from "@opstate/core/json-patch";
import { RequestError, threadClient } from "@opstate/server/client";
import { describe, expect, it } from "vitest";
import { readScenarios, readVectors } from "../src/index.ts";
import { type History, replayed } from "./support/replayed.ts";
import { schemaOfDefinition } from "./support/schema-of-definition.ts";

interface PatchVector {
  readonly name: string;
  readonly before: unknown;
  readonly patch: unknown;
  readonly after?: unknown;
  readonly error?: string;
}

interface ReadingVector {
  readonly name: string;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly text?: string;
  };
  readonly reading: { readonly verdict?: unknown; readonly final?: boolean; readonly error?: object };
}

const titles = <Vector extends { readonly name: string }>(vectors: readonly Vector[]) =>
  vectors.map((vector) => [vector.name, vector] as const);

describe("a patch", () => {
  it.each(titles(readVectors<readonly PatchVector[]>("patches")))("%s", (_, { before, patch, after, error }) => {
    const applied = applyPatch(before, patch);
    expect(applied.ok ? { after: applied.document } : { error: applied.error.code }).toEqual(
      error === undefined ? { after } : { error },
    );
  });
});

/** What this repository's client makes of an answer to a submission. */
async function readingOf({ status, headers, body, text }: ReadingVector["answer"]): Promise<ReadingVector["reading"]> {
  const answer = new Response(text ?? JSON.stringify(body), { status, headers });
  const client = threadClient({ url: "http://x", threadId: "t", fetch: async () => answer });
  try {
    const verdict = await client.undo({ ids: ["a"] });
    return { verdict, final: verdict.accepted || isFinal(verdict.rejection) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status: of, code, message, retryAfter } = error;
    return { error: { status: of, code, message, ...(retryAfter !== undefined && { retryAfter }) } };
  }
}

describe("the answer to a submission", () => {
  it.each(titles(readVectors<readonly ReadingVector[]>("verdicts")))("%s", async (_, { answer, reading }) => {
    expect(await readingOf(answer)).toEqual(reading);
  });
});

describe("a history", () => {
  it.each(titles(readVectors<readonly History[]>("histories")))("%s", async (name, history) => {
    expect(await replayed(name, history.calls)).toEqual(history);
  });
});

describe("the definition", () => {
  it("has the schema that its vector says", () => {
    expect(JSON.parse(JSON.stringify(schemaOfDefinition()))).toEqual(readVectors("definition"));
  });
});

describe("the scenarios", () => {
  it("have names that differ", () => {
    const names = readScenarios().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
