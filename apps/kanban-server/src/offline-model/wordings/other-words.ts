// Other wordings of a request that is not clear as it stands: without its lead-in, a statement with
// a wish as the wish, a verb by another of its group, one word as a question, words spelt right.
// Each has the same meaning, and the board decides which is clear.
//
// Invariant: no wording drops a condition or a "not": such a request is left as it is.

import { pointingBack, withoutAsides, withoutCries } from "./asides.ts";
import { PLAINER, withoutLeftAlone } from "./plainer.ts";
import { SEVERAL } from "./several-wishes.ts";
import { withoutManners } from "../reading/manners.ts";
import { isMasked, maskQuotes } from "../reading/quotes.ts";
import { corrections } from "../reading/spelling.ts";

/** The most wordings of one request, and the longest that is worded otherwise. */
const MOST = 40;
const MAX_LENGTH = 200;

/** What a request hinges on. */
const HINGES =
  /\b(?:not|no|never|nor|neither|nothing|nobody|none|unless|if|except|without|instead|until|till|or|but|rather|once|after|when|whenever|before|because|should(?:n't| i| we)|\w+n't|dont|cant|wont|almost|nearly|half|maybe|might|soon|tomorrow|later)\b/i;

type Rule = (text: string) => readonly string[];

/** The wordings, the nearest to the request first. */
export function otherWords(request: string): readonly string[] {
  if (request.length > MAX_LENGTH) return [];
  const { text, restore } = maskQuotes(request.replaceAll("’", "'").trim());
  const rules = /\?\s*$/.test(text) ? ASKED : SAID;
  const found = new Set([text]);
  for (const wording of found) {
    const plain = withoutManners(wording);
    const others = [
      ...ALWAYS.flatMap((rule) => rule(plain)),
      ...(HINGES.test(plain.replaceAll(DENIED, "is")) ? [] : TOLD.flatMap((rule) => rule(plain))),
      ...(HINGES.test(plain) ? [] : rules.flatMap((rule) => rule(plain))),
    ];
    for (const other of [plain, ...others]) if (found.size < MOST) found.add(other);
  }
  return [...found].slice(1).map((wording) => restore(wording.replaceAll(/\uE000\d+\uE001/g, "“$&”")));
}

const filled = (means: string, parts: RegExpExecArray | null): readonly string[] =>
  parts === null ? [] : [means.replace(/\$(\d)/g, (_, n: string) => (parts[Number(n)] ?? "").trim())];

/** "it doesn't work yet" denies what is told, and not what is wished. */
const DENIED =
  /\b(?:is|are|was|were|does|do|did|has|have)(?: not|n'?t)\b(?! (?:want|mean|let|forget|move|touch|delete|remove|change))/gi;

const THAT = "(?:it|that|this|them|those|the (?:whole )?lot|all of (?:it|them|those))";
const JOINT =
  "(?:\\s*(?:[,;.!:]|\\s-+\\s)+\\s*(?:(?:so|and|therefore|then|please)[, ]+)*|\\s+(?:so|and|therefore|thus|hence|then)[, ]+)";
/** "T-3 is blocked, so put it back in Backlog" */
const REASON_AND_WISH = new RegExp(
  `^(\\S[^,;.!]*?)(?:'s| is| are| was| has| have| needs?| got| became| looks?| turned out| passed| failed| works?| broke| had| hit| came| matters?| does not| doesn'?t| isn'?t| aren'?t| seems?| fell| slipped| stalled| shipped| landed| merged| launched| arrived| can| must)\\b(?: [^,;.!]*?)?${JOINT}([^,;.!]*\\b${THAT}\\b[^,;.!]*)$`,
  "i",
);
/** "T-3 is finished, move it" */
const STATE_AND_WISH = new RegExp(
  `^(\\S[^,;.!]*?(?:'s| is| are| has| have) [^,;.!]+?)${JOINT}(?:can you |you can |please )?(?:move|shift|update|put|drag|set|mark|change) ${THAT}(?: (?:there|accordingly|over|along|on|please))*$`,
  "i",
);

const fromStatement: Rule = (text) => {
  const [, subject, wish] = REASON_AND_WISH.exec(text) ?? [];
  const [, state] = STATE_AND_WISH.exec(text) ?? [];
  // What is made for a reason has a title of its own.
  if (/^(?:add|create|make an?|new|write|build|undo)\b/i.test(withoutManners(wish ?? ""))) return [];
  return [
    ...(state === undefined ? [] : [state]),
    ...(subject === undefined || wish === undefined || state !== undefined
      ? []
      : [withoutManners(wish).replace(new RegExp(`\\b${THAT}\\b`, "i"), subject)]),
  ];
};

/** "delete me the cards", "show to me": whom it is for says nothing of the board. */
const withoutPerson: Rule = (text) => {
  const other = text.replace(/^(\w+) (?:to |for )?(?:me|us) (?:please )?/i, "$1 ");
  return other === text ? [] : [other];
};

/** "what on earth is T-3 about" */
const withoutStress: Rule = (text) => {
  const other = text.replace(
    /^(what|where|who|how|why|which)(?:'s)? (?:on earth|the (?:heck|hell)|exactly|actually|again|even) /i,
    "$1 ",
  );
  return other === text ? [] : [other];
};

const QUESTIONS: readonly (readonly [says: RegExp, means: readonly string[]])[] = [
  [/^(.+) (?:status|state|priority|prio|column)$/i, ["where is $1"]],
  [
    /^(?:count|number of|amount of|total(?: of)?) (.+)$|^(.+) (?:count|total|number)$/i,
    ["how many cards are in $1$2", "how many cards are $1$2", "how many $1$2"],
  ],
  [
    /^(?:what|which)(?: cards| tasks)? (?:did|have|has|'ve) (?:i|we|the team) (?:already |just |all )?(?:complete|finish|ship|close|get done|do|deliver)(?:ed|d|ped)?$/i,
    ["which cards are done"],
  ],
  [
    /^(?:show|give|send|tell|get)? ?(?:me |us )?(?:an? |the )?(?:quick |short |brief |current )?(?:overview|summary|status|picture|rundown|update|report|idea)(?: (?:of|on|about|for))? (?:where (?:we|things) (?:stand|are)|how (?:we|things) (?:are|stand)(?: \w+)?|things|everything|the project|all(?: of)? (?:it|this))$/i,
    ["status"],
  ],
  [
    /^(?:where|how) (?:did|do|have|are|is) (?:we|you|things) (?:get|got|gotten|go|stand|doing|be|at|with|on|up|to|come|along)(?: (?:get|to|at|with|on|along|up|going))* (.+)$/i,
    ["where is $1"],
  ],
  [
    /^(?:anything|something|any cards?|what(?:'s| is| are)?(?: (?:sitting|waiting|standing|lying|stuck|currently|still))*)(?: (?:left|still|currently))? (?:in|under|inside|within) (.+)$/i,
    ["what is in $1"],
  ],
  [
    /^(?:which|what)(?: cards?| tasks?)? (?:has|have|is|are)(?: the)? (?:most|highest|top|more)(?: high| important| urgent| pressing)?(?: priority| prio)?$/i,
    ["which cards are urgent"],
  ],
  [/^(.+) (?:cards?|tasks?|tickets?|items?|ones|stuff|list)$/i, ["which cards are $1", "what is in $1"]],
];

const asQuestion: Rule = (text) =>
  QUESTIONS.flatMap(([says, means]) => {
    const parts = says.exec(text);
    return means.flatMap((each) => filled(each, parts));
  });

/** "backlog?", "urgent?", "dark mode?" */
const bareQuestion: Rule = (text) => {
  const words = text.replace(/^(?:and|the|what about|how about|any|anything)\s+/i, "");
  if (/^(?:who|by whom|whose)(?: did (?:it|that|what))?$/i.test(words)) return ["who changed what"];
  if (/^(?:changes?|news|new|history|updates?)$/i.test(words)) return ["what changed"];
  if (/^(?:how many|count|total)$/i.test(words)) return ["how many cards"];
  if (words === "" || words.split(" ").length > 4) return [];
  return [
    `what is on the ${words}`,
    `what is ${words}`,
    `show ${words}`,
    `what is in ${words}`,
    `which cards are ${words}`,
    `where is ${words}`,
  ];
};

/** Words that say nothing of the board. A chain of them before a wish is a lead-in. */
const FILLER =
  "a about alright also and anyway are as ask asking at be before bit bother bug but can chance could do everyone favor favour folks for forget forgot friend from get good got great guys happy hate hello help here hey hi hiya hope hoping i i'd i'll i'm i've in is it just kind kindly know let like little love lovely maybe me mention meant mind moment morning my nice of oh ok okay on one perhaps please possible pretty quick quickly quite real really remember request saying see so solid sorry soon sort sure team than thanks that that's the then there thing think this though time to today trouble two up us wanna want wanted we well while will wish wonder wondering would yeah yes you your".split(
    " ",
  );
const FILLERS = new Set(FILLER);
const WISH =
  /^(?:move|put|delete|remove|add|create|rename|clear|mark|set|show|list|change|make|sort|swap|undo|drag|send|raise|lower|finish|start|what|which|who|where|when|how|chuck|throw|shove|push|pull|bump|ship|park|kick|wrap|get|take|bring|stick|pop|drop|bin|scrap|prioriti[sz]e|deprioriti[sz]e)(?:'s)?\b/i;
const withoutFillers: Rule = (text) => {
  const words = text.split(" ");
  const first = words.findIndex((word) => !FILLERS.has(word.toLowerCase().replace(/[,.:;!-]+$/, "")));
  return [...words.keys()].slice(1, first + 1).flatMap((at) => {
    const rest = words.slice(at).join(" ");
    return WISH.test(rest) && /(?:[,:.!-]|\b(?:to|you|and|we|please|ask))$/i.test(words[at - 1] ?? "") ? [rest] : [];
  });
};

/** When it is done, at the end of a wish that has no title. */
const withoutTime: Rule = (text) => {
  const other = text.replace(/[\s,]+(?:now|today|then|already|there|actually|finally|at last|this time)$/i, "");
  return other === text || /\b(?:add|create|new|rename|call|title|name|write|build)\b/i.test(text) ? [] : [other];
};

/** On a guess nothing is removed, and nothing is done to many cards. */
const GUESSED =
  /^(?:what|which|who|where|when|how|show|list|find|(?!remove|delete|clear|drop|erase|build)(?!.*\b(?:all|every|each|everything|cards|tasks|tickets)\b))/i;
const spelt: Rule = (text) => (isMasked(text) ? [] : corrections(text).filter((other) => GUESSED.test(other)));

/** They leave out what is told, and look for themselves whether a condition is in it. */
const ALWAYS: readonly Rule[] = [withoutLeftAlone, withoutAsides];
const TOLD: readonly Rule[] = [fromStatement, pointingBack];
const BOTH = [
  ...PLAINER,
  ...SEVERAL,
  pointingBack,
  withoutCries,
  withoutFillers,
  withoutTime,
  fromStatement,
  withoutPerson,
  withoutStress,
  asQuestion,
  spelt,
];
const SAID: readonly Rule[] = BOTH;
const ASKED: readonly Rule[] = [...BOTH, bareQuestion];
