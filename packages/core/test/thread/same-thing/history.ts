// Random histories: what may happen, as plain data that fast-check can make smaller.
//
// Numbers are read against the state of the moment ("the third card", modulo how many there are),
// so a history stays meaningful when steps before are left out.

// This file is long because the courses at its end are a list of cases.

import fc from "fast-check";
import { NAMES, type OperationName } from "./board.ts";

/** As a choice of a card: the one that was born last. */
export const NEWEST = -1;

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

const ADA = 0;
const BOB = 1;
const ROBOT = 2;

function does(who: number, name: OperationName, a = 0, n = 1, on = 0, b = 0): Step {
  return { do: "dispatch", who, on, update: { kind: "one", call: { name, a, b, n } } };
}

function edits(who: number, name: OperationName, a = 0): Step {
  return { do: "edit", who, update: { kind: "one", call: { name, a, b: 0, n: 1 } } };
}

/** Undoes what was done `back` changes ago. */
function undoes(back: number, mode: "refuse" | "drop" | "keep", redo = false): Step {
  return { do: "undo", who: ADA, on: 0, by: "id", a: back, mode, redo };
}

/** What people and agents do to each other, as short courses that chance alone rarely makes. */
function courses(mode: "refuse" | "drop" | "keep", redo: boolean, at: number): readonly (readonly Step[])[] {
  const replace: Step = { do: "dispatch", who: ROBOT, on: 0, update: { kind: "replace", how: "ids", a: 0 } };
  const userReplace: Step = { do: "dispatch", who: ADA, on: 0, update: { kind: "replace", how: "add", a: 0 } };
  return [
    [does(ROBOT, "addNext"), does(ADA, "addNext"), does(ADA, "editById", NEWEST), undoes(2, mode, redo)],
    [does(ROBOT, "clear"), does(ADA, "addNext"), does(ADA, "editById", NEWEST), undoes(2, mode, redo)],
    [does(ROBOT, "clear"), does(ADA, "addMinted"), does(ADA, "editById", NEWEST), undoes(2, mode, redo)],
    [replace, does(ADA, "editById", at), undoes(1, mode, redo)],
    [does(ROBOT, "start", at), does(ADA, "finish", at), undoes(1, mode, redo)],
    [does(ROBOT, "start", at), does(ADA, "finishQuietly", at), undoes(1, mode, redo)],
    [does(ROBOT, "assign"), does(ADA, "assign"), undoes(1, mode, redo)],
    [does(ROBOT, "setRate", 0, 5), does(ADA, "bill"), undoes(1, mode, redo)],
    [does(ROBOT, "inc", 0, 3), does(ADA, "inc", 0, 4), undoes(1, mode, redo)],
    [does(ROBOT, "bump", at, 3), does(ADA, "sum"), undoes(1, mode, redo)],
    [does(ROBOT, "addKeyed"), does(ADA, "removeAt", 1), undoes(1, mode, redo)],
    [does(ROBOT, "removeById", at), does(ADA, "clear"), undoes(1, mode, redo)],
    [does(ROBOT, "addMinted"), does(ADA, "removeById", NEWEST), undoes(1, mode, redo)],
    [does(ROBOT, "addMinted"), does(ADA, "editById", NEWEST), undoes(1, mode, redo)],
    [does(ROBOT, "addMinted"), does(ADA, "addSub", NEWEST), does(BOB, "rename"), undoes(2, mode, redo)],
    [does(ROBOT, "addMinted"), userReplace, undoes(1, mode, redo)],
    [does(ROBOT, "moveAll", 0, 2), does(ADA, "editById", at), undoes(1, mode, redo)],
    [does(ROBOT, "moveAndEdit", at), does(ADA, "bump", at), undoes(1, mode, redo)],
    [does(ROBOT, "rowInsert"), does(ADA, "rowSet", 1, 7), undoes(1, mode, redo)],
    [does(ROBOT, "rowRemove"), does(ADA, "rowSet", 0, 7), undoes(1, mode, redo)],
    [does(ROBOT, "addSub", at), does(ADA, "addSub", at), does(ADA, "editSub", at, 1, 0, 1), undoes(2, mode, redo)],
    [does(ROBOT, "addSub", at), does(ADA, "editSub", at), does(BOB, "removeSub", at), undoes(2, mode, redo)],
    [does(ADA, "addSub", at), does(ROBOT, "removeById", at), does(BOB, "inc"), undoes(1, mode, redo)],
    [does(ROBOT, "putNote"), does(ADA, "editNote"), undoes(1, mode, redo)],
    [does(ROBOT, "dropNote"), does(ADA, "putNote"), does(BOB, "editNote"), undoes(2, mode, redo)],
    [does(ROBOT, "addTag"), does(ADA, "addTag"), does(ADA, "removeTag"), undoes(2, mode, redo)],
    [does(ROBOT, "removeAt"), does(ADA, "swap", 0, 1, 0, 1), undoes(1, mode, redo)],
    [does(ROBOT, "insertAt", at), does(ADA, "insertAt", at), does(ADA, "appendTitle", NEWEST), undoes(2, mode, redo)],
    [does(ROBOT, "sort", 0, 0), does(ADA, "editAt", at), undoes(1, mode, redo)],
    [
      does(ROBOT, "removeById", at),
      undoes(0, "refuse"),
      does(ADA, "editById", at),
      { do: "undo an undo", who: ADA, a: 0, mode: mode === "drop" ? "drop" : "refuse" },
    ],
    [
      { do: "cut", who: ADA },
      edits(ADA, "addNext"),
      edits(ADA, "editById", NEWEST),
      does(BOB, "addNext"),
      { do: "join", who: ADA },
    ],
    [{ do: "cut", who: ADA }, edits(ADA, "editAt", at), does(BOB, "addKeyed"), { do: "join", who: ADA }],
    [{ do: "cut", who: ADA }, edits(ADA, "editById", at), does(BOB, "sort"), { do: "join", who: ADA }],
    [{ do: "cut", who: ADA }, edits(ADA, "inc"), does(BOB, "inc", 0, 7), { do: "join", who: ADA }],
    [
      { do: "branch" },
      does(ROBOT, "addNext", 0, 1, 1),
      does(ROBOT, "editById", NEWEST, 1, 1),
      does(ADA, "addNext"),
      does(ADA, "editById", NEWEST),
      { do: "merge", who: BOB, a: 0, part: at },
    ],
    [
      { do: "branch" },
      does(ROBOT, "addMinted", 0, 1, 1),
      does(ROBOT, "editById", NEWEST, 1, 1),
      does(ADA, "addKeyed"),
      { do: "merge", who: BOB, a: 0, part: 0 },
      undoes(at, mode, redo),
    ],
    [
      { do: "branch" },
      does(ROBOT, "removeAt", at, 1, 1),
      does(ROBOT, "clear", 0, 1, 1, 1),
      does(ADA, "move", 0, 1, 0, 1),
      { do: "merge", who: BOB, a: 0, part: 0 },
    ],
    [
      { do: "propose", who: ROBOT, update: { kind: "one", call: { name: "editAt", a: at, b: 0, n: 1 } } },
      does(ADA, "addKeyed"),
      { do: "approve", a: 0, anyway: redo },
    ],
    [
      { do: "propose", who: ROBOT, update: { kind: "one", call: { name: "addTwo", a: 0, b: 0, n: 1 } } },
      does(ADA, "rename"),
      { do: "approve", a: 0, anyway: false },
      does(ADA, "editById", NEWEST),
      undoes(1, mode, redo),
    ],
    [
      does(ADA, "inc", 0, 1),
      does(ADA, "inc", 0, 2),
      { do: "code", edition: 1 },
      does(ROBOT, "rename"),
      undoes(0, "refuse"),
      undoes(at, mode),
    ],
    [
      does(ROBOT, "addMinted"),
      does(ADA, "editById", NEWEST),
      does(BOB, "rename"),
      { do: "code", edition: at % 5 },
      undoes(0, "refuse"),
      undoes(1, mode),
    ],
    [
      does(ROBOT, "rename"),
      does(ADA, "addMinted"),
      does(BOB, "moveAll", 0, 2),
      { do: "code", edition: 1 },
      undoes(2, mode, redo),
    ],
  ];
}

const course = fc
  .record({ which: fc.nat(), mode, redo: fc.boolean(), at: fc.nat({ max: 3 }) })
  .map(({ which, mode, redo, at }) => {
    const all = courses(mode, redo, at);
    return all[which % all.length]!;
  });

function steps(codeChanges: boolean): fc.Arbitrary<Step[]> {
  const one = step(codeChanges).map((one) => [one]);
  const fitting = codeChanges ? course : course.filter((steps) => steps.every((one) => one.do !== "code"));
  return fc
    .array(fc.oneof({ weight: 12, arbitrary: one }, { weight: 2, arbitrary: fitting }), {
      minLength: 2,
      maxLength: 20,
      size: "max",
    })
    .map((parts) => parts.flat());
}

/** Half of the histories never change their code: there the oracle can say most. */
export const history: fc.Arbitrary<Step[]> = fc.oneof(steps(false), steps(true));
