// Random histories: what may happen, as plain data that fast-check can make smaller.
//
// Numbers are read against the state of the moment ("the third card", modulo how many there are), so
// a history stays meaningful when steps before are left out.

import fc from "fast-check";
import { NAMES, type OperationName } from "./board.ts";

export interface Call {
  readonly name: OperationName;
  readonly a: number;
  readonly b: number;
  readonly n: number;
}

export type Update =
  | { readonly kind: "one"; readonly call: Call }
  | { readonly kind: "batch"; readonly calls: readonly Call[] }
  | { readonly kind: "replace"; readonly how: "ids" | "edit" | "add" | "remove" | "title"; readonly a: number }
  | { readonly kind: "patch"; readonly how: "title" | "add" | "remove" | "replace"; readonly a: number };

export type Step =
  | { readonly do: "dispatch"; readonly who: number; readonly on: number; readonly update: Update }
  | {
      readonly do: "undo";
      readonly who: number;
      readonly on: number;
      readonly by: "id" | "two ids" | "run" | "actor";
      readonly a: number;
      readonly mode: "refuse" | "drop" | "keep";
      readonly redo: boolean;
    }
  | { readonly do: "undo an undo"; readonly who: number; readonly a: number; readonly mode: "refuse" | "drop" }
  | { readonly do: "branch" }
  | { readonly do: "merge"; readonly who: number; readonly a: number; readonly part: number }
  | { readonly do: "propose"; readonly who: number; readonly update: Update }
  | { readonly do: "approve"; readonly a: number; readonly anyway: boolean }
  | { readonly do: "decline"; readonly a: number }
  | { readonly do: "cut" | "join"; readonly who: number }
  | { readonly do: "edit"; readonly who: number; readonly update: Update }
  | { readonly do: "restart" }
  | { readonly do: "code"; readonly edition: number }
  | { readonly do: "resend"; readonly a: number };

const small = fc.nat({ max: 6 });
/** Numbers near each other, so that steps meet on the same things. */
const near = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 2, arbitrary: small });
const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom(...NAMES),
  a: near,
  b: near,
  n: fc.nat({ max: 4 }),
});

const update: fc.Arbitrary<Update> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("one" as const), call }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      calls: fc.array(call, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      how: fc.constantFrom("ids", "edit", "add", "remove", "title"),
      a: near,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("patch" as const),
      how: fc.constantFrom("title", "add", "remove", "replace"),
      a: near,
    }),
  },
);

const who = fc.nat({ max: 2 });
/** 0: the thread; else one of its branches, where there is one. */
const on = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) });
const mode = fc.oneof(
  { weight: 4, arbitrary: fc.constant("refuse" as const) },
  { weight: 2, arbitrary: fc.constant("drop" as const) },
  { weight: 1, arbitrary: fc.constant("keep" as const) },
);

const dispatch = fc.record({ do: fc.constant("dispatch" as const), who, on, update });
const undo = fc.record({
  do: fc.constant("undo" as const),
  who,
  on,
  by: fc.constantFrom("id", "id", "id", "two ids", "run", "run", "actor"),
  a: near,
  mode,
  redo: fc.boolean(),
});
const undoUndo = fc.record({
  do: fc.constant("undo an undo" as const),
  who,
  a: near,
  mode: fc.constantFrom("refuse" as const, "refuse" as const, "drop" as const),
});

function step(codeChanges: boolean): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 30, arbitrary: dispatch },
    { weight: 7, arbitrary: undo },
    { weight: 3, arbitrary: undoUndo },
    { weight: 1, arbitrary: fc.constant({ do: "branch" as const }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("merge" as const), who, a: near, part: fc.nat({ max: 15 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("propose" as const), who, update }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("approve" as const),
        a: near,
        anyway: fc.nat({ max: 3 }).map((n) => n === 3),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("decline" as const), a: near }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("cut" as const), who }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("join" as const), who }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant("edit" as const), who, update }) },
    { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("resend" as const), a: near }) },
    ...(codeChanges
      ? [{ weight: 3, arbitrary: fc.record({ do: fc.constant("code" as const), edition: fc.nat({ max: 4 }) }) }]
      : []),
  );
}

/** Half of the histories never change their code: there the oracle can say most. */
export const history: fc.Arbitrary<Step[]> = fc.oneof(
  fc.array(step(false), { minLength: 3, maxLength: 25, size: "max" }),
  fc.array(step(true), { minLength: 3, maxLength: 25, size: "max" }),
);
