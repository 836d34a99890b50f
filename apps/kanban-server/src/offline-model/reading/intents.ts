// The table of intents: what a person can ask for. A new intent is a new row, with what the words
// mean in `intent.ts` and what is done in `plan.ts` or said in `answers.ts`. What people say to any
// agent is in the table of @opstate/chat-model, and other words for the same in `phrasings.ts`.

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
import { rephrased } from "./phrasings.ts";
import { columnName, readPlace } from "./place-phrase.ts";
import { ask } from "./questions.ts";
import { undo } from "./undo.ts";

/** Reads a clause without its polite words; quotes are masked. */
export type Reader = (clause: string) => Intent | undefined;

export interface IntentRow {
  readonly read: Reader;
  /** Clauses that this row reads, and that a test reads. */
  readonly examples: readonly string[];
}

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
  const text = withoutManners(clause);
  const otherwise = undo(text) === undefined ? rephrased(text) : undefined;
  if (otherwise === undefined) return readPlain(text);
  // "a Later column between Review and Done" is said otherwise twice.
  const again = rephrased(otherwise);
  return (again === undefined ? undefined : readPlain(again)) ?? readPlain(otherwise) ?? readPlain(text);
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

/** "T-2 to Review" after "move T-1 to Done" means another move, and so it does by itself. */
export function readElliptical(clause: string, previous: Intent | undefined): Intent | undefined {
  const text = withoutManners(clause);
  const [, what, target] = /^(?:also\s+)?(.+?)\s+(?:back\s+)?(?:to|into|->)\s+(.+?)[.!]?$/i.exec(text) ?? [];
  const isRemoval = previous?.kind === "remove" || previous?.kind === "clear";
  const more = isRemoval ? readSet(text) : undefined;
  if (more !== undefined) return removal([more]);
  if (isRemoval && /^(?:the )?\S+(?: \S+)? (?:column|list|lane)$/i.test(text))
    return { kind: "clear", column: columnName(text) };
  if (what === undefined || target === undefined || !certainlyCards(what)) return undefined;
  if (previous?.kind === "rename") return { kind: "rename", what: "card", name: what, title: target };
  if (previous?.kind === "prioritise")
    return /^(?:priority\s+)?\d+$/.test(target)
      ? { kind: "prioritise", cards: readCards(what), priority: Number(/\d+/.exec(target)?.[0]) }
      : undefined;
  return { kind: "move", cards: readCards(what), ...readPlace(target) };
}

const OPENINGS =
  /^(?:(?:ok(?:ay)?|oh|oops|whoops|wait|sorry|actually|hmm+|so|well|hey|thanks,? but|thank you,? but|hi|hello|then|please|pls|plz|kindly|now|also|just|quickly|first|firstly|next|afterwards|finally|after that|go ahead and|maybe|perhaps|great|thanks|alright|all right|agent|bot|dear agent|yes|no problem|i think|i guess|right|listen|look|um+|uh+|erm*|if you (?:can|could|don't mind)|when you (?:can|have a (?:moment|minute|second))|by the way|btw|fyi|quick one|one more thing|same here|guys|team|friend|mate|sir|kindly)\b[,!:.]?\s+)+(?=\S)/i;
const ASKING =
  /^(?:(?:can|could|would|will|may|might) (?:you|we|i|u)(?: be so kind(?: as)? to| mind| please)?(?: (?:please|pls|plz|kindly|just|quickly|maybe))?(?: (?:go ahead and|help me(?: to)?))?\s+|(?:i|we)(?:'d| would)? (?:really |just |also )?(?:like|want|need|love|wish|prefer|appreciate)(?: you| for you| u)? to\s+|(?:i|we) (?:wanna|gotta|gonna)\s+|(?:need|want) (?:you )?to\s+|to\s+(?=(?:move|put|delete|remove|add|create|rename|clear|mark|set|see|show|list|change|make|sort|swap|undo|know|get|drag|send|raise|lower|find|finish|start)\b)|(?:i|we)(?: am| are|'m|'re)? (?:want|need|like)(?:ing)? (?:to )?(?=(?:move|put|delete|remove|add|create|rename|clear|mark|set|see|show|list|change|make|sort|swap|undo|know|get|drag|send|raise|lower|find|finish|start)\b)|it(?:'s| is) (?:needed|necessary|required|important|time)(?: for you)? to\s+|(?:it'?s |it is )?(?:about )?time to\s+|(?:your|the|my) (?:job|task|goal|request|wish|next task) is to\s+|(?:i'd|i would|we'd|we would) (?:appreciate it|be (?:happy|glad|grateful)) if you (?:could|would)\s+|(?:any|is there (?:any|a)) (?:chance|way) (?:that )?(?:you|we) (?:could|can)\s+|(?:is it|would it be) possible to\s+|(?:feel free|you are welcome|you may want|i (?:ask|beg|order|urge|want) you|you(?:'re| are) (?:asked|to)) (?:to )?|(?:we|you|u|one) (?:should|need to|have to|must|can|could|may|ought to|might as well|better|had better|'d better)\s+(?:please |now |also |just |really )?|let(?:'s| us)\s+|it would be (?:nice|great|good) (?:if you could|to)\s+|(?:do|make sure to|be sure to|try to|help me(?: to)?|go and|just go|don'?t forget to|remember to) (?=(?:move|remove|delete|add|create|rename|clear|mark|put|sort)\b)|(?:tell|let|show) (?:me|us)(?: know)?[,:]? (?=(?:how|what|which|who|where|why|when|is|are|whether)\b)|(?:do you (?:happen to )?know|any idea|i wonder|i(?:'m| am) wondering|i'd like to know|i want to know|can you (?:say|tell)|just curious[,:]?|remind me|check|see|find out|know|(?:can|could) you say|say(?: me| to me)?) (?:me )?(?=(?:how|what|which|who|where|why|when)\b))/i;
const CLOSINGS =
  /(?<=\S)(?:[\s,]+(?:please|pls|plz|thanks|thank you|thx|cheers|for me|for us|for now|right now|asap|right away|immediately|at once|by now|kindly action|at your earliest convenience|if that'?s ok(?:ay)?|if you don'?t mind|when you get a chance|when you have (?:time|a (?:minute|moment|second))|thanks in advance|many thanks|thanks a (?:lot|bunch|million)|ta|too|as well|if you would|when you can|if (?:you can|possible)|would you|will you|can you|ok(?:ay)?|my friend|buddy|mate))*[\s.!?,]*$/i;

/** "would you mind moving", "how about moving" */
const GERUND =
  /^(?:(?:would|do) you mind|(?:how|what) about|(?:i|we)(?:'d| would)? (?:suggest|propose|recommend)|consider|try|start by|let's try)\s+(\w+)ing\b\s*/i;
/** Verbs that lose an "e" before "ing". */
const LOSES_E =
  /^(?:mov|renam|remov|delet|plac|creat|prioriti[sz]|mak|tak|giv|rais|chang|updat|eras|archiv|restor|complet|revers|organi[sz])$/i;
/** Written without an apostrophe. */
const SHORTENED = /^(what|where|who|how|when|that|let|it)s(?=\s)/i;

function withoutManners(clause: string): string {
  let text = clause.trim().replaceAll("’", "'").replace(SHORTENED, "$1's");
  for (let left = ""; left !== text;) {
    left = text;
    text = text.replace(OPENINGS, "").replace(ASKING, "").replace(GERUND, imperative).replace(CLOSINGS, "").trim();
    text = text.replace(SHORTENED, "$1's").replace(/^(\w+)\s+(?:please|pls|plz|kindly)\s+/i, "$1 ");
  }
  return text;
}

/** "moving" is "move", "putting" is "put", "adding" is "add". */
function imperative(_: string, stem: string): string {
  if (LOSES_E.test(stem)) return `${stem}e `;
  return /([tpg])\1$/i.test(stem) ? `${stem.slice(0, -1)} ` : `${stem} `;
}
