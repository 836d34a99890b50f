// The page's draft against a plain object, on the random programs of the recording draft: the same
// sights on the way, the same result, patches that lead there and back.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { deepFreeze } from "../../src/engine/freeze.ts";
import { draftOf } from "../../src/page/draft.ts";
import { applyTrusted } from "../../src/page/apply.ts";
import { difference } from "../../src/page/difference.ts";
import { applied, edit, edits, isBox, plain, program, Run, state } from "../engine/draft/programs.ts";

const RUNS = runs(1_000, 40_000);

/** No container is in two places. */
function containersOf(value: unknown, found: object[] = []): object[] {
  if (!isBox(value)) return found;
  found.push(value);
  for (const child of Object.values(value)) containersOf(child, found);
  return found;
}

function check(base: object, after: object, expected: object): void {
  expect(after).toEqual(expected);
  const containers = containersOf(after);
  expect(new Set(containers).size).toBe(containers.length);
  const [patches, inverse] = [difference(base, after), difference(after, base)];
  expect(applied(base, patches)).toEqual(plain(after));
  expect(applied(after, inverse)).toEqual(plain(base));
  expect(applyTrusted(base, patches)).toEqual(plain(after));
}

describe("the page's draft", () => {
  test("does what a plain object does", { timeout: 60_000 + RUNS * 20 }, () => {
    fc.assert(
      fc.property(state, program(3, 24), (base, steps) => {
        const before = plain(base);
        const wanted = structuredClone(before);
        const decided = new Run(wanted, steps);
        const decisions = decided.run();
        const frozen = deepFreeze(plain(base));
        const drafting = draftOf(frozen);
        const seen = new Run(drafting.draft as object, steps, decisions);
        seen.run();
        expect(seen.seen).toEqual(decided.seen);
        const after = drafting.finish();
        check(frozen, after, plain(wanted));
        expect(frozen).toEqual(before);
      }),
      { numRuns: RUNS },
    );
  });

  test("shares what was not touched, and gives the base back when nothing changed", () => {
    fc.assert(
      fc.property(state, edits(0, 4), (base, steps) => {
        const frozen = deepFreeze(plain(base));
        const drafting = draftOf(frozen);
        edit(drafting.draft as object, steps);
        const wanted = plain(base);
        edit(wanted, steps);
        const after = drafting.finish();
        check(frozen, after, wanted);
        if (JSON.stringify(after) === JSON.stringify(frozen)) expect(after).toBe(frozen);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a draft that is out of its run", () => {
  const base = deepFreeze({ list: [{ n: 1 }] });
  type Draft = { list: { n: number }[] };

  test("may be neither read nor written to", () => {
    const drafting = draftOf(base);
    const { list } = drafting.draft as Draft;
    const [item] = list;
    drafting.finish();
    expect(() => item!.n).toThrow(TypeError);
    expect(() => (item!.n = 2)).toThrow(TypeError);
    expect(() => list.push({ n: 2 })).toThrow(TypeError);
  });

  test("cannot be put into another", () => {
    const ended = draftOf(base);
    const { list } = ended.draft as Draft;
    ended.end();
    const drafting = draftOf(base);
    (drafting.draft as { list: unknown }).list = list;
    expect(() => drafting.finish()).toThrow(TypeError);
  });
});

test("the properties of a draft are drafts, however they are read", () => {
  const base = { list: [{ n: 1 }] };
  const drafting = draftOf(base);
  const found = Object.getOwnPropertyDescriptor(drafting.draft, "list")?.value as { n: number }[];
  found[0]!.n = 2;
  const spread = { ...(drafting.draft as typeof base) };
  spread.list[0]!.n++;
  Object.defineProperty(drafting.draft, "more", { value: [0], enumerable: true, writable: true, configurable: true });
  expect(base).toEqual({ list: [{ n: 1 }] });
  expect(drafting.finish()).toEqual({ list: [{ n: 3 }], more: [0] });
});
