// Python and TypeScript make the same of generated patches and of generated answers.

import { applyPatch } from "@opstate/core/json-patch";
import { RequestError, threadClient } from "@opstate/server/client";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isFinal } from "../../../packages/core/src/engine/rejection/rejection.ts";
import { scenario } from "../../../packages/core/test/patch/arbitraries.ts";
import { fixedSeed, runs } from "../../../tools/runs.ts";
import { type AnswerCase, answerCase } from "./support/answers.ts";
import { runPython } from "./support/python.ts";

const TIMEOUT = 3_600_000;
const BATCH = 5_000;

/** What this workspace's client reads. */
async function reading({ answer }: AnswerCase): Promise<unknown> {
  const { status, headers } = answer;
  const text = "text" in answer ? answer.text : JSON.stringify(answer.body);
  const response = new Response(text, { status, headers });
  const client = threadClient({ url: "http://x", threadId: "t", fetch: async () => response });
  try {
    const verdict = await client.undo({ ids: ["a"] });
    return { verdict, final: verdict.accepted || isFinal(verdict.rejection) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status: of, code, message, retryAfter } = error;
    return { error: { status: of, code, message, ...(retryAfter !== undefined && { retryAfter }) } };
  }
}

/** What Python makes of cases, each a line of JSON. */
async function readByPython(cases: readonly unknown[]): Promise<readonly unknown[]> {
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { code, stdout, stderr } = await runPython(["tests.agree"], input);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

/** As many cases as the depth says, some at a time; gives how many had each outcome. */
async function agree<Case>(
  cases: fc.Arbitrary<Case>,
  read: (one: Case) => unknown,
  outcome: (read: unknown) => string,
): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  const seed = fixedSeed() ?? Date.now();
  const count = runs(1_000);
  for (let from = 0; from < count; from += BATCH) {
    const batch = fc.sample(cases, { seed: seed + from, numRuns: Math.min(BATCH, count - from) });
    const found = await readByPython(batch);
    for (const [index, one] of batch.entries()) {
      const wanted: unknown = JSON.parse(JSON.stringify(await read(one)));
      expect(found[index], `seed ${seed + from}, case ${index}: ${JSON.stringify(one)}`).toEqual(wanted);
      const name = outcome(wanted);
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  }
  return seen;
}

const outcomeOf = (read: unknown) => Object.keys(read as object).join();

it("on generated patches", { timeout: TIMEOUT }, async () => {
  const seen = await agree(
    scenario,
    ({ document, patch }) => {
      const applied = applyPatch(document, patch);
      return applied.ok ? { after: applied.document } : { error: applied.error.code };
    },
    outcomeOf,
  );
  // Both outcomes were tried.
  expect([...seen.keys()].toSorted()).toEqual(["after", "error"]);
});

it("on generated answers to a submission", { timeout: TIMEOUT }, async () => {
  const seen = await agree(answerCase, reading, outcomeOf);
  expect([...seen.keys()].toSorted()).toEqual(["error", "verdict,final"]);
});
