// What a person can say of columns. How a line is written is told in `match.ts`.

import type { Intent, Position } from "../intent.ts";
import type { Kept } from "./kept.ts";
import { type Rule, statement, wish } from "./rule.ts";

const renameColumn = ({ lane, title }: Kept): Intent => ({ kind: "rename", what: "column", name: lane, title });

const addBeside =
  (side: "before" | "after") =>
  ({ heading, anchor }: Kept): Intent => ({
    kind: "addColumns",
    titles: [heading],
    position: side === "before" ? { before: anchor } : { after: anchor },
  });
const addAt =
  (position: Position) =>
  ({ heading }: Kept): Intent => ({ kind: "addColumns", titles: [heading], position });

export const COLUMN_RULES: readonly Rule[] = [
  wish(renameColumn, {
    "call/name/rename/retitle <lane> TO_TITLE? <title>": "call the Done column Shipped",
  }),
  wish(addBeside("before"), {
    "ADD? A* COLUMN ,? NAMED/for? <heading> ,? BEFORE <anchor>": "add one more column named Testing before Done",
    "ADD? A <heading> column/lane ,? BEFORE <anchor>": "a Later column before Done",
    "ADD? A* COLUMN BEFORE <anchor> NAMED/: <heading>": "add a column before Done called Testing",
    "ADD? A* COLUMN ,? NAMED/for? <heading> ,? in? between <place> and <anchor>":
      "add a column Later between Review and Done",
    "ADD? A <heading> column/lane ,? in? between <place> and <anchor>": "a Later column between Review and Done",
    "ADD? A* COLUMN in? between <place> and <anchor> ,? NAMED/: <heading>":
      "add a column between Review and Done: Later",
    "between <place> and <anchor> ,? ADD A* COLUMN NAMED? <heading>": "between Review and Done add a column Later",
  }),
  wish(addBeside("after"), {
    "ADD? A* COLUMN ,? NAMED/for? <heading> ,? AFTER <anchor>": "add one more column named Testing after Review",
    "ADD? A <heading> column/lane ,? AFTER <anchor>": "a Later column after Review",
    "ADD? A* COLUMN AFTER <anchor> NAMED/: <heading>": "add a column after Review called Testing",
    "AFTER <anchor> ,? ADD A* COLUMN NAMED? <heading>": "after Review add a column Testing",
  }),
  wish(addAt(0), {
    "ADD? A* COLUMN ,? NAMED? <heading> ,? on/at/to the? far/very? left/start/front/beginning":
      "I need a column Ideas on the left",
    "ADD? A <heading> column/lane ,? on/at/to the? far/very? left/start/front/beginning": "an Ideas column on the left",
  }),
  wish(addAt("last"), {
    "ADD? A* COLUMN ,? NAMED? <heading> ,? on/at/to the? far/very? right/end": "I need a column Ideas on the right",
    "ADD? A <heading> column/lane ,? on/at/to the? far/very? right/end": "an Ideas column on the right",
  }),
  wish(({ heading }) => ({ kind: "addColumns", titles: [heading] }), {
    "ADD A* COLUMN NAMED/for/:* <heading> CARDS?": "we need a column for Blocked stuff",
    "ADD A <heading> column/lane": "I need a Later column",
  }),
  wish(({ titles }) => ({ kind: "addColumns", titles }), {
    "ADD SOME* COLUMNS NAMED? : <titles>": "create two columns: Ideas, Later",
  }),
  wish(({ column, lane, anchor }) => ({ kind: "moveColumn", column: column ?? lane, position: { before: anchor } }), {
    "SEND the? <column> COLUMN BEFORE <anchor>": "put the Done column in front of Review",
    "<lane> BEFORE <anchor>": "Done column before Review",
  }),
  wish(({ column, lane, anchor }) => ({ kind: "moveColumn", column: column ?? lane, position: { after: anchor } }), {
    "SEND the? <column> COLUMN AFTER <anchor>": "put the Done column to the right of Review",
    "<lane> AFTER <anchor>": "Done column after Review",
    "SEND? <lane> between <place> and <anchor>": "Done column between Backlog and Review",
  }),
  wish(({ lane }) => ({ kind: "moveColumn", column: lane, position: 0 }), {
    "SEND? <lane> on/at/to? the? far? first/leftmost/left/front/start": "Done column first",
  }),
  wish(({ lane }) => ({ kind: "moveColumn", column: lane, position: "last" }), {
    "SEND? <lane> on/at/to? the? far? last/rightmost/right/end": "Backlog column last",
  }),
];

export const COLUMN_STATEMENTS: readonly Rule[] = [
  statement(renameColumn, {
    "<lane> MUST be called/named/renamed/retitled to? <title>": "the second column should be called Doing",
  }),
];
