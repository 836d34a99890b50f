// Objects of more keys than a spread clones at once are copied key by key. Nothing about them may
// be seen to differ.

import { applyPatch } from "@opstate/core/json-patch";
import { describe, expect, test } from "vitest";
import { DraftError, recordingDrafts } from "../../../src/engine/draft/draft.ts";
import { deepFreeze } from "../../../src/engine/freeze.ts";

type Records = Record<string, unknown>;

function large(more: Records = {}): Records {
  return { ...Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`k${n}`, { n }])), ...more };
}

function edit(base: { all: Records }, recipe: (draft: { all: Records }) => void) {
  const drafting = recordingDrafts.begin(deepFreeze(base, "objects"), { freeze: "objects" });
  recipe(drafting.draft as { all: Records });
  return drafting.finish();
}

describe("an object of 1,500 keys", () => {
  test.each<[string, (draft: { all: Records }) => void, number]>([
    ["written", ({ all }) => void (all["k7"] = { n: -1 }), 1],
    ["edited inside", ({ all }) => void ((all["k7"] as Records)["n"] = -1), 1],
    ["added to", ({ all }) => void (all["new"] = { n: -1 }), 1],
    ["deleted from", ({ all }) => void delete all["k7"], 1],
    ["deleted from and added to", ({ all }) => ((all["k7"] = 1), delete all["k8"], (all["k8"] = 2), undefined), 2],
  ])("%s: as a plain object, its order of keys too, one patch for a key", (_, recipe, count) => {
    const base = { all: large() };
    const plain = structuredClone(base);
    recipe(plain);
    const { state, patches, inverse } = edit(base, recipe);
    expect(JSON.stringify(state)).toBe(JSON.stringify(plain));
    expect(patches).toHaveLength(count);
    expect(applyPatch(base, patches)).toMatchObject({ ok: true, document: plain });
    expect(applyPatch(state, inverse)).toMatchObject({ ok: true, document: { all: large() } });
    expect(Object.isFrozen((state as { all: Records }).all)).toBe(true);
  });

  test("keeps keys that every object inherits", () => {
    const names = { toString: { n: 1 }, constructor: { n: 2 }, valueOf: 3 };
    const { state } = edit({ all: large(names) }, ({ all }) => void (all["k1"] = 1));
    expect((state as { all: Records }).all).toEqual({ ...large(names), k1: 1 });
  });

  test("with a key __proto__ is refused when it is put in, and changes no prototype", () => {
    const given = JSON.parse(`{"__proto__":{"polluted":true},${JSON.stringify(large()).slice(1)}`) as Records;
    const put = () =>
      edit({ all: {} }, (draft) => {
        draft.all = given;
        draft.all["k1"] = 2;
      });
    expect(put).toThrow(DraftError);
    expect(put).toThrow("__proto__");
    expect(given["polluted"]).toBeUndefined();
  });
});

test("a patch of a large object keeps its keys in order", () => {
  const base = large({ toString: 1 });
  const applied = applyPatch(base, [{ op: "replace", path: "/k3", value: 3 }]);
  expect(applied.ok && JSON.stringify(applied.document)).toBe(JSON.stringify({ ...base, k3: 3 }));
});
