/**
 * What a patch may do at most, so that none grows a document without bounds or exhausts the
 * machine.
 */
import { applyPatch } from "@opstate/core/json-patch";
import { describe, expect, it } from "vitest";

function code(document: unknown, patch: unknown, limits?: object): string {
  const result = applyPatch(document, patch, limits ? { limits } : {});
  return result.ok ? "applied" : result.error.code;
}

const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("limits", () => {
  it("stop a copy bomb of 900 bytes", () => {
    const bomb = [
      { op: "add", path: "/a", value: ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"] },
      ...Array.from({ length: 21 }, () => ({ op: "copy", from: "/a", path: "/a/-" })),
    ];
    expect(JSON.stringify(bomb).length).toBeLessThan(1000);
    expect(code({}, bomb)).toBe("too_large");
    expect(
      code(
        { a: ["x"] },
        Array.from({ length: 21 }, () => ({ op: "copy", from: "", path: "/a/-" })),
      ),
    ).toBe("too_large");
  });

  it("let a document grow by copies to less than a megabyte", () => {
    const doubling = { op: "copy", from: "/a", path: "/a/-" };
    for (let count = 1; count <= 40; count++) {
      const result = applyPatch(
        { a: ["x".repeat(1000)] },
        Array.from({ length: count }, () => doubling),
      );
      if (result.ok) expect(JSON.stringify(result.document).length).toBeLessThan(1_000_000);
      else expect(result.error.code).toBe("too_large");
    }
  });

  it("leave one copy of a large list alone", () => {
    const cards = Array.from({ length: 2000 }, (_, n) => ({
      id: `card-${n}`,
      title: `Card number ${n}`,
      tags: ["a", "b"],
    }));
    expect(code({ a: cards }, [{ op: "copy", from: "/a", path: "/b" }])).toBe("applied");
  });

  it("apply to depth: of pointers, of values, and of both together", () => {
    const deep = `/${Array.from({ length: 10_000 }, () => "0").join("/")}`;
    for (const op of ["add", "remove", "replace", "test"])
      expect(code(nested(10_000), [{ op, path: deep, value: 1 }])).toBe("too_large");
    expect(code([], [{ op: "copy", from: deep, path: "/0" }])).toBe("too_large");
    expect(code([], [{ op: "add", path: "/0", value: nested(5_000) }])).toBe("too_large");
    expect(code([], [{ op: "add", path: "/0", value: nested(255) }])).toBe("applied");
    expect(code([], [{ op: "add", path: "/0", value: nested(256) }])).toBe("too_large");
    expect(code([nested(10_000)], [{ op: "copy", from: "/0", path: "/1" }])).toBe("too_large");
    expect(code([nested(10_000)], [{ op: "test", path: "/0", value: [1] }])).toBe("test_failed");
    expect(code([nested(10_000)], [{ op: "remove", path: "/0" }])).toBe("applied");
  });

  it("apply to the depth of what a copy makes", () => {
    expect(code({ a: nested(3), b: {} }, [{ op: "copy", from: "/a", path: "/x" }], { depth: 4 })).toBe("applied");
    expect(code({ a: nested(3), b: {} }, [{ op: "copy", from: "/a", path: "/b/x" }], { depth: 4 })).toBe("too_large");
  });

  it("apply to depth that moves build up, step by step", () => {
    const steps = (count: number) =>
      Array.from({ length: count }, (_, n) => [
        { op: "add", path: "/next", value: {} },
        { op: "move", from: "/tower", path: "/next/inner" },
        { op: "move", from: "/next", path: "/tower" },
        { op: "test", path: "/n", value: n < 0 ? 1 : 0 },
      ]).flat();
    expect(code({ tower: {}, n: 0 }, steps(100))).toBe("applied");
    expect(code({ tower: {}, n: 0 }, steps(2000))).toBe("too_large");
  });

  it("let moves go up and down for ever", () => {
    const patch = Array.from({ length: 1000 }, () => [
      { op: "move", from: "/a/b/c/d", path: "/x" },
      { op: "move", from: "/x", path: "/a/b/c/d" },
    ]).flat();
    expect(code({ a: { b: { c: { d: [1] } } } }, patch)).toBe("applied");
  });

  it("apply to the number of operations", () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: "test", path: "", value: 1 }));
    expect(applyPatch(1, patch)).toMatchObject({ ok: false, error: { code: "too_large", index: -1 } });
    expect(code(1, patch.slice(1))).toBe("applied");
  });

  it("apply to the size of all values together", () => {
    const patch = Array.from({ length: 10 }, (_, n) => ({ op: "add", path: `/${n}`, value: "x".repeat(100) }));
    expect(code({}, patch, { size: 1100 })).toBe("applied");
    expect(code({}, patch, { size: 1000 })).toBe("too_large");
  });

  it("can be lifted for a patch that is trusted", () => {
    const limits = { operations: Infinity, depth: Infinity, size: Infinity, growth: Infinity };
    const patch = Array.from({ length: 10_001 }, (_, n) => ({ op: "replace", path: "/n", value: n }));
    expect(code({ n: 0 }, patch, limits)).toBe("applied");
    expect(code({ a: nested(1000) }, [{ op: "copy", from: "/a", path: "/b" }], limits)).toBe("applied");
    expect(code([], [{ op: "add", path: "/0", value: nested(1000) }], limits)).toBe("applied");
  });
});
