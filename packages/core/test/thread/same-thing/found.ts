// Histories that random runs found, in their shortest form. Long because it is a list of them.

import type { Call, Step, Update } from "./history.ts";

const ADA = 0;
const BOB = 1;
const ROBOT = 2;

const one = (name: Call["name"], a = 0, b = 0, n = 1): Update => ({ kind: "one", call: { name, a, b, n } });
const batch = (...calls: Call[]): Update => ({ kind: "batch", calls });
const call = (name: Call["name"], a = 0, b = 0, n = 1): Call => ({ name, a, b, n });
const replace = (how: (Update & { kind: "replace" })["how"], a = 0): Update => ({ kind: "replace", how, a });
const patch = (how: (Update & { kind: "patch" })["how"], a = 0): Update => ({ kind: "patch", how, a });
const does = (who: number, update: Update, on = 0): Step => ({ do: "dispatch", who, on, update });
const takesBack = (
  who: number,
  a: number,
  by: "id" | "run" = "id",
  mode: "refuse" | "drop" | "keep" = "refuse",
  on = 0,
): Step => ({ do: "undo", who, on, by, a, mode, redo: false });
const redoes = (who: number, mode: "refuse" | "drop" = "refuse"): Step => ({ do: "undo an undo", who, a: 0, mode });
const edits = (who: number, update: Update): Step => ({ do: "edit", who, update });
const merges: Step = { do: "merge", who: BOB, a: 0, part: 0 };
const approves: Step = { do: "approve", a: 0, anyway: true };

/** Those at which the product was wrong. */
const FOUND: { readonly [what: string]: readonly Step[] } = {
  "a patch made on a page writes to the card that was at its place, not to the next one": [
    { do: "cut", who: BOB },
    { do: "edit", who: BOB, update: patch("replace", 2) },
    does(BOB, patch("add")),
  ],
  "a patch made on a page removes the card that was at its place": [
    { do: "cut", who: ROBOT },
    { do: "edit", who: ROBOT, update: patch("remove") },
    does(BOB, one("addKeyed")),
  ],
  "a patch made on a page does not remove the card of a replacement": [
    { do: "cut", who: ROBOT },
    does(ROBOT, replace("ids")),
    { do: "edit", who: ROBOT, update: patch("remove", 2) },
  ],
  "a removal of a value of a record is no dependent of what put the value there": [
    does(ROBOT, one("dropNote")),
    does(ADA, one("putNote")),
    does(BOB, one("dropNote")),
    takesBack(ADA, 1),
  ],
  "a record's value that was written over another one goes with that where only its things may stay": [
    does(ADA, one("putNote", 0, 1, 0)),
    does(ADA, one("putNote", 0, 1, 0)),
    takesBack(ADA, 1, "id", "keep"),
  ],
  "a merge adds a card with the id that today's code computes on the parent too": [
    { do: "branch" },
    does(ROBOT, one("addNext"), 1),
    does(ADA, one("addNext")),
    does(ADA, patch("remove")),
    { do: "code", edition: 4 },
    merges,
  ],
  "a card whose code refuses it by now is named where another card has its computed id again": [
    does(ROBOT, one("addNext")),
    does(ADA, one("addNext")),
    does(ADA, one("editById", -1)),
    takesBack(ADA, 2),
    does(ADA, batch(call("clear", 0, 0, 0), call("addMinted", 0, 0, 0))),
    does(ADA, batch(call("addNext", 0, 0, 0), call("addMinted", 0, 0, 0))),
    does(ADA, one("addNext", 0, 0, 3)),
    { do: "code", edition: 4 },
    takesBack(ADA, 2, "id", "drop"),
  ],
  "a batch that clears and adds is named where a card that it did not clear has its computed id again": [
    does(ROBOT, one("addNext")),
    does(ADA, one("addNext")),
    does(ADA, one("editById", -1)),
    { do: "undo", who: ADA, on: 0, by: "id", a: 2, mode: "refuse", redo: true },
    does(ROBOT, replace("ids")),
    does(ADA, one("editById")),
    { do: "undo", who: ADA, on: 0, by: "id", a: 1, mode: "drop", redo: true },
    does(ADA, batch(call("clear", 0, 0, 0), call("addMinted", 0, 0, 0), call("addNext", 0, 0, 0))),
    does(ADA, one("addMinted", 0, 0, 0)),
    takesBack(ADA, 3, "id", "drop"),
  ],
  "two cards with one id that a person kept may come into one list later": [
    { do: "code", edition: 3 },
    does(ADA, one("moveAll", 0, 0, 0)),
    does(ADA, one("addMinted", 0, 0, 0)),
    does(ADA, one("addMinted", 0, 0, 0)),
    does(ADA, one("addMinted", 0, 0, 0)),
    does(ROBOT, one("clear")),
    does(ADA, one("addNext")),
    does(ADA, one("editById", -1)),
    takesBack(ADA, 2, "id", "keep"),
    takesBack(ADA, 6, "id", "drop"),
  ],
  "a batch of a page leaves alone the card that it adds where other code would edit that in place of another": [
    edits(ROBOT, one("addMinted", 0, 0, 0)),
    { do: "code", edition: 3 },
    does(ROBOT, one("addNext")),
    does(ADA, one("addNext")),
    does(ADA, one("editById", -1)),
    takesBack(ADA, 2),
    edits(ROBOT, batch(call("addKeyed", 0, 0, 0), call("editById", 0, 0, 0))),
  ],
  "a replacement that is approved anyway leaves alone what others wrote since": [
    { do: "propose", who: ROBOT, update: replace("title") },
    does(ADA, one("editAt", 2)),
    approves,
  ],
  "a text that is added to with an approval anyway has no words that another person replaced since": [
    does(ADA, patch("add")),
    { do: "propose", who: ADA, update: one("appendTitle", 0) },
    does(ADA, one("editById", 0)),
    approves,
  ],
  "a replacement that is approved anyway does not bring back what others removed since": [
    { do: "propose", who: BOB, update: replace("add") },
    does(ADA, one("clear")),
    approves,
  ],
  "an approved replacement that changed nothing changes nothing on another line": [
    does(BOB, one("moveAll", 1, 5, 0)),
    { do: "propose", who: ADA, update: replace("ids") },
    approves,
    takesBack(ADA, 1),
  ],
  "an approval that changed nothing removes nothing that an undo brings back": [
    does(ROBOT, one("clear")),
    { do: "propose", who: BOB, update: one("clear") },
    approves,
    takesBack(ADA, 0),
  ],
  "a replacement does not put back a card whose id another one has that came back": [
    does(BOB, one("addNext")),
    does(ROBOT, one("removeById", -1)),
    does(BOB, one("addNext")),
    does(ADA, replace("ids")),
    takesBack(ADA, 2, "id", "drop"),
  ],
  "what a replacement wrote does not take over what the card before it had": [
    does(ROBOT, one("start", 2)),
    takesBack(ADA, 0, "run"),
    does(ADA, replace("edit", 2)),
    redoes(BOB),
  ],
  "what a patch wrote does not take over the parts of the card before it": [
    does(ROBOT, one("addSub")),
    does(ADA, one("addSub")),
    does(ADA, one("editSub", 0, 1)),
    takesBack(ADA, 2, "id", "drop"),
    does(ADA, patch("replace")),
    redoes(ADA),
  ],
  "what a patch wrote over is gone again when it comes back": [
    does(ROBOT, one("clear")),
    takesBack(ADA, 0),
    does(ROBOT, patch("replace", 2)),
    redoes(ADA),
    takesBack(ADA, 1),
  ],
  "what was merged twice is there once when its first merge comes back": [
    { do: "branch" },
    does(ROBOT, one("addMinted"), 1),
    does(ROBOT, one("editById", -1), 1),
    { do: "merge", who: BOB, a: 0, part: 0 },
    takesBack(ADA, 1, "id", "drop"),
    { do: "merge", who: BOB, a: 0, part: 0 },
    redoes(ADA, "drop"),
  ],
  "what was edited and moved at once is the same card after its merge": [
    { do: "branch" },
    does(
      ADA,
      {
        kind: "batch",
        calls: [
          { name: "editAt", a: 2, b: 0, n: 4 },
          { name: "moveAll", a: 2, b: 0, n: 1 },
        ],
      },
      1,
    ),
    does(ROBOT, one("clear", 0, 1), 1),
    { do: "merge", who: BOB, a: 0, part: 0 },
  ],
  "what lost its things on a branch is not merged into others": [
    { do: "branch" },
    does(ROBOT, one("removeAt"), 1),
    does(ROBOT, one("removeAt"), 1),
    does(ROBOT, one("removeAt"), 1),
    does(ROBOT, one("addMinted"), 1),
    does(ROBOT, one("editAt"), 1),
    takesBack(ADA, 1, "id", "keep", 1),
    does(ROBOT, one("addMinted"), 1),
    { do: "merge", who: BOB, a: 0, part: 0 },
  ],
  "what came to nothing on an earlier line and counts now is not lost when that line comes back": [
    does(ROBOT, one("addMinted")),
    does(ADA, one("editById", -1)),
    takesBack(ADA, 1, "id", "keep"),
    { do: "undo", who: ADA, on: 0, by: "id", a: 0, mode: "refuse", redo: true },
    does(ROBOT, one("addMinted", 0, 0, 0)),
    { do: "undo", who: ADA, on: 0, by: "actor", a: 0, mode: "drop", redo: true },
    { do: "undo an undo", who: ADA, a: 2, mode: "refuse" },
    { do: "undo an undo", who: ADA, a: 1, mode: "refuse" },
  ],
  "a part of a batch made on a page does not write into what the batch adds": [
    { do: "cut", who: ADA },
    edits(ADA, batch(call("addNext"), call("editById", 3))),
    does(BOB, one("removeAt", 0, 1)),
  ],
  "a part of a batch made on a page does not write over what another part wrote": [
    { do: "code", edition: 3 },
    { do: "cut", who: ROBOT },
    edits(ROBOT, batch(call("moveAndEdit"), call("editById"))),
    does(ADA, one("moveAll", 0, 0, 0)),
  ],
  "a part of a batch made on a page after another edit does not write into what the batch adds": [
    { do: "cut", who: ADA },
    does(ADA, one("removeAt", 0, 1)),
    edits(ADA, one("addNext")),
    edits(ADA, batch(call("addNext", 0, 1), call("editById", 3))),
  ],
  "a part of a batch made on a page does not remove what the batch adds, where the list was emptied": [
    { do: "cut", who: BOB },
    edits(BOB, batch(call("addMinted"), call("removeAt"), call("sort"))),
    does(ADA, one("clear")),
  ],
  "a batch made on a page after another edit changes what that edit created": [
    { do: "cut", who: ADA },
    does(BOB, one("inc")),
    edits(ADA, one("addMinted")),
    edits(ADA, batch(call("editById", -1), call("editAt", 0))),
  ],
  "the parts of a batch made on a page do not change their things with one another": [
    { do: "cut", who: ADA },
    edits(ADA, batch(call("editAt", 0), call("editAt", 2))),
    does(ROBOT, one("swap", 0, 2)),
  ],
  "a part of a batch that is approved anyway does not write into what the batch adds": [
    { do: "propose", who: ROBOT, update: batch(call("addNext"), call("editById", 3)) },
    does(BOB, one("removeAt", 0, 1)),
    approves,
  ],
  "a part of a batch that is approved anyway does not remove what the batch adds": [
    { do: "propose", who: ROBOT, update: batch(call("addMinted"), call("removeAt")) },
    does(ADA, one("clear")),
    approves,
  ],
  "the parts of a kept batch do not change their things with one another": [
    does(ROBOT, one("swap", 0, 2)),
    does(ADA, batch(call("editAt", 0), call("editAt", 2))),
    takesBack(ADA, 1),
  ],
  "the parts of a batch that is approved anyway do not change their things with one another": [
    { do: "propose", who: ROBOT, update: batch(call("editAt", 0), call("editAt", 2)) },
    does(ADA, one("swap", 0, 2)),
    approves,
  ],
  "the parts of a merged batch do not change their things with one another": [
    { do: "branch" },
    does(ROBOT, batch(call("editAt", 0), call("editAt", 2)), 1),
    does(ADA, one("swap", 0, 2)),
    { do: "merge", who: BOB, a: 0, part: 0 },
  ],
  "what a merge adds in another order is not confused with one another": [
    { do: "branch" },
    does(ADA, batch(call("addKeyed"), call("addKeyed")), 1),
    does(ADA, one("start"), 1),
    does(BOB, one("inc")),
    merges,
  ],
  "what a merged patch put in the place of a card is removed by the merge of its removal": [
    { do: "branch" },
    does(ADA, patch("replace"), 1),
    does(ADA, one("editAt"), 1),
    does(ADA, one("removeAt"), 1),
    does(BOB, one("inc")),
    merges,
  ],
  "a redo at once goes back to what an undo with keep had lost": [
    does(ROBOT, one("dropNote")),
    does(ROBOT, one("putNote")),
    does(ADA, one("editNote")),
    takesBack(ADA, 1, "id", "keep"),
    { do: "undo", who: ROBOT, on: 0, by: "id", a: 2, mode: "refuse", redo: true },
  ],
  "what was computed anew before is listed when an undo goes back to it": [
    does(ADA, one("rename")),
    does(ROBOT, one("inc", 0, 0, 3)),
    does(ADA, one("inc", 0, 0, 4)),
    takesBack(ADA, 1),
    takesBack(ADA, 2),
    { do: "undo an undo", who: ADA, a: 1, mode: "refuse" },
    does(ADA, one("addMinted")),
    redoes(ADA),
  ],
  "a merged change that was carried comes back where the code does what was carried": [
    { do: "branch" },
    does(ROBOT, one("clear", 0, 1), 1),
    does(ADA, one("move", 0, 1)),
    merges,
    takesBack(ADA, 0),
    takesBack(ADA, 1),
    { do: "undo an undo", who: ADA, a: 1, mode: "refuse" },
  ],
  "what was done again in part, and whose code is gone, is done whole when the rest of its things comes back": [
    does(ADA, patch("remove")),
    takesBack(ADA, 0, "id", "keep"),
    does(ADA, one("clear", 0, 0, 0)),
    { do: "code", edition: 2 },
    redoes(ADA),
    takesBack(ADA, 1, "id", "drop"),
    takesBack(ADA, 0),
  ],
};

/** Those at which the oracle required more than the text says, or for one of two readings. */
const ALLOWED: { readonly [what: string]: readonly Step[] } = {
  "an approval whose code computes the id of another card, as it was shown": [
    { do: "propose", who: ADA, update: one("addNext") },
    does(ADA, one("removeById")),
    edits(ADA, one("addNext")),
    { do: "code", edition: 4 },
    { do: "approve", a: 0, anyway: false },
  ],
  "what a patch wrote is where the card before it was moved to": [
    { do: "branch" },
    does(ADA, patch("replace"), 1),
    does(ADA, one("move", 0, 1)),
    merges,
  ],
  "an approval without effect is one of its proposer's commits": [
    { do: "propose", who: ROBOT, update: one("free", 0, 0, 0) },
    does(ROBOT, patch("title")),
    { do: "approve", a: 0, anyway: false },
    { do: "undo", who: ADA, on: 0, by: "actor", a: 0, mode: "drop", redo: false },
  ],
  "of two merges of one change that are both in force, either value may stand": [
    { do: "branch" },
    does(ROBOT, one("addMinted"), 1),
    does(ROBOT, one("editById", -1), 1),
    does(ADA, one("addKeyed")),
    merges,
    takesBack(ADA, 1, "id", "drop"),
    merges,
    redoes(ADA),
    takesBack(ADA, 0),
  ],
  "of two merges of one change, the one that came to nothing may be named": [
    { do: "branch" },
    does(ROBOT, one("addMinted"), 1),
    does(ROBOT, one("editById", -1), 1),
    does(ADA, one("addKeyed")),
    merges,
    takesBack(ADA, 0, "id", "drop"),
    merges,
    redoes(ADA),
    takesBack(ADA, 2),
  ],
  "what a replacement made of a card is a thing of its own when the card is removed again": [
    does(ADA, one("insertAt", 0, 2)),
    { do: "cut", who: BOB },
    edits(BOB, replace("add", 1)),
    does(ROBOT, one("removeById")),
    takesBack(ADA, 0),
    does(ADA, one("editById")),
    { do: "join", who: BOB },
    { do: "undo an undo", who: ADA, a: 2, mode: "drop" },
  ],
  "an undo of undos lists nothing of a patch that counts on the line on which it was made": [
    does(ROBOT, one("putNote")),
    does(ADA, one("editNote")),
    takesBack(ADA, 1),
    does(ADA, patch("remove", 3)),
    { do: "undo an undo", who: BOB, a: 0, mode: "drop" },
    redoes(ADA),
  ],
  "a batch of which one part would do nothing now and another part something else may be named": [
    does(ADA, one("removeById", 3)),
    does(ROBOT, one("clear")),
    takesBack(ADA, 0),
    does(ADA, batch(call("sum"), call("addNext"))),
    redoes(ADA),
  ],
  "an undo lists nothing of a patch where what is taken back did nothing on the line that counts": [
    does(ROBOT, one("addMinted", 0, 0, 0)),
    does(ADA, one("sort")),
    takesBack(ADA, 1),
    does(ADA, patch("title")),
    takesBack(ADA, 1),
  ],
  "an undo of undos lists nothing that was as recorded at first on the line to which it goes back": [
    { do: "branch" },
    does(ROBOT, one("clear", 0, 1), 1),
    does(ADA, one("rename")),
    does(ADA, one("move", 0, 1)),
    merges,
    takesBack(ADA, 2),
    takesBack(ADA, 1),
    redoes(ADA),
  ],
  "two cards with one id that a person kept may come back when the removal of one is undone": [
    does(ROBOT, one("removeById", 3)),
    does(ADA, one("addNext", 0, 1)),
    does(ADA, one("removeById", -1)),
    takesBack(ADA, 2, "id", "keep"),
    takesBack(ADA, 0),
  ],
};

/** By what each is about. */
export const HISTORIES: readonly (readonly [string, readonly Step[]])[] = [
  ...Object.entries(FOUND),
  ...Object.entries(ALLOWED),
];
