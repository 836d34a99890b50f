// Reads a request as steps. "then" and full stops separate steps; "and" and commas separate intents
// of one step.

import type { CardQuery, Intent, Step } from "../intent.ts";
import { query } from "../words/in-words.ts";
import { CARD_ID } from "./card-phrase.ts";
import { readClause, readElliptical, type Reader } from "./intents.ts";
import { withoutSmileys } from "./manners.ts";
import { maskQuotes } from "./quotes.ts";
import { corrections } from "./spelling.ts";

const STEP_SEPARATOR =
  /\s*(?:[;\n]+|(?<=[^\s\d])[.!?]\s+(?=\S)|(?<=\d)[.!?]\s+(?=[A-Z])|(?<=\b[A-Za-z]{1,3}-?\d{1,9})[.!]\s+(?=\S)|,?\s*\b(?:and\s+)?(?:then|after that|afterwards|finally)\b[,:]?)\s*/;
const NUMBERING = /^\s*(?:\d+[.)]|[-*•])\s+/;
const COURTESY =
  /^(?:please|thanks(?: a lot| so much)?(?: for (?:that|this|it|yesterday|today|(?:the|your) \w+|\w+ing))?|thank you(?: very much)?|cheers|ok(?:ay)?|(?:i )?hope (?:you(?:'re| are)|all is|everything is|this finds you) (?:all )?(?:well|good|fine|ok(?:ay)?)|no (?:rush|hurry|worries|pressure|stress)|(?:it'?s )?not urgent|whenever you (?:can|like|have time))[\s.!]*$/i;
const JOINTS = /\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s+&\s+|\s+plus\s+)(?:also\s+)?/gi;

/** Longer requests are not read: reading takes more than linear time. */
const MAX_LENGTH = 1000;

/**
 * The steps of a request, in order. Unclear text becomes an intent of kind "unknown". `earlier` is
 * what "it" may refer to: the last intent of an earlier request. `reader` reads a clause.
 */
export function parseRequest(request: string, earlier?: Intent, reader: Reader = readClause): readonly Step[] {
  if (request.length > MAX_LENGTH) return [[{ kind: "unknown", text: request }]];
  const { text: masked, restore } = maskQuotes(withoutSmileys(request).replaceAll(/[^\S\n]+/g, " "));
  const text = withoutArrows(masked);
  const steps: Step[] = [];
  let previous: Intent | undefined;
  let last = earlier;
  const sentences = text
    .split(STEP_SEPARATOR)
    .map((line) => line.replace(NUMBERING, "").trim())
    .filter((sentence) => /[\p{L}\p{N}\uE000]/u.test(sentence));
  const requests = sentences.filter((sentence) => !COURTESY.test(sentence));
  for (const sentence of requests.length > 0 ? requests : sentences) {
    const step = readStep(sentence, { previous, last, reader });
    previous = step.at(-1) ?? previous;
    last = step.findLast(namesCards) ?? last;
    steps.push(...apart(step));
  }
  // A greeting before a request needs no answer.
  const withoutTalk = steps
    .map((step) => step.filter((intent) => intent.kind !== "talk" || intent.name === "refrain"))
    .filter((step) => step.length > 0);
  const read = withoutTalk.length > 0 ? withoutTalk : steps;
  // "clear Done, then undo that" is ambiguous.
  const isMixed =
    read.flat().length > 1 &&
    read.flat().some((intent) => intent.kind === "undo" || (intent.kind === "talk" && intent.name === "refrain"));
  return restore(isMixed ? [[{ kind: "unknown", text: text.trim() }]] : read);
}

/** What was read before a clause: by the same request, and of cards or places by any. */
interface Context {
  readonly previous: Intent | undefined;
  readonly last: Intent | undefined;
  readonly reader: Reader;
}

const ARROW = /\s*(?:→|=>|->)\s*/g;
/** "Dark mode -> Review" is a move. Titles of what is made keep their arrows. */
const withoutArrows = (request: string): string =>
  request.replaceAll(/[^;\n]+/g, (line) => {
    if (MAKES.test(line)) return line;
    const isBare = ARROWED.test(line) && !VERB_FIRST.test(line);
    return `${isBare ? "move " : ""}${line.replaceAll(ARROW, " to ")}`;
  });
const ARROWED = /\S\s*(?:→|=>|->)\s*\S/;
const MAKES = /^\s*(?:\S+ ){0,4}?(?:add|create|make|build)\b/i;
const VERB_FIRST =
  /^\s*(?:\S+ ){0,4}?(?:move|put|rename|retitle|change|set|call|send|mark|drag|swap|remove|delete|archive|clear|empty|undo|show|find|list|what|which|who|when|where|why|how|is|are)\b/i;

/** What uses a new column or card follows in a step of its own. */
function apart(step: Step): readonly Step[] {
  const made = step.findIndex(({ kind }) => kind === "addColumns" || kind === "addCards");
  const [making, rest] = [step[made], step.slice(made + 1)];
  const isUsed =
    making?.kind === "addColumns"
      ? rest.some(({ kind }) => kind === "move" || kind === "addCards")
      : making !== undefined &&
        rest.some((intent) => intent.kind !== "addCards" && subjectOf(intent) === allOf(making));
  return isUsed ? [step.slice(0, made + 1), ...apart(rest)] : [step];
}

/** Cuts at the first joint where both sides are understood, so "T-1 and T-2" stays whole. */
function readStep(sentence: string, context: Context): Step {
  // What follows "add cards" are titles, even "Call Bob".
  const list = SEVERAL_CARDS.test(sentence) ? read(sentence, context) : undefined;
  if (list?.kind === "addCards") return [list];
  let asking: Step | undefined;
  for (const joint of sentence.matchAll(JOINTS)) {
    const left = read(sentence.slice(0, joint.index), context);
    // A question back stands alone.
    if (!left || left.kind === "choose") continue;
    const rest = readStep(sentence.slice(joint.index + joint[0].length), {
      ...context,
      previous: left,
      last: namesCards(left) ? left : context.last,
    });
    if (rest.some(({ kind }) => kind === "unknown")) continue;
    if (rest.every(({ kind }) => kind !== "choose")) return [left, ...rest];
    asking ??= [left, ...rest];
  }
  const whole = asking === undefined ? undefined : read(sentence, context);
  if (asking !== undefined) return whole === undefined || whole.kind === "choose" ? asking : [whole];
  return [read(sentence, context) ?? misspelt(sentence, context) ?? unknown(sentence, context)];
}

/** "the shortcuts, rate limits is finished", behind another wish: what is finished is one card. */
const TWO_WISHES = /^[^,]+,\s+(?!(?:and|or)\b)[^,]+?\s(?:is|was|has been)\s/i;

const read = (clause: string, { previous, last, reader }: Context): Intent | undefined => {
  if (previous !== undefined && TWO_WISHES.test(clause)) return undefined;
  const intent = restored(clause, last) ?? reader(clause) ?? readElliptical(clause, previous);
  const referred = intent === undefined || intent.kind === "choose" ? referring(clause, last) : undefined;
  return referred === undefined ? intent : (reader(referred) ?? readElliptical(referred, previous) ?? intent);
};

/** "restore T-3" after "remove T-3" */
function restored(clause: string, last: Intent | undefined): Intent | undefined {
  const name = /^(?:please )?(?:restore|recover|un-?delete|bring back) (.+?)(?: back)?[\s.!]*$/i.exec(
    clause.trim(),
  )?.[1];
  return name !== undefined && last?.kind === "remove" && subjectOf(last)?.toLowerCase() === name.toLowerCase()
    ? { kind: "undo" }
    : undefined;
}

/** Removing something on a guess needs a yes; a corrected title is no title. */
function misspelt(clause: string, context: Context): Intent | undefined {
  const readings = corrections(clause).flatMap((text) => {
    const intent = read(text, context);
    const titles = intent === undefined ? [] : titlesOf(intent);
    return intent && titles.every((title) => clause.includes(title)) ? [{ text, intent }] : [];
  });
  const { text, intent } = readings.find((each) => isCertain(each.intent)) ?? readings.at(0) ?? {};
  return text !== undefined && intent !== undefined && REMOVING.has(intent.kind)
    ? { kind: "choose", question: `Do you mean: ${text}?`, replies: [text, "Leave it"] }
    : intent;
}

/** Whether no word of an intent is a name that only the board can know. */
const isCertain = (intent: Intent): boolean =>
  intent.kind !== "choose" &&
  (!("cards" in intent && Array.isArray(intent.cards)) ||
    intent.cards.every((query: CardQuery) => query.by !== "name" || CARD_ID.test(query.name)));

/** The titles that a person chose. */
function titlesOf(intent: Intent): readonly string[] {
  if (intent.kind === "addCards" || intent.kind === "addColumns") return intent.titles;
  if (intent.kind === "rename") return [intent.title];
  return intent.kind === "build" ? [intent.topic] : [];
}

const SEVERAL_CARDS = /^(?:\w+\s+){0,3}?(?:add|create|new)\s+(?:\w+\s+){0,2}(?:cards|tasks|tickets|items|todos)\b/i;
const REMOVING: ReadonlySet<Intent["kind"]> = new Set(["remove", "clear", "removeColumn", "build"]);

/** A sentence of which a part is understood: what is not becomes unknown. */
function unknown(sentence: string, context: Context): Intent {
  for (const joint of sentence.matchAll(/\s*(?:,\s*|\s)and\s+/gi)) {
    const left = read(sentence.slice(0, joint.index), context);
    const text = sentence.slice(joint.index + joint[0].length);
    if (left && left.kind !== "choose" && left.kind !== "talk") return { kind: "unknown", text, besides: left };
  }
  return { kind: "unknown", text: sentence };
}

const namesCards = (intent: Intent): boolean =>
  intent.kind === "addCards" ||
  (intent.kind === "ask" && (intent.about === "column" || intent.about === "cards")) ||
  subjectOf(intent) !== undefined ||
  placeOf(intent) !== undefined;

/** The clause with the cards and the column that "it" and "there" mean. */
function referring(clause: string, last: Intent | undefined): string | undefined {
  const cards =
    last && (subjectOf(last) ?? (ONE.test(clause) ? leftOut(last) : MANY.test(clause) ? allOf(last) : undefined));
  const place = last && placeOf(last);
  const text = clause
    // "add a column Blocked and put T-1 in it"
    .replace(/\b(?:in|into|to|on) it\b/i, (words) =>
      place === undefined || cards !== undefined ? words : `to ${place}`,
    )
    .replace(PRONOUN, (word) => cards ?? word)
    .replace(/\b(?:in |to )?there\b/i, (word) => (place === undefined ? word : `to ${place}`));
  return text === clause ? undefined : text;
}

const PRONOUN =
  /\b(?:it|them|that (?:card|task|one)|this (?:card|task|one)|those(?: cards)?|these(?: cards)?|the same card)\b|(?<=\b(?:make|set|mark|give|move|put|rename|call|raise|lower|bump|send|push|finish|start|bring|flag|treat|drop) )that(?=\s+(?:to|into|in|as|at|on|p\d|prio\w*|urgent|critical|important|first|last|done|the|a|high|top|low|up|down|back)\b|$)/i;

const MANY = /\b(?:them|those(?: cards)?|these(?: cards)?)\b/i;

/** "add 'A' and 'B' and make them urgent", "what is in Review? move them to Done" */
function allOf(intent: Intent): string | undefined {
  if (intent.kind === "addCards") return intent.titles.join(" and ");
  if (intent.kind !== "ask") return undefined;
  if (intent.about === "column") return `all cards in ${intent.name}`;
  return intent.about === "cards" ? query(intent.cards) : undefined;
}

const ONE = /\b(?:that|this) (?:card|task|one)\b/i;

/** "move all cards but T-3, and make that one urgent" */
function leftOut(intent: Intent): string | undefined {
  const [query] = "cards" in intent && Array.isArray(intent.cards) ? (intent.cards as readonly CardQuery[]) : [];
  const [only, another] = query?.by === "all" ? (query.except ?? []) : [];
  return typeof only === "string" && another === undefined ? only : undefined;
}

/** The cards of an intent in words, if each has a name. */
function subjectOf(intent: Intent): string | undefined {
  if (intent.kind === "rename" && intent.what !== "column") return intent.name;
  if (intent.kind === "ask" && (intent.about === "card" || intent.about === "state")) return intent.name;
  if (intent.kind === "addCards") return intent.titles.length === 1 ? intent.titles[0] : undefined;
  if (intent.kind === "ask" && intent.about === "cards")
    return intent.cards.by === "place" && intent.cards.count === 1 ? query(intent.cards) : undefined;
  if (!("cards" in intent) || !Array.isArray(intent.cards)) return undefined;
  const named: readonly CardQuery[] = intent.cards;
  const names = named.flatMap((query) => (query.by === "name" ? [query.name] : []));
  return names.length > 0 && names.length === named.length ? names.join(" and ") : undefined;
}

const placeOf = (intent: Intent): string | undefined =>
  intent.kind === "addColumns" && intent.titles.length === 1
    ? intent.titles[0]
    : intent.kind === "move" || intent.kind === "addCards" || intent.kind === "clear"
      ? intent.column
      : undefined;
