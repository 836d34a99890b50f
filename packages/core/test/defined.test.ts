import { describe, expect, expectTypeOf, it } from "vitest";
import { defined } from "../src/defined.ts";

interface Options {
  readonly id: string;
  readonly note?: string;
}

describe("defined", () => {
  it("drops the members that are undefined", () => {
    const kept = defined({ id: "a", note: undefined });
    expect(Object.keys(kept)).toEqual(["id"]);
  });

  it("keeps null, false, 0 and the empty string", () => {
    const members = { a: null, b: false, c: 0, d: "" };
    expect(defined(members)).toEqual(members);
  });

  it("leaves what it was given as it was", () => {
    const members = { id: "a", note: undefined };
    defined(members);
    expect(Object.keys(members)).toEqual(["id", "note"]);
  });

  it("makes a member that may be undefined an optional one", () => {
    const note = "" as string | undefined;
    const options: Options = { id: "a", ...defined({ note }) };
    const whole: Options = defined({ id: "a", note });
    expect(whole).toEqual(options);
    expectTypeOf(defined({ note })).branded.toEqualTypeOf<{ readonly note?: string }>();
  });
});
