import { applyPatch, diff, parsePointer, type Patch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recentPointers } from "../../src/context/recent-pointers.ts";
import { runs } from "../../../../tools/runs.ts";

describe("recentPointers", () => {
  it("gives what was written, the last first, where it is now", () => {
    const patches: Patch[] = [
      [{ op: "replace", path: "/cards/4/title", value: "x" }],
      [{ op: "add", path: "/cards/0", value: {} }],
      [{ op: "move", from: "/cards/5", path: "/done/0" }],
    ];
    expect(recentPointers(patches, 10)).toEqual(["/done/0", "/cards/0", "/done/0/title"]);
  });

  it("leaves out what was removed, and all over the limit", () => {
    const patches: Patch[] = [
      [{ op: "replace", path: "/cards/4/title", value: "x" }],
      [{ op: "remove", path: "/cards/4" }],
      ...[1, 2, 3].map((index): Patch => [{ op: "replace", path: `/cards/${index}`, value: 0 }]),
    ];
    expect(recentPointers(patches, 2)).toEqual(["/cards/3", "/cards/2"]);
    expect(recentPointers(patches, 9)).toEqual(["/cards/3", "/cards/2", "/cards/1"]);
  });

  it("follows every item through the lists that it is in", () => {
    // The oracle: items that know who they are, in lists that are changed at random.
    const changes = fc.array(
      fc.tuple(fc.nat(2), fc.nat(9), fc.nat(9), fc.constantFrom("write", "add", "remove", "move")),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(changes, (steps) => {
        let state = {
          lists: [0, 1, 2].map((list) => Array.from({ length: 4 }, (_, i) => ({ id: `${list}${i}`, n: 0 }))),
        };
        const written: string[] = [];
        const patches: Patch[] = [];
        for (const [step, [list, at, to, what]] of steps.entries()) {
          const next = structuredClone(state);
          const [from, target] = [next.lists[list] ?? [], next.lists[(list + 1) % 3] ?? []];
          const index = at % Math.max(1, from.length);
          const item = from[index];
          if (what === "add") from.splice(index, 0, { id: `new${step}`, n: 0 });
          else if (item === undefined) continue;
          else if (what === "write") item.n = step + 1;
          else from.splice(index, 1);
          if (what === "move" && item) target.splice(to % (target.length + 1), 0, item);
          if (what !== "remove" && what !== "add") written.push(item?.id ?? "");
          const patch = diff(state, next);
          expect(applyPatch(state, patch)).toMatchObject({});
          patches.push(patch);
          state = next;
        }
        const at = (pointer: string) =>
          parsePointer(pointer).reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], state);
        const found = new Set(
          recentPointers(patches, 1000).map((pointer) => {
            const [lists = "", list = "", index = ""] = parsePointer(pointer);
            return (at(`/${lists}/${list}/${index}`) as { id?: string } | undefined)?.id;
          }),
        );
        const alive = new Set(state.lists.flat().map(({ id }) => id));
        for (const id of written) if (alive.has(id)) expect(found).toContain(id);
      }),
      { numRuns: runs(300) },
    );
  });
});
