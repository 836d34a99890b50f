// The same wish in plainer words: "n" for "and", a list of titles after how many there are, a place
// and a priority after commas, and what is only said to be left alone. Quotes are masked.

import { names } from "../reading/names.ts";
import { countOf } from "../reading/count.ts";

type Rule = (text: string) => readonly string[];

const other = (text: string, plain: string): readonly string[] => (plain === text ? [] : [plain]);

/** "T-2 n T-3" */
const and: Rule = (text) => other(text, text.replaceAll(/(?<=\S)\s+(?:n|'n'|'n|\+)\s+(?=\S)/g, " and "));

/** "make it super urgent", "all cards currently in Review" */
const unstressed: Rule = (text) =>
  other(
    text,
    text
      .replaceAll(/\b(?:super|really|extremely|pretty|quite|so|totally) (?=urgent|important|critical)/gi, "")
      .replaceAll(/ (?:currently|presently|right now|at the moment)(?= (?:in|to|under)\b)/gi, "")
      .replaceAll(/\b(that|this|the first|the last|the other) one's(?= )/gi, "$1 one is"),
  );

/** "switch: T-1 to Done and T-2 to Review" */
const headless: Rule = (text) =>
  other(
    text,
    text.replace(/^(?:switch|moves?|changes?|updates?|shuffle|swap|todo)(?: around)?:\s+(?=.+ (?:to|into) )/i, "move "),
  );

const SEVERAL =
  /^(?:(?:i|we)(?:'d| would)? (?:need|want|like|have)|add|create|make|give me|put in|let's have|new)(?: me)? (?:(two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) )(?:more |new |extra )*(?:cards|tasks|tickets|items)((?: (?:in|for|to|on|under) (?:the )?[^,:;]{2,30})?)\s*[,:;-]+\s+(.+)$/i;
/** "I need two cards in Review, logo and footer": as many titles as are said. */
const counted: Rule = (text) => {
  const [, count, place = "", list = ""] = SEVERAL.exec(text) ?? [];
  const titles = names(list);
  return count === undefined || titles.length !== countOf(count) ? [] : [`add cards${place}: ${titles.join(", ")}`];
};

const LEVEL = "(?:urgent|(?:very )?important|critical|(?:top|high) prio(?:rity)?|p[1-4]|prio(?:rity)? [1-4])";
const LISTED = new RegExp(
  `^((?:add|create|make|open|new)(?: me)?(?: an?| another)?(?: new)? (?:card|task|ticket|item|todo)s?|new|todo):? ([^,:;]+),\\s*(?:(?:in|to|into|under)(?! progress) )?(?:the )?([^,;:]+?)(?:,\\s*(?:and )?(${LEVEL}))?$`,
  "i",
);
/** "new card: call Bob, Review, urgent" */
const listed: Rule = (text) => {
  const [, , title, place = "", level] = LISTED.exec(text) ?? [];
  if (title === undefined || new RegExp(`^${LEVEL}$`, "i").test(place)) return [];
  const digit = level === undefined ? undefined : (/[1-4]/.exec(level)?.[0] ?? "1");
  return [`add a card “${title}” to ${place}${digit === undefined ? "" : ` with priority ${digit}`}`];
};

/** "keep T-3, the other two in Done can be deleted" */
const keeping: Rule = (text) => {
  const [, kept, count, where] =
    /^keep (.+?)(?:,|;| and| but)+ (?:the )?other(?: (two|three|four|five|\d))?(?: (?:cards|ones))? ((?:in|of|from) .+?) (?:can|should|may|must) (?:be (?:deleted|removed|binned|dropped)|go)$/i.exec(
      text,
    ) ?? [];
  return kept === undefined
    ? []
    : [`remove ${count === undefined ? "everything" : `the ${count} cards`} ${where} except ${kept}`];
};

/** "just keep what is in Review, the rest is old, remove it" */
const keepOnly: Rule = (text) => {
  const kept =
    /^(?:just |only )?keep (?:just |only )?(.+?)[,;.] (?:the rest|everything else|all the rest)(?: (?:is|are|can|should|must)\b[^,;]*)?[,;]? ?(?:and )?(?:(?:remove|delete|bin|scrap|trash|drop) (?:it|that|them|the rest)|(?:can|should|must) (?:go|be (?:removed|deleted)))$/i.exec(
      text,
    )?.[1];
  return kept === undefined
    ? []
    : [`remove everything except ${kept.replace(/^what(?:ever|'s)?(?: is)? /i, "cards ")}`];
};

/** "for T-3, change the title to 'Find'" */
const cardFirst: Rule = (text) => {
  const [, card, verb, what, rest] =
    /^for (?:card )?([^,:]+)[,:] (?:please )?(change|set|update|edit|make) (?:the|its) (title|name|priority) (.+)$/i.exec(
      text,
    ) ?? [];
  return card === undefined ? [] : [`${verb} the ${what} of ${card} ${rest}`];
};

export const PLAINER: readonly Rule[] = [cardFirst, and, headless, unstressed, counted, listed, keeping, keepOnly];

const ALONE =
  "(?:leave|keep|let) (?<left>[^,;.]+?) (?:alone|be|untouched|as (?:it|they) (?:is|are)|where (?:it|they) (?:is|are))(?: for now| now| please)*";
const NOT = "(?:please )?(?:do not|don'?t|never) (?:touch|move|change|delete|remove|alter|bin|edit) (?<not>[^,;.]+?)";
const LEFT_ALONE = new RegExp(
  `^(?:please )?(?:${ALONE}|${NOT})(?:[,;.!]+\\s+(?:(?:but|and|just|only|instead|rather|please|do)\\s+)*|\\s+but\\s+(?:(?:just|only|instead|please|do)\\s+)*)(?<wish>\\S.+)$`,
  "i",
);
const ANYTHING = /^(?:any\w*|anything else|any (?:of the )?cards?|(?:all )?the (?:others?|rest)|others?)$/i;

/** "leave T-1 alone, but start T-2": the wish must not name what is left alone. */
export function withoutLeftAlone(text: string): readonly string[] {
  const { left, not, wish } = LEFT_ALONE.exec(text)?.groups ?? {};
  const alone = left ?? not;
  if (alone === undefined || wish === undefined || /^(?:do|don'?t|not)\b/i.test(wish)) return [];
  const said = new Set(wish.toLowerCase().split(/[^\p{L}\p{N}-]+/u));
  const isNamed = alone
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .some((word) => word.length > 2 && !/^(?:the|card|cards|one|ones|column|task|and)$/.test(word) && said.has(word));
  return (ANYTHING.test(alone) || !isNamed) && !/\b(?:it|them|that|all|everything|every)\b/i.test(wish) ? [wish] : [];
}
