/** Patches from people who mean harm: none may change a prototype, or bring in what is not JSON. */
import { applyPatch } from "@opstate/core/json-patch";
import { afterEach, describe, expect, it } from "vitest";

function code(document: unknown, patch: unknown, limits?: object): string {
  const result = applyPatch(document, patch, limits ? { limits } : {});
  return result.ok ? "applied" : result.error.code;
}

describe("prototypes", () => {
  const prototypes = [
    Object.prototype,
    Array.prototype,
    String.prototype,
    Number.prototype,
    Function.prototype,
    Reflect.get(Object.prototype, "toString"),
  ];
  const names = prototypes.map((prototype) => Reflect.ownKeys(prototype));

  afterEach(() => {
    expect(prototypes.map((prototype) => Reflect.ownKeys(prototype))).toEqual(names);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    "/__proto__",
    "/__proto__/polluted",
    "/a/__proto__",
    "/a/__proto__/polluted",
    "/list/__proto__/polluted",
    "/a/b/__proto__",
  ])("%s is refused as path and as from", (path) => {
    const document = { a: {}, list: [] };
    for (const op of ["add", "replace", "test", "remove"])
      expect(code(document, [{ op, path, value: {} }])).toBe("invalid_pointer");
    for (const op of ["move", "copy"]) {
      expect(code(document, [{ op, from: path, path: "/x" }])).toBe("invalid_pointer");
      expect(code(document, [{ op, from: "/a", path }])).toBe("invalid_pointer");
    }
  });

  it.each([
    "/a/toString/polluted",
    "/a/constructor/prototype/polluted",
    "/a/constructor/polluted",
    "/a/hasOwnProperty/call",
    "/list/map/polluted",
    "/list/constructor/prototype/polluted",
    "/text/constructor/prototype/polluted",
    "/number/toFixed/polluted",
    "/text/length",
    "/list/length",
  ])("%s is not found, for inherited members do not exist", (path) => {
    const document = { a: {}, list: [1], text: "t", number: 1 };
    for (const op of ["add", "replace", "test", "remove"])
      expect(code(document, [{ op, path, value: 1 }])).toBe("not_found");
    for (const op of ["move", "copy"]) expect(code(document, [{ op, from: path, path: "/x" }])).toBe("not_found");
  });

  it("cannot be copied out of the document", () => {
    expect(code({ a: {} }, [{ op: "copy", from: "/constructor/constructor", path: "/x" }])).toBe("not_found");
    expect(code({ a: {} }, [{ op: "test", path: "/a/toString", value: null }])).toBe("not_found");
  });

  it("cannot come in inside a value", () => {
    for (const value of ['{"__proto__":{"polluted":1}}', '{"a":[{"__proto__":null}]}', '[[{"b":{"__proto__":1}}]]']) {
      for (const op of ["add", "replace", "test"])
        expect(code({ x: 1 }, [{ op, path: "/x", value: JSON.parse(value) }])).toBe("invalid_value");
    }
  });

  it("are no source of an operation's members", () => {
    expect(code({ a: 1 }, [Object.create({ op: "remove", path: "/a" })])).toBe("invalid_operation");
    expect(code({ a: 1 }, JSON.parse('[{"__proto__":{"op":"remove","path":"/a"}}]'))).toBe("invalid_operation");
    expect(code({ a: 1 }, JSON.parse('[{"op":"add","path":"/a","__proto__":{"value":1}}]'))).toBe("invalid_operation");
  });

  it("leave constructor, prototype and the like to be ordinary members", () => {
    const names = ["constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "length"];
    const result = applyPatch(
      {},
      names.map((name) => ({ op: "add", path: `/${name}`, value: { own: true } })),
    );
    expect(result).toMatchObject({
      ok: true,
      document: Object.fromEntries(names.map((name) => [name, { own: true }])),
    });
    expect(result.ok && Object.keys(result.document as object)).toEqual(names);
    expect(result.ok && applyPatch(result.document, result.inverse)).toMatchObject({ ok: true, document: {} });
  });

  it("may be read-only, as where intrinsics are frozen", () => {
    Reflect.defineProperty(Object.prototype, "readOnly", { value: 1, writable: false, configurable: true });
    try {
      const result = applyPatch({}, [{ op: "add", path: "/readOnly", value: 2 }]);
      expect(result.ok && Object.entries(result.document as object)).toEqual([["readOnly", 2]]);
    } finally {
      Reflect.deleteProperty(Object.prototype, "readOnly");
    }
  });
});

describe("values that are not JSON", () => {
  class Card {
    title = "not JSON";
  }
  const cycle: unknown[] = [];
  cycle.push(cycle);
  it.each([
    ["undefined in a list", [undefined]],
    ["undefined in an object", { a: undefined }],
    ["a hole", Object.assign([1], { length: 2 })],
    ["NaN", NaN],
    ["Infinity", { a: [Infinity] }],
    ["a BigInt", { a: 1n }],
    ["a function", () => 1],
    ["a method", { toJSON: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a Date", new Date(0)],
    ["a Map", { a: new Map() }],
    ["a Set", [new Set()]],
    ["a typed array", new Uint8Array(1)],
    ["a class instance", { card: new Card() }],
    ["a boxed string", Object("s")],
    ["an error", new Error("x")],
    ["a regular expression", /x/],
  ])("%s is refused", (_, value) => {
    for (const op of ["add", "replace", "test"])
      expect(code({ x: 1 }, [{ op, path: "/x", value }])).toBe("invalid_value");
  });

  it("a cycle is refused", () => {
    expect(code({ x: 1 }, [{ op: "add", path: "/x", value: cycle }])).toBe("too_large");
  });

  it("are named with their place", () => {
    const result = applyPatch({}, [{ op: "add", path: "/card", value: { "due/at": [new Date(0)] } }]);
    expect(!result.ok && result.error.message).toBe('Operation 0: value at "/due~1at/0" is [object Date], not JSON');
  });

  it("are no place to go into, when the document has some", () => {
    expect(code({ at: new Date(0) }, [{ op: "add", path: "/at/x", value: 1 }])).toBe("not_found");
    expect(code({ map: new Map([["a", 1]]) }, [{ op: "remove", path: "/map/size" }])).toBe("not_found");
  });

  it("an operation that throws when read is refused", () => {
    const trap = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error("trap");
        },
      },
    );
    expect(code({}, [trap])).toBe("invalid_operation");
    expect(
      code({}, [
        {
          op: "add",
          path: "/a",
          get value() {
            throw new Error("trap");
          },
        },
      ]),
    ).toBe("invalid_operation");
  });
});
