// The steps of one run as data. They are made from a seed and can be repeated exactly, so that a
// failing run can be shortened step by step.

import type { OnDependent } from "@opstate/core/thread";
import { type Random, randomOf } from "./random.ts";

/** A submission. A `mark` is an operation that no other actor makes and no undo leaves out. */
export type Edit = { readonly mark: true } | { readonly update: unknown } | CardEdit;

/** An edit of a card: at a position, or of one that the page shows. */
export interface CardEdit {
  readonly card: "put" | "write" | "writeOn" | "drop" | "lift";
  readonly at: number;
}

/**
 * The id of a submission: a new one, or that of its actor's last submission, with the same or with
 * another operation.
 */
export type SubmissionId = "new" | "again" | "of another";

/** What is undone: one commit of the agent or the reviewer, or all work of the agent. */
export type UndoChoice = number | "all";

/**
 * What becomes of a write that is under way when its authority dies. A `late` one is stored when
 * another authority has the thread.
 */
export type WriteOutcome = "lost" | "done" | "late";

/** Where the agent and the reviewer work. Where there is no branch, it is the thread. */
export type Place = "thread" | "branch";

export type Step =
  | { readonly do: "edit"; readonly who: number; readonly edit: Edit; readonly expects: boolean }
  | {
      readonly do: "agent" | "propose";
      readonly at: number;
      readonly on: Place;
      /** On the thread itself, the agent leaves the cards alone. */
      readonly edit: Edit;
      readonly id: SubmissionId;
    }
  | {
      readonly do: "undo";
      readonly at: number;
      readonly on: Place;
      readonly by: "agent" | "reviewer";
      readonly what: UndoChoice;
      readonly onDependent: OnDependent;
      readonly id: SubmissionId;
    }
  /** A branch of the version so far before that of the authority. */
  | { readonly do: "branch"; readonly at: number; readonly back: number }
  /** All of a branch, or the changes whose place in the diff is in a set of bits. */
  | { readonly do: "merge"; readonly at: number; readonly part: number | "all" }
  | { readonly do: "discard"; readonly at: number }
  | {
      readonly do: "decide";
      readonly at: number;
      readonly on: Place;
      readonly pick: number;
      readonly approve: boolean;
      readonly id: SubmissionId;
    }
  | { readonly do: "up" | "down"; readonly who: number; readonly at: number; readonly keep: boolean }
  | { readonly do: "lose"; readonly who: number; readonly way: "up" | "down"; readonly at: number }
  | { readonly do: "cut" | "restore"; readonly who: number }
  | { readonly do: "reload"; readonly who: number; readonly keeps: boolean; readonly primed: boolean }
  | { readonly do: "restart"; readonly at: number }
  | { readonly do: "crash"; readonly at: number; readonly outcome: WriteOutcome }
  | { readonly do: "replaced"; readonly again: boolean }
  | { readonly do: "hold" | "slow" | "release" | "doorbell" }
  | { readonly do: "fail"; readonly after: boolean }
  | { readonly do: "compact"; readonly at: number; readonly keep: number };

/** How many replicas a run has. */
export const REPLICAS = 3;
/** How many authorities the thread has: two servers on one log. */
export const AUTHORITIES = 2;

const GARBAGE: readonly [unknown, ...unknown[]] = [
  { type: "nope" },
  { type: "add" },
  { type: "reset" },
  { type: "name", name: 7, more: [] },
  { type: "$batch", operations: [] },
  { type: "$batch", operations: [{ type: "add", by: 1 }, { type: "nope" }] },
  { type: "$replace", value: { count: "much" } },
  { type: "$patch", patch: [{ op: "remove", path: "/count" }] },
  null,
  0,
  "add",
  [],
  { count: -1 },
  { toString: null },
];

/** Needs approval when an agent submits it. On a branch it would not, and marks would go. */
const WIPE: Exclude<Edit, CardEdit> = { update: { type: "wipe" } };

export function planOf(seed: number): readonly Step[] {
  const random = randomOf(seed);
  const steps = mixOf(random);
  return random.oneIn(4) ? [...steps, ...chaseOf(random)] : steps;
}

function mixOf(random: Random): readonly Step[] {
  const length = 16 + random.below(48);
  if (!random.oneIn(3)) return Array.from({ length }, () => stepOf(random));
  const steps = Array.from({ length }, () => (random.oneIn(3) ? branchStepOf(random) : stepOf(random)));
  return [...cardsToBranch(random), ...steps];
}

/** Authorities that read slowly what the other one writes and announces meanwhile. */
function chaseOf(random: Random): readonly Step[] {
  const at = random.below(AUTHORITIES);
  const step = (): Step => {
    if (random.oneIn(2)) return { do: "doorbell" };
    return { do: "agent", at, on: "thread", edit: { mark: true }, id: "new" };
  };
  const chase = Array.from({ length: 4 + random.below(8) }, step);
  return [{ do: "release" }, { do: "slow" }, ...chase, { do: "release" }];
}

/** In a third of the runs the agent works on branches most of the time. There are cards then. */
function cardsToBranch(random: Random): readonly Step[] {
  const put: readonly Step[] = [
    { do: "edit", who: 0, edit: { card: "put", at: 0 }, expects: false },
    { do: "up", who: 0, at: 0, keep: false },
  ];
  return [...Array.from({ length: 2 + random.below(3) }, () => put).flat(), branchOf(random)];
}

function branchStepOf(random: Random): Step {
  const at = random.below(AUTHORITIES);
  const dice = random.below(14);
  if (dice < 8) return { at, on: "branch", do: "agent", edit: branchEditOf(random), id: idOf(random) };
  if (dice < 9) return branchOf(random);
  if (dice < 12) return { do: "merge", at, part: random.oneIn(2) ? "all" : 1 + random.below(14) };
  return undoOf(random);
}

function branchOf(random: Random): Step {
  return { do: "branch", at: random.below(AUTHORITIES), back: random.oneIn(2) ? 0 : random.below(5) };
}

function stepOf(random: Random): Step {
  const who = random.below(REPLICAS);
  const at = random.oneIn(5) ? random.below(6) : 0;
  const keep = random.oneIn(4);
  const dice = random.below(107);
  if (dice < 18) return { do: "edit", who, edit: pageEditOf(random), expects: random.oneIn(12) };
  if (dice < 26) return agentOf(random);
  if (dice < 44) return { do: "up", who, at, keep };
  if (dice < 63) return { do: "down", who, at, keep };
  if (dice < 65) return { do: "slow" };
  if (dice < 67) return { do: "doorbell" };
  if (dice < 70) return undoOf(random);
  if (dice < 72) return { ...placeOf(random), do: "propose", edit: editOf(random), id: idOf(random) };
  if (dice < 74)
    return {
      ...placeOf(random),
      do: "decide",
      pick: random.below(3),
      approve: !random.oneIn(3),
      id: idOf(random),
    };
  if (dice < 77) return { do: "lose", who, way: random.pick(["up", "down"]), at };
  if (dice < 79) return { do: "cut", who };
  if (dice < 84) return { do: "restore", who };
  if (dice < 86) return { do: "reload", who, keeps: !random.oneIn(3), primed: random.oneIn(2) };
  if (dice < 87) return { do: "restart", at: random.below(AUTHORITIES) };
  if (dice < 90) return { do: "crash", at: random.below(AUTHORITIES), outcome: random.pick(["lost", "done", "late"]) };
  if (dice < 91) return { do: "replaced", again: random.oneIn(2) };
  if (dice < 93) return { do: "hold" };
  if (dice < 96) return { do: "release" };
  if (dice < 97) return { do: "fail", after: random.oneIn(2) };
  if (dice < 98) return { do: "doorbell" };
  if (dice < 100) return { do: "compact", at: random.below(AUTHORITIES), keep: random.below(4) };
  if (dice < 103) return branchOf(random);
  if (dice < 106)
    return { do: "merge", at: random.below(AUTHORITIES), part: random.oneIn(2) ? "all" : 1 + random.below(14) };
  return { do: "discard", at: random.below(AUTHORITIES) };
}

function placeOf(random: Random): { readonly at: number; readonly on: Place } {
  return { at: random.below(AUTHORITIES), on: random.oneIn(2) ? "branch" : "thread" };
}

function agentOf(random: Random): Step {
  const place = placeOf(random);
  const id = idOf(random);
  if (place.on === "branch") return { ...place, do: "agent", edit: pageEditOf(random), id };
  return { ...place, do: "agent", edit: random.oneIn(15) ? WIPE : editOf(random), id };
}

function undoOf(random: Random): Step {
  return {
    ...placeOf(random),
    do: "undo",
    by: random.oneIn(3) ? "agent" : "reviewer",
    what: random.oneIn(4) ? "all" : random.below(4),
    onDependent: random.pick(["drop", "drop", "refuse", "keep"]),
    id: idOf(random),
  };
}

function idOf(random: Random): SubmissionId {
  return random.oneIn(4) ? random.pick(["again", "again", "of another"]) : "new";
}

/**
 * Pages edit cards too, and so does the agent on a branch. What pages do is never undone, unless it
 * needs what the agent did.
 */
function pageEditOf(random: Random): Edit {
  if (random.oneIn(2)) return editOf(random);
  return { card: random.pick(["put", "put", "write", "write", "writeOn", "drop", "lift"]), at: random.below(4) };
}

function branchEditOf(random: Random): Edit {
  if (random.oneIn(3)) return editOf(random);
  return { card: random.pick(["put", "write", "write", "writeOn", "drop", "lift"]), at: random.below(4) };
}

function editOf(random: Random): Exclude<Edit, CardEdit> {
  const dice = random.below(20);
  if (dice < 7) return { mark: true };
  if (dice < 13) return { update: { type: random.pick(["name", "unname"]), name: random.pick(["a", "b", "c"]) } };
  if (dice < 16) return { update: { type: "add", by: random.below(103) } };
  if (dice < 18)
    return {
      update: {
        type: "$batch",
        operations: [
          { type: "add", by: 1 },
          { type: "name", name: random.pick(["a", "d"]) },
        ],
      },
    };
  return { update: random.pick(GARBAGE) };
}
