// What a title that is not quoted must not swallow: a second request ("Write docs and remove T-1"),
// or words that say where or when ("Write docs, in Review", "Ready between Review and Done").

const VERBS =
  "add|archive|assign|build|change|clear|close|create|delete|discard|drop|empty|erase|finish|keep|leave|lower|make|mark|move|prioriti[sz]e|put|raise|remove|rename|set|sort|start|swap|tell|throw|trash|undo";
const SWALLOWED_REQUEST = new RegExp(
  `(?:[,;]|\\b(?:and|but|except|unless|then|instead|or)\\b)\\s+(?:then\\s+|also\\s+|not\\s+|do(?:n't| not)\\s+)?(?:${VERBS})\\b`,
  "i",
);

export const swallowsRequest = (title: string): boolean => SWALLOWED_REQUEST.test(title);

const WHERE =
  "(?:in|into|onto|in to|on to|to|on|under|at|within|inside|after|before|between|behind|above|below|beside|next to|following|left of|right of)";
const PLACES = [
  /\b(?:in (?:its|their) (?:place|stead)|(?:up|on) top|right (?:on|at|up) top|(?:at|to|on) (?:the )?(?:very )?(?:top|bottom|end|start|beginning|front)(?: of .+)?|(?:as|in|at|on) (?:the )?(?:first|second|third|last|\d+(?:st|nd|rd|th))(?: one| card| column| place| position| spot)?)$/i,
  // What is left over behind a comma, or where a place was to follow.
  new RegExp(
    `,\\s*(?:and\\s+)?(?:${WHERE}|as|with|for|p[1-4]|prio(?:rity)?|urgent|critical|important|please|instead|(?:make|set|mark|give) (?:it|that|this))\\b`,
    "i",
  ),
  /\s(?:in|to|into|at|of|for|with|from|by|the|an?|and|-+)$/i,
  /^(?:out of|one (?:about|for|more)|another)\b/i,
  // "below T-3", "before the pricing card"
  /\b(?:before|after|above|below|under|behind|between|beside|next to|on top of)\b.*(?:\b[a-z]{1,10}-\d+\b|\b(?:card|task|ticket|one)$)/i,
  /\binstead(?: of .+)?$/i,
  // "a column for ideas, leftmost, and put the pricing one in there"
  /^(?:(?:left|right)-?most|(?:on the )?far (?:left|right)|(?:very )?(?:first|last))$/i,
  new RegExp(`^(?:${VERBS})\\b.*\\b(?:there|it|that|them)$`, "i"),
  /\bp[1-4]\b|\b(?:move|put|set|make|mark|delete|remove|rename)\s+(?:it|that|them)\b/i,
];

/** Whether a title names one of these columns after "in" or "after", or a place of any board. */
export const swallowsPlace = (title: string, columns: readonly string[]): boolean =>
  PLACES.some((place) => place.test(title)) ||
  columns.some((column) => [placed(column), said(column)].some((each) => each.test(title)));

/** "Hooray" of "Hooray instead of Done" */
export const withoutInstead = (title: string): string => title.replace(/\s+instead(?: of .+)?$/i, "");

/** The title without the column that it ends with. */
export function withoutPlace(title: string, columns: readonly string[]) {
  for (const column of columns) {
    const rest = new RegExp(`^(\\S.*?)(?:,?\\s+${placed(column).source}|\\s*${said(column).source})$`, "iu").exec(
      title,
    )?.[1];
    if (rest !== undefined && !swallowsPlace(rest, columns)) return { title: rest, column };
  }
  return undefined;
}

const escaped = (column: string): string => column.replaceAll(/[^\p{L}\p{N}\s]/gu, "\\$&");

/** "Check invoices, Review", "Check invoices (Review)", "Check invoices column Review" */
const said = (column: string): RegExp =>
  new RegExp(
    `(?:(?:,|\\s-+|\\s@)\\s*(?:\\w+\\s+){0,3}${escaped(column)}(?:\\s+(?:column|list|lane))?$|\\(\\s*(?:\\w+\\s+)?${escaped(column)}\\s*\\)$|\\b(?:column|list|lane)\\s+${escaped(column)}$)`,
    "iu",
  );

function placed(column: string): RegExp {
  // "Ring the bank in progress"
  const where = new RegExp(`^${WHERE}\\b`, "i").test(column) ? `(?:${WHERE}\\s+)?` : `${WHERE}\\s+`;
  return new RegExp(
    `\\b${where}(?:the\\s+)?(?:(?:column|list|lane)\\s+)?${escaped(column)}(?![\\p{L}\\p{N}])(?:\\s+(?:column|list|lane))?`,
    "iu",
  );
}
