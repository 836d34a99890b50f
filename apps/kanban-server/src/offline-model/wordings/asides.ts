// What is told beside a wish: "we just shipped the pricing card, put it in Done", "move it up, they
// love it". What the wish is about stays; what is only told is left out.
//
// Invariant: what is left out names no action, no card and no place, and sets no condition. What
// comes before a wish is left out only where the wish does not point back at it.

import { ACTIONS } from "../grammar/words.ts";
import { withoutManners } from "../reading/manners.ts";
import { isMasked } from "../reading/quotes.ts";

const TELLER =
  "(?:i|we|they|you|he|she|it|that|this|those|somebody|someone|nobody|no one|everybody|everyone|people|customers|users|clients|folks|(?:the|my|our) (?:team|boss|manager|client|customer|customers|users|ceo|cto))";
const TOLD = new RegExp(`^(?:(?:so|because|since|cause|as|for|and) )?${TELLER}(?:'\\w+)?\\s+\\S`, "i");
const CONDITION =
  /\b(?:unless|if|except|until|till|or|but|instead|rather|when|whenever|before|after|then|please|should|must|need|needs|ought|not|don't|dont|never|can|could|would|also|too)\b/i;
const OF_BOARD =
  /\b(?:cards?|tasks?|tickets?|columns?|priority|urgent|backlog|progress|review|done|top|bottom|[a-z]{1,10}-?\d+|p\d)\b|\d/i;

/** It may be another card: "they asked for the export". */
const OF_SOMETHING =
  /\S\s.*\b(?:the|an?|another|my|our|this|that|these|those|its|their|there)\s*\b|\b(?:want|ask|request|prefer|expect|forgot|forget|miss|like|love)(?:s|ed|ted|d|ing)?\b(?! (?:it|to)\b)|\b(?:ones?|things?)\b/i;

const BACK = "(?:it|that|this|them|those|(?:the (?:whole )?lot|all of (?:it|them|those)))";
const POINTS_BACK = new RegExp(`\\b${BACK}\\b|\\b(?:there|that one|this one|the same)\\b`, "i");

/** What is told says what the help is for. */
const FOR_HELP = /\bhelp\b/i;

/** What is not the case, and what something needs, sets no condition: "it doesn't work yet". */
const DENIED =
  /\b(?:(?:do|does|did)(?: not|n'?t)|no longer)(?: really)? needs? (?:it|them|that|this)\b|\b(?:is|are|was|were|does|do|did|has|have|can|could)(?: not|n'?t)\b(?! (?:want|mean|let|forget))|\bno longer\b|\bneeds? (?!to\b|it\b|them\b)/gi;
/** "it is still all over the place": a reason in words of its own. */
const REASONS = [
  /^(?:because |since |as )?(?:we|i)(?:'re| are|'m| am) (?:all |now |finally )*(?:finished|done|through|ready)(?: here| now| with (?:it|everything|this))?$/i,
  /^(?:i|we) (?:want|need|would like|'d like) to (?:start|begin) (?:fresh|over|again|anew|afresh|from scratch)$/i,
];
/** "all ten of them", "keep the rest": it adds nothing to what was said of several. */
const ALL_SAID =
  /^(?:both|all|each|every (?:single )?one|the lot)(?: (?:\w+ )?of (?:it|them|those|these))?$|^all (?:\w+ )?of (?:it|them|those|these)$/i;
const REST_STAYS =
  /^(?:(?:but |and )?(?:please )?(?:keep|leave) (?:the rest|everything else|all the others?|the others?)(?: alone| as (?:it|they) (?:is|are)| where (?:it|they) (?:is|are))?|(?:the rest|everything else|the others?) (?:stays?|can stay|remains?)|nothing else|no others?)$/i;
const OF_SEVERAL = /\b(?:everything|all|every|and|both|cards|tasks|\w{4,}s)\b/i;

function isAside(text: string): boolean {
  if (REASONS.some((each) => each.test(text))) return true;
  if (!TOLD.test(text) || isMasked(text)) return false;
  const told = text.replaceAll(DENIED, "is ");
  if (OF_BOARD.test(text) || CONDITION.test(told) || OF_SOMETHING.test(told)) return false;
  return !text
    .toLowerCase()
    .split(/[^\p{L}'-]+/u)
    .slice(1)
    .some((word) => word !== "work" && ACTIONS.has(word));
}

/** "flicker to the top of Done, we want to brag about it" */
export function withoutAsides(text: string): readonly string[] {
  const parts = text.split(/(?:\s*[,;.!:]+|\s-+)\s+/);
  if (parts.length < 2) return [];
  const last = parts.at(-1) ?? "";
  const first = parts[0] ?? "";
  const before = text.slice(0, text.lastIndexOf(last)).replace(/[\s,;.!:-]+$/, "");
  const after = text.slice(first.length).replace(/^[\s,;.!:-]+/, "");
  const isMore = ALL_SAID.test(last) && OF_SEVERAL.test(before);
  return [
    ...(isAside(last) || isMore || REST_STAYS.test(last) ? [before] : []),
    ...within(text, parts),
    ...(isAside(first) && !POINTS_BACK.test(after) && !FOR_HELP.test(after) ? [after] : []),
  ];
}

/** "drop T-3, we don't need it, and move T-4 up" */
const within = (text: string, parts: readonly string[]): readonly string[] =>
  parts.slice(1, -1).flatMap((part) => {
    if (!isAside(part)) return [];
    const at = text.indexOf(part);
    return [
      `${text.slice(0, at).replace(/[\s,;.!:-]+$/, "")}, ${text.slice(at + part.length).replace(/^[\s,;.!:-]+/, "")}`,
    ];
  });

/** "T-3 is finished, yay! move it" */
export function withoutCries(text: string): readonly string[] {
  const other = text.replace(CRY, "$1");
  return other === text ? [] : [other];
}
const CRY =
  /[\s,;.!-]+(?:yay|hooray|hurray|woohoo|wohoo|phew|wow|finally|at last|great|nice|cool|awesome|perfect|sweet|lol|haha|congrats|ugh|argh|oh no|sigh|whoops|oops)(?=\s*[,;.!])\s*([,;.!]+\s*)/i;

const JOINT = "(?:\\s*(?:[,;.!:?]|\\s-+\\s)+\\s*(?:(?:so|and|therefore|then|please)[, ]+)*|\\s+(?:so|and)[, ]+)";
/** "we just shipped the pricing card, park it in Done" */
const NEWS = new RegExp(
  `^(?:i|we|they|you|he|she|somebody|someone|people|customers|users|the \\w+|my \\w+|\\p{Lu}\\w+)(?:'ve|'s| have| has| had)? (?:(?:just|already|finally|actually|now) )*(?:\\w+ed|did|done|got|built|wrote|sent|made|fixed|found|paid|won|lost|saw|needs?|wants?|likes?|loves?|hates?)(?: (?:off|up|out|on|with|at|about|rid of|back))? ((?:the |our |my )[^,;.!?:]+?|[a-z]{1,10}-\\d+)(?: (?:again|today|yesterday|just now|at last|finally|now|this morning|anyway))*${JOINT}([^,;.!]*\\b${BACK}\\b[^,;.!]*)$`,
  "iu",
);
/** "last one in Done, drop it back into Review" */
const TOPIC = new RegExp(`^([^,;.!?:]{2,60})(?:\\s*[,:?.!]+|\\s-+)\\s*([^,;.!]*\\b${BACK}\\b[^,;.!]*)$`, "i");
const VERB = /^(?:back|off|over|straight|\w+)\b/i;
const MAKES = /^(?:add|create|make an?|new|write|build|undo)\b/i;

/** The wish with what it points back at. */
export function pointingBack(text: string): readonly string[] {
  return [NEWS, TOPIC].flatMap((each) => {
    const [, subject, said = ""] = each.exec(text) ?? [];
    const wish = withoutManners(said);
    if (subject === undefined || MAKES.test(wish) || !VERB.test(wish)) return [];
    return [wish.replace(new RegExp(`\\b${BACK}(?: (?:one|card|task|thing))?\\b`, "i"), subject.trim())];
  });
}
