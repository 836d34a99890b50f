// What follows on the last request, said whole: "actually, review" after "move T-1 to Done", "and
// the pricing one too", "the second one" of a column that was shown.
//
// Invariant: a follow-up is read only after a request that it can follow, and names a place, cards
// or a level by itself.

import type { Intent } from "../intent.ts";
import { withoutManners } from "../reading/manners.ts";
import { clauseFor } from "../words/in-words.ts";

/** It stands for the cards while the last wish is put in words. */
const CARDS = "T-0";
const MOST_WORDS = 8;

export function followUps(request: string, last: Intent | undefined): readonly string[] {
  if (last === undefined) return [];
  const text = withoutManners(request);
  return [
    ...renamed(text, last),
    ...changed(text, last),
    ...more(request, last),
    ...ofColumn(text, last),
    ...allOfIt(text, last),
    ...placed(text, last),
  ];
}

/** "call it 'Find' rather" */
function renamed(text: string, last: Intent): readonly string[] {
  const title =
    /^(?:call|name|rename|title|make) (?:it|that|this|the card)(?: (?:to|into))? (.+?)(?: instead| rather)?$/i.exec(
      text,
    )?.[1];
  if (last.kind !== "rename" || last.what === "column" || title === undefined) return [];
  return [`rename “${last.title}” to “${title.replaceAll(/[“”"]/g, "")}”`];
}

/** The last wish for other cards: all of its words but those of the cards. */
function wishFor(cards: string, last: Intent): string | undefined {
  if (!("cards" in last) || !Array.isArray(last.cards)) return undefined;
  return clauseFor({ ...last, cards: [{ by: "name", name: CARDS }] } as Intent)?.replace(CARDS, () => cards);
}

const cardsIn = (last: Intent): string | undefined =>
  /^move (.+) to T-0$/.exec(
    ("cards" in last &&
    Array.isArray(last.cards) &&
    last.cards.length > 0 &&
    last.cards.every(({ by }) => by === "name")
      ? clauseFor({ kind: "move", cards: last.cards, column: CARDS })
      : undefined) ?? "",
  )?.[1];

/** "actually, review", "to Done please", "make that a 2" */
function changed(text: string, last: Intent): readonly string[] {
  const cards = cardsIn(last);
  if (cards === undefined || /\b(?:it|them|those|these)$/i.test(text)) return [];
  const [, to, place] =
    /^(?:(?:make|have) (?:it|that) |rather |better |no |not there,? )?(to |in |into |on )?((?:the )?\S+(?: \S+)?)(?: (?:instead|rather|then|though))?$/i.exec(
      text,
    ) ?? [];
  const said = /(?:^|[.?!] )i (?:said|meant|wanted|asked for) (.+?),? (?:and )?not .+$/i.exec(text)?.[1];
  if (last.kind === "move" && said !== undefined) return [`move ${cards} to ${said}`];
  if (last.kind === "move" && place !== undefined && (last.column !== undefined || to !== undefined))
    return [`move ${cards} to ${place}`];
  const level =
    /^(?:(?:make|have) (?:it|that) |rather |better )?(?:an? )?(?:p|prio |priority )?([1-4])(?: instead| rather)?$/i.exec(
      text,
    )?.[1];
  return last.kind === "prioritise" && level !== undefined ? [`set priority of ${cards} to ${level}`] : [];
}

const MORE = [
  /^(?:do |and |also )*(?:the )?(?:same|ditto|likewise)(?: thing)?(?: again)?(?: (?:for|with|to|goes for))? (?!(?:as|time|place)\b)(.+)$/i,
  /^(?:and|also|plus|then)(?: also)? ((?!(?:then|move|make|put|it|that|them|what|who|how)\b)[^,;.]+?),?(?: (?:too|as well|also))?$/i,
  /^([^,;.]+?),? (?:too|as well|also)$/i,
];

/** "and the pricing one too", "same for T-3" */
function more(request: string, last: Intent): readonly string[] {
  const text = request
    .trim()
    .replace(/[.!\s]+$/, "")
    .replace(/,? (?:please|pls|thanks|thx)$/i, "");
  if (text.split(" ").length > MOST_WORDS) return [];
  return MORE.flatMap((each) => {
    const cards = each.exec(text)?.[1];
    return cards === undefined ? [] : (wishFor(cards, last) ?? []);
  });
}

/** "move the second one to Done" after "what is in Review?" */
function ofColumn(text: string, last: Intent): readonly string[] {
  if (last.kind !== "ask" || last.about !== "column") return [];
  const found =
    /\b(?:the )?((?:very )?(?:first|second|third|fourth|fifth|last|top|bottom|middle|\d(?:st|nd|rd|th))(?: (?:two|three))?)(?: (?:ones?|cards?))?(?=$|\s(?!(?:card|of|in|from|column)\b))/i.exec(
      text,
    );
  return found === null ? [] : [text.replace(found[0], () => `the ${found[1]} card in ${last.name}`)];
}

/** "delete all of it" after the board, or a column, was shown */
function allOfIt(text: string, last: Intent): readonly string[] {
  const all = /\b(?:all of (?:it|them|these|those)|it all|them all|the (?:whole )?lot)\b/i;
  if (last.kind !== "ask" || !all.test(text)) return [];
  if (last.about === "board") return [text.replace(all, "everything")];
  return last.about === "column" ? [text.replace(all, () => `everything in ${last.name}`)] : [];
}

/** "and at the top" after a move; "put it before Done" after a column was added */
function placed(text: string, last: Intent): readonly string[] {
  const end = /^(?:and |but )?(?:right |please )?(?:at|to|on) the (?:very )?(top|bottom)(?: please)?$/i.exec(text)?.[1];
  const cards = cardsIn(last);
  if (end !== undefined && last.kind === "move" && last.column !== undefined && cards !== undefined)
    return [`move ${cards} to the ${end} of ${last.column}`];
  const beside =
    /^(?:put|move|place|add) (?:it|that|this|the column) ((?:right |directly )?(?:before|after|to the (?:left|right) of) .+)$/i.exec(
      text,
    )?.[1];
  const [column, another] = last.kind === "addColumns" ? last.titles : [];
  return beside === undefined || column === undefined || another !== undefined
    ? []
    : [`move the ${column} column ${beside}`];
}
