/** The suite of json-patch.org, both lists, without the cases it disables itself. */
import { applyPatch } from "@opstate/core/json-patch";
import specification from "json-patch-test-suite/spec_tests.json" with { type: "json" };
import tests from "json-patch-test-suite/tests.json" with { type: "json" };
import { describe, expect, it } from "vitest";

interface Case {
  comment?: string;
  doc: unknown;
  patch: unknown;
  expected?: unknown;
  error?: string;
  disabled?: boolean;
}

const lists: Record<string, Case[]> = { specification, tests };

describe.each(Object.entries(lists))("json-patch-test-suite, %s", (_, cases) => {
  it.each(
    cases
      .filter((entry) => !entry.disabled)
      .map((entry, index) => [index, entry.comment ?? entry.error ?? "", entry] as const),
  )("%i %s", (_, __, { doc, patch, expected, error }) => {
    const result = applyPatch(doc, patch);
    expect(result.ok).toBe(error === undefined);
    if (!result.ok) return;
    if (expected !== undefined) expect(result.document).toEqual(expected);
    expect(applyPatch(result.document, result.inverse)).toMatchObject({ ok: true, document: doc });
  });
});

it("has the number of cases we know of", () => {
  expect(tests.filter((entry: Case) => !entry.disabled)).toHaveLength(75);
  expect(specification.filter((entry: Case) => !entry.disabled)).toHaveLength(16);
});
