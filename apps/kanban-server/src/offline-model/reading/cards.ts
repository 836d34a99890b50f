// Ways of asking for changes of cards.

import type { Reader } from "./clause.ts";
import { certainlyCards, readCards } from "./card-phrase.ts";
import { names } from "./names.ts";
import { columnName, readPlace } from "./place-phrase.ts";
import { quotedParts } from "./quotes.ts";

export const move: Reader = (text) => {
  const marked = /^(?:mark|flag)\s+(.+?)\s+(?:as\s+)?(\S+(?:\s\S+)?)$/i.exec(text);
  if (marked?.[1] && marked[2]) return { kind: "move", cards: readCards(marked[1]), column: columnName(marked[2]) };
  const moved = /^(?:move|put|drag|send|shift|bring|push|place|transfer)\s+(.+)$/i.exec(text)?.[1];
  if (moved === undefined) return undefined;
  // A title may contain "to": the first cut whose left side is certainly cards, else the last one.
  const cuts = [...moved.matchAll(/\s+(?:back\s+|over\s+|right\s+)?(?:to|into|onto)\s+/gi)];
  const cut = cuts.find((each) => certainlyCards(moved.slice(0, each.index))) ?? cuts.at(-1) ?? /\s+(?:in|under)\s+/i.exec(moved);
  if (!cut) return undefined;
  const cards = readCards(moved.slice(0, cut.index));
  return cards.length === 0 ? undefined : { kind: "move", cards, ...readPlace(moved.slice(cut.index + cut[0].length)) };
};

export const addCards: Reader = (text) => {
  const added = /^(?:add|create|make|insert|put|new|file|open)\s+(.+)$/i.exec(text)?.[1];
  if (added === undefined) return undefined;
  const { rest, priority } = takePriority(added);
  const found = titlesAfterColon(rest) ?? quotedTitles(rest) ?? bareTitle(rest);
  if (!found || found.titles.length === 0) return undefined;
  return {
    kind: "addCards",
    titles: found.titles,
    ...(found.where === undefined ? {} : readPlace(found.where)),
    ...(priority === undefined ? {} : { priority }),
  };
};

interface Titles {
  readonly titles: readonly string[];
  readonly where?: string;
}

const aCard = "(?:(?:a|an|another|one|two|three|some|the|these)\\s+)?(?:new\\s+)?(?:card|task|ticket|item|todo)s?";
const where = "(?:\\s*,)?\\s+(?:to|in|into|on|under)\\s+";

/** "a card to Backlog: Write docs" */
function titlesAfterColon(text: string): Titles | undefined {
  const found = new RegExp(`^${aCard}(?:${where}([^:]+))?:\\s+(.+)$`, "i").exec(text);
  if (found?.[2] === undefined) return undefined;
  const several = /^(?:\w+\s+)*(?:cards|tasks|tickets|items|todos)\b/i.test(text);
  return { titles: several ? names(found[2]) : [found[2]], ...(found[1] === undefined ? {} : { where: found[1] }) };
}

/** "'Write docs' and 'Write tests' to Backlog": what is quoted before the first "to" or "in" are titles. */
function quotedTitles(text: string): Titles | undefined {
  const [first] = quotedParts(text);
  if (first === undefined) return undefined;
  const quoted = text.slice(text.indexOf(first));
  const cut = new RegExp(where, "i").exec(quoted);
  return cut
    ? { titles: quotedParts(quoted.slice(0, cut.index)), where: quoted.slice(cut.index + cut[0].length) }
    : { titles: quotedParts(quoted) };
}

/** "a card Write docs to Backlog": the last "to" or "in" begins the column. */
function bareTitle(text: string): Titles | undefined {
  const title = new RegExp(`^${aCard}\\s+(?:(?:called|named|titled|saying|to)\\s+)?(.+)$`, "i").exec(text)?.[1];
  const placed = new RegExp(`^(.+)${where}(?!\\d)(.+)$`, "i").exec(title ?? text);
  if (placed?.[1] && placed[2]) return { titles: [placed[1]], where: placed[2] };
  return title === undefined ? undefined : { titles: [title] };
}

export const prioritise: Reader = (text) => {
  const patterns = [
    /^(?:set|change|make|update|put)\s+(?:the\s+)?priority\s+(?:of|for|on)\s+(?<cards>.+?)\s+(?:to|at|=)\s*(?:priority\s+)?(?<n>\d+)$/i,
    /^(?:set|change|make|give|mark|raise|lower|bump|put)\s+(?<cards>.+?)(?:'s)?\s+(?:to\s+|at\s+|as\s+)?(?:a\s+)?priority\s+(?:of\s+|to\s+|=\s*)?(?<n>\d+)$/i,
    /^(?:raise|lower|bump|prioriti[sz]e)\s+(?<cards>.+?)\s+(?:to|at|as)\s+(?:p)?(?<n>\d+)$/i,
  ];
  const found = patterns.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  return found?.cards === undefined ? undefined : { kind: "prioritise", cards: readCards(found.cards), priority: Number(found.n) };
};

export const rename: Reader = (text) => {
  const renamed =
    /^(?:rename|retitle|change the (?:title|name) of|set the title of|call)\s+(.+?)\s+(?:to|into)\s+(.+)$/i.exec(text) ??
    /^(?:rename|call)\s+(\S+)\s+(.+)$/i.exec(text);
  if (!renamed?.[1] || !renamed[2]) return undefined;
  const column = columnName(renamed[1]);
  const isColumn = /\b(?:column|list|lane)\b/i.test(renamed[1]);
  if (isColumn) return { kind: "rename", what: "column", name: column, title: renamed[2] };
  const [query] = readCards(renamed[1]);
  const name = query?.by === "name" ? query.name : renamed[1];
  return {
    kind: "rename",
    what: /\b(?:card|task|ticket)\b/i.test(renamed[1]) || certainlyCards(renamed[1]) ? "card" : "either",
    name,
    title: renamed[2],
  };
};

export const remove: Reader = (text) => {
  const removed =
    /^(?:remove|delete|drop|discard|trash|archive|get rid of|throw away|take)\s+(.+?)(?:\s+(?:away|off the board|from the board))?$/i.exec(
      text,
    )?.[1];
  if (removed === undefined) return undefined;
  const cards = readCards(removed);
  const [only] = cards;
  if (only?.by === "all" && only.priority === undefined)
    return only.column === undefined ? { kind: "clear" } : { kind: "clear", column: only.column };
  return cards.length === 0 ? undefined : { kind: "remove", cards };
};

function takePriority(phrase: string): { rest: string; priority?: number } {
  const found = /,?\s*\b(?:(?:with|at|of|and)\s+)?(?:a\s+)?(?:priority|prio)\s*(?:of|:|=|is)?\s*(\d+)\b/i.exec(phrase);
  if (!found) return { rest: phrase };
  return {
    rest: `${phrase.slice(0, found.index)} ${phrase.slice(found.index + found[0].length)}`.replace(/\s+/g, " ").trim(),
    priority: Number(found[1]),
  };
}
