// The table of intents: what a person can ask for. A new intent is a new row, with what the words
// mean in `intent.ts` and what is done in `plan.ts` or said in `answers.ts`. What people say to any
// agent is in the table of @opstate/chat-model. Other words for the same are in the groups and
// rules of the grammar, and what those cannot say in `phrasings.ts`.

import { defined } from "@opstate/core";
import { commonIntent } from "@opstate/chat-model/common-intents.ts";
import { smallTalk } from "@opstate/chat-model/talk.ts";
import type { Intent } from "../intent.ts";
import { build } from "./build.ts";
import { certainlyCards, readCards, readSet } from "./card-phrase.ts";
import {
  addCards,
  move,
  moveBeside,
  moveWithin,
  prioritise,
  removal,
  remove,
  rename,
  reprioritise,
  shift,
  sort,
  swap,
} from "./cards.ts";
import { choose } from "./choices.ts";
import { addColumns, clear, moveColumn, removeColumn } from "./columns.ts";
import { withoutManners } from "./manners.ts";
import { rephrased } from "./phrasings.ts";
import { columnName, readPlace } from "./place-phrase.ts";
import { ask, inQuestionOrder } from "./questions.ts";
import { supposed } from "./supposed.ts";

/** Reads a clause without its polite words; quotes are masked. */
export type Reader = (clause: string) => Intent | undefined;

export interface IntentRow {
  readonly read: Reader;
  /** Clauses that this row reads, and that a test reads. */
  readonly examples: readonly string[];
}

const undo: Reader = (text) => (commonIntent(text) === "undo" ? { kind: "undo" } : undefined);

// The order decides between readings: "make T-3 priority 1" and "add a Blocked column" are not new
// cards.
export const INTENTS: readonly IntentRow[] = [
  { read: undo, examples: ["undo that", "take it back"] },
  { read: talk, examples: ["thanks", "never mind", "do not touch anything"] },
  { read: choose, examples: ["archive T-3", "assign T-3 to Bob", "start over"] },
  { read: build, examples: ["build a board for a wedding", "plan my move to Lisbon"] },
  { read: ask, examples: ["what changed", "how many cards are urgent", "who moved T-3"] },
  { read: addColumns, examples: ["add a column Blocked"] },
  { read: shift, examples: ["move T-3 one column to the right", "T-3 to the next column"] },
  { read: moveColumn, examples: ["move the Done column to the left"] },
  { read: swap, examples: ["swap T-1 and T-2"] },
  { read: sort, examples: ["sort Done by priority"] },
  { read: reprioritise, examples: ["raise the priority of T-3"] },
  { read: prioritise, examples: ["set priority of T-3 to 1"] },
  { read: rename, examples: ["rename T-3 to Find"] },
  { read: moveWithin, examples: ["put T-3 at the top"] },
  { read: moveBeside, examples: ["put T-3 after T-4"] },
  { read: move, examples: ["move T-3 to Done", "mark T-3 as done"] },
  { read: addCards, examples: ["add a card 'Write docs' to Backlog"] },
  { read: removeColumn, examples: ["delete the Blocked column"] },
  { read: clear, examples: ["clear Done"] },
  { read: remove, examples: ["remove T-3", "delete all done cards"] },
];

/** The intent of a clause; undefined if it is not understood. */
export function readClause(clause: string): Intent | undefined {
  const whole = smallTalk(clause);
  if (whole && whole.name !== "consent") return talk(clause);
  const only = supposed(clause, readWish);
  if (only) return only;
  const question = inQuestionOrder(clause);
  const asked = question === undefined ? undefined : ask(question);
  if (asked) return asked;
  const text = withoutManners(clause);
  const otherwise = undo(text) === undefined ? rephrased(text, /\?\s*$/.test(clause)) : undefined;
  if (otherwise === undefined) return readPlain(text);
  // "a Later column between Review and Done" is said otherwise twice.
  const again = rephrased(otherwise);
  return (again === undefined ? undefined : readPlain(again)) ?? readPlain(otherwise) ?? readPlain(text);
}

/** What is asked back, asked or talked about is no wish. */
function readWish(clause: string): Intent | undefined {
  const intent = readClause(clause);
  return intent?.kind === "choose" || intent?.kind === "ask" || intent?.kind === "talk" ? undefined : intent;
}

function readPlain(text: string): Intent | undefined {
  for (const { read } of INTENTS) {
    const intent = read(text);
    if (intent) return intent;
  }
  return undefined;
}

function talk(text: string): Intent | undefined {
  const found = smallTalk(text);
  return found && { kind: "talk", name: found.name, answer: found.answer };
}

/** A quoted title, and its priority: "'Write docs' with priority 2". */
function titleIn(text: string): readonly [title?: string, priority?: number | undefined] {
  const [, title, level] =
    /^(\uE000\d+\uE001)(?:,?\s+\(?(?:(?:with|at|as)\s+)?(?:priority|prio|p)\s?([1-4])\)?)?$/i.exec(text) ?? [];
  return title === undefined ? [] : [title, level === undefined ? undefined : Number(level)];
}

const NOWHERE = /^(?:it|that|this|there|them|(?:its|their) \w+)$/i;

/** "T-2 to Review" after "move T-1 to Done" means another move, and so it does by itself. */
export function readElliptical(clause: string, previous: Intent | undefined): Intent | undefined {
  const text = withoutManners(clause);
  const [, what, target] = /^(?:also\s+)?(.+?)\s+(?:back\s+)?(?:to|into|->)\s+(.+?)[.!]?$/i.exec(text) ?? [];
  // "and T-3 as well"
  if (previous?.kind === "move" && /\b(?:as well|too|also)[\s.!]*$/i.test(clause) && certainlyCards(text))
    return { ...previous, cards: readCards(text) };
  const isRemoval = previous?.kind === "remove" || previous?.kind === "clear";
  const more = isRemoval ? readSet(text) : undefined;
  if (more !== undefined) return removal([more]);
  if (isRemoval && /^(?:the )?\S+(?: \S+)? (?:column|list|lane)$/i.test(text))
    return { kind: "clear", column: columnName(text) };
  if (what === undefined || target === undefined || NOWHERE.test(target)) return undefined;
  // "rename Backlog to Ideas and Done to Live"
  if (previous?.kind === "rename" && previous.what !== "card" && !/^(?:then|also|move|add|set|it|that)\b/i.test(what))
    return { kind: "rename", what: previous.what, name: columnName(what), title: target };
  // "add 'A' to Review and 'B' to Done"
  const [title, level] = previous?.kind === "addCards" && previous.column !== undefined ? titleIn(what) : [];
  if (title !== undefined)
    return { kind: "addCards", titles: [title], ...readPlace(target), ...defined({ priority: level }) };
  const isAbout = readCards(what).every((query) => query.by === "name" && query.isAbout === true);
  if (!certainlyCards(what) && !(previous?.kind === "move" && isAbout)) return undefined;
  if (previous?.kind === "rename") return { kind: "rename", what: "card", name: what, title: target };
  if (previous?.kind === "prioritise")
    return /^(?:priority\s+)?\d+$/.test(target)
      ? { kind: "prioritise", cards: readCards(what), priority: Number(/\d+/.exec(target)?.[0]) }
      : undefined;
  return { kind: "move", cards: readCards(what), ...readPlace(target) };
}
