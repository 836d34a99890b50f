// Several wishes that share their words, each said whole: "In Progress: first card to Review, last
// card to Backlog", "add 'A' p1 and 'B' p4 to Review". Quotes are masked.

const QUOTED = "\uE000\\d+\uE001";
const LEVEL = "(?:,?\\s*\\(?(?:with |at |as )?(?:priority |prio |p)[1-4]\\)?)";
const ITEM = `${QUOTED}${LEVEL}?`;
const AND = "\\s*(?:,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*&\\s*)";

const TITLES_WITH_LEVELS = new RegExp(
  `\\b(?:add|create|make|put|new)\\s+(?:(?:two|three|four|\\d|the|new|some|these)\\s+)*(?:(?:cards|tasks|tickets|items)\\s*:?\\s+)?(${ITEM}(?:${AND}${ITEM})+)((?:,?\\s+(?:both |all )?(?:to|in|into|under)\\s+(?:(?!${AND}|,|;|\\bthen\\b).)+)?)`,
  "i",
);

/** A card of its own for each title, where they have priorities. */
function eachTitle(text: string): readonly string[] {
  const found = TITLES_WITH_LEVELS.exec(text);
  const [whole = "", list = "", place = ""] = found ?? [];
  if (found === null || !new RegExp(LEVEL, "i").test(list)) return [];
  const adds = [...list.matchAll(new RegExp(`(${QUOTED})(${LEVEL})?`, "gi"))].map(([, title = "", said]) => {
    const level = said === undefined ? "" : ` with priority ${/[1-4]/.exec(said)?.[0] ?? ""}`;
    return `add a card ${title}${place.replace(/^,?\s+(?:both |all )?/, " ")}${level}`;
  });
  return [text.replace(whole, () => adds.join(" and "))];
}

const PLACE_FIRST = new RegExp(
  `^(?:add|create|make|put|new)\\s+(?:(?:two|three|four|\\d|the|new|some|these)\\s+)*(?:cards|tasks|tickets|items)\\s+((?:to|in|into|under)\\s+[^:]+):\\s+(${ITEM}(?:${AND}${ITEM})+)$`,
  "i",
);

/** "add two cards to Review: 'A' p1 and 'B' p4" */
function placeFirst(text: string): readonly string[] {
  const [, place, list] = PLACE_FIRST.exec(text) ?? [];
  return place === undefined ? [] : [`add ${list} ${place}`];
}

const HEADED = /^((?:(?:in|from|of) (?:the )?(?=.+[:,]))?)([^,:;]{2,40})[:,]\s+(.+)$/i;
const FROM_THERE =
  /^(?:the\s+)?((?:first|last|top|bottom|second|third|fourth|\d(?:st|nd|rd|th))(?:\s+(?:one|two|three|\d))?)(?:\s+(?:cards?|tasks?|ones?))?\s+(.+)$/i;

/** What follows the name of a column is about its cards. */
function headed(text: string): readonly string[] {
  const [, within = "", column, list] = HEADED.exec(text) ?? [];
  const clauses = (list ?? "").split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/i).map((clause) => FROM_THERE.exec(clause));
  if (column === undefined || clauses.some((clause) => clause === null)) return [];
  // "In Progress" is a column, and "in Review" is within one.
  return [`${within}${column}`, column].map((name) =>
    clauses.map((clause) => `move the ${clause?.[1]} card in ${name} ${clause?.[2]}`).join(", "),
  );
}

/** "remove the Done column and its cards" */
function withItsCards(text: string): readonly string[] {
  const [, column] =
    /^(?:remove|delete|drop|get rid of|scrap|bin) (?:the )?(?:(?:column|list|lane) )?(.+?)(?: (?:column|list|lane))?,? (?:and|with|together with|along with|including) (?:all )?(?:of )?(?:(?:its|the) (?:cards|tasks|contents?|tickets|items)(?: in it)?|(?:all|everything) (?:the cards )?(?:in|inside|on) it|(?:all )?(?:the )?cards (?:in|inside|on) it)$/i.exec(
      text,
    ) ?? [];
  return column === undefined ? [] : [`clear ${column}, then delete the ${column} column`];
}

const CARD_FOR_ME =
  /^(?:add|pop|put|make|create|stick|chuck|throw|slip|squeeze|open|write|start|i need|we need)(?: me)? (?:a|an|another|one|a new|one more|a quick|a little) (?:card|task|ticket|item)(?: in| on| up)?(?: there)?(?: for (?:me|us))?\s*[?.,:;!-]+\s*/i;
const CALLED = new RegExp(
  `^(?:something like|say|maybe|like|e\\.?g\\.?|perhaps|called|named|it's called|call it|titled|title|it should say|it says|saying)?[:,]?\\s*(${QUOTED})(?:\\s*[,.;-]+\\s*(?:in(?:to)? |to |and )?(?:the )?(.+?)(?: column)?(?: (?:is|would be|will be|'s) (?:fine|ok|okay|good|great|best|perfect|alright|enough)| (?:will|would|should) do| works(?: for me)?| please)?)?$`,
  "i",
);

/** "pop a card in for me? something like 'Call Ada', Backlog is fine" */
function describedAfter(text: string): readonly string[] {
  const start = CARD_FOR_ME.exec(text);
  const [, title, place] = start === null ? [] : (CALLED.exec(text.slice(start[0].length)) ?? []);
  return title === undefined ? [] : [`add a card ${title}${place === undefined ? "" : ` to ${place}`}`];
}

const NUMBER_AFTER =
  /^(?:(?:is it |it is |it's |is )?possible to )?(?:give|set|raise|make|change|put|increase|lower|assign)(?: (?:a|an|the|some))?(?: (?:more|higher|lower|less|another|different|new))? (?:priority|prio) (?:to|at|for|of|on) ([^?.,!;]+)[?.,!;]+ (?:(?:i|we) (?:want|need|would like|'d like|wish|think)|make it|let's say|should be|it should be|to)(?: it)?(?: to be| at| as| be)?(?: a)?(?: priority| prio)? ?p?([1-4])$/i;

/** "can you change the priority of T-3? I want 1" */
function numberAfter(text: string): readonly string[] {
  const [, card, level] = NUMBER_AFTER.exec(text) ?? [];
  return card === undefined ? [] : [`set the priority of ${card} to ${level}`];
}

const TITLE = "((?:(?!\\b(?:and|with|then|prio(?:rity)?|p[1-4])\\b|[,;]).)+?)";
const TWO_CARDS = new RegExp(
  `^(?:add|create|make|(?:(?:can|could) (?:we|i|you) )?(?:get|have|add|create|make)|(?:i|we) (?:also )?need)(?: me| us)? an?(?: new)? (?:card|task|ticket) (?:for|about|called|named) ${TITLE},? and another(?: one| card)? (?:for|about|called|named) ${TITLE}[?.!]*$`,
  "i",
);
/** "add a card for the blog post and another one for the newsletter" */
function twoCards(text: string): readonly string[] {
  const [, one, other] = TWO_CARDS.exec(text) ?? [];
  return one === undefined || other === undefined ? [] : [`add a card “${one}” and add a card “${other}”`];
}

/** Each way to say the wishes of a text one by one. */
export const SEVERAL = [twoCards, eachTitle, placeFirst, headed, withItsCards, describedAfter, numberAfter] as const;
