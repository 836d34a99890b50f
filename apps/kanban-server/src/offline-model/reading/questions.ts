// Reads questions about the board and its log, and requests for help.

import { commonIntent, LATELY, ON_BOARD } from "@opstate/chat-model/common-intents.ts";
import { defined } from "@opstate/core";
import type { Intent } from "../intent.ts";
import { certainlyCards, cleanName, readSet } from "./card-phrase.ts";
import type { Reader } from "./intents.ts";
import { NOT_A_QUESTION } from "./phrasings.ts";
import { columnName } from "./place-phrase.ts";
import { timeSpanIn } from "./time-span.ts";

const BOARD = new RegExp(
  `^(?:(?:(?:show|list|describe|read|summari[sz]e|explain)(?: me)?|summary of|status of|overview of|state of)(?: (?:the|my|our|this))?(?: whole| entire| current)? board|(?:show|list)(?: me)?(?: all)?(?: (?:the|my|our))? (?:cards|tasks|tickets|everything)|summari[sz]e(?: it| that| this| everything| what you did)?|(?:give me )?(?:a |an |the )?(?:short |quick |brief |current )?(?:status(?: (?:update|report))?|overview|summary|report|update|recap|rundown)(?: please)?(?: of (?:the|my|our|this) board)?|what(?:'s| is)(?: there)? (?:on|in) (?:the|my|our|this) board|(?:what(?:'s| is) )?the (?:total )?(?:number|amount|count) of (?:cards|tasks|tickets|items)|how many (?:cards|tasks|tickets|items)(?: (?:are there|are|there are|is there|do (?:we|i) have|exist|in total|total|altogether|all together|overall))*|what(?:'s| is) (?:the |our )?(?:current )?(?:status|state|situation)|how(?:'s| is| are) (?:the board|things|we|everything|it|it all)(?: (?:going|doing|looking|coming along|shaping up))?|where do (?:we|things) stand|(?:quick )?(?:recap|rundown|roundup)|sum (?:it |this )?up|(?:count|how many)(?: (?:the|all|are))?(?: the)?(?: cards| tasks| tickets)?(?: are there| do we have)? (?:by|per|in each|for each|in every) (?:column|list|lane|status)|where (?:are we|do we stand)|what cards (?:are there|do we have)|where are (?:the|my|our|all)(?: the)? (?:cards|tasks)|what do we have)${ON_BOARD}${LATELY}$`,
  "i",
);
const COLUMNS =
  /^(?:(?:show|list|name)(?: me)?(?: all)?(?: (?:the|my|our))? (?:columns|lists|lanes)|(?:what|which|how many) (?:are |is )?(?:the |our |my |all )*(?:columns?|lists|lanes)(?: (?:are there|are they|do (?:we|i|you) have|there are|called|named|does (?:the|this) board have|exist|is there|are on the board|on (?:the|this) board|here))*|(?:what are |list |show )?(?:the |our )?(?:column|list|lane) (?:names|titles)|(?:what are |list |show )?(?:the )?(?:names|titles) of (?:the |our |all )*(?:columns|lists|lanes)|how (?:are|is) (?:the|our) (?:columns|lists|lanes) (?:called|named))$/i;
const FULLEST =
  /^(?:(?:what|which) (?:column|list|lane) (?:has|holds|contains|got|is)(?: the)? (?:most|fewest|least|biggest|largest|fullest|longest|shortest|smallest|emptiest)(?: .*)?|where are (?:the )?most (?:of the )?(?:cards|tasks)|(?:the )?(?:biggest|largest|fullest|longest) column)$/i;
const NEXT =
  /^(?:what(?:'s| is) on (?:my|our) (?:plate|list|agenda)(?: today| now)?|what am i (?:supposed|meant|expected) to (?:do|work on)(?: next| now| today)*|what do i (?:have|need) to (?:do|work on)(?: next| now| today)*|what (?:should|could|can|shall|do|must|would|will) (?:i|we|you)(?: (?:need|have|suggest|recommend|advise|propose)(?: (?:to|that|i|we))*)? (?:do|work on|start(?: with)?|tackle|pick(?: up)?|take)(?: (?:next|first|now|today))*|what(?:'s| is| comes)(?: up)? (?:next|first)|what(?:'s| is) (?:the )?(?:most (?:important|urgent|pressing)|next)(?: (?:card|task|thing|one))?(?: (?:to do|now|right now))?|(?:where|what) (?:to|should i) (?:start|do next|begin)|suggest (?:something|a card|the next .+)|(?:which|what) (?:card|task) (?:should|is) (?:i|we)?(?: ?(?:do|take|next|start|work on))+(?: (?:next|first|on))*)$/i;
const PROGRESS =
  /^(?:how (?:much|many percent|much of it|much work)(?: of (?:it|the (?:work|board|cards)))?(?: is| are| have been| has been)? (?:already )?(?:done|finished|completed|complete)|how far (?:are|have) we(?: (?:come|got|gotten|along))?|(?:what(?:'s| is) )?(?:the |our )?progress|are we (?:nearly |almost )?(?:done|finished)(?: yet)?|how (?:close|near) are we(?: to done)?|what percent(?:age)? is done)$/i;
const VERBED =
  "(?:moved|touched|changed|edited|created|added|removed|deleted|renamed|made|wrote|put|did|prioriti[sz]ed|last (?:moved|touched|changed|edited)|set|finished|updated)";

/** Who did it: one word, and not what follows a question word by itself. */
const DOER = "(?:the )?(?!(?:it|that|this|the|cards?)\\b)(?<by>[\\p{L}\\d_-]+)";
const DID =
  "(?:move|touch|change|edit|create|add|remove|delete|rename|make|write|put|prioriti[sz]e|set|finish|update|mark|take)";

const WHAT_WAS_DONE = [
  // "why did you move T-3"
  new RegExp(
    `^(?:when|why|how come|how) (?:did|have|has) (?:the )?(?:[\\p{L}\\d_-]+) (?:just |already )?(?:${DID}|${VERBED}) (?!(?:it|that|this)\\b)(?<name>.+?)(?: (?:to|into|in|there|here|back|last|up|down|urgent|done|from|off)\\b.*)?$`,
    "iu",
  ),
  new RegExp(
    `^(?:how (?:many|much)|which|what)(?: (?:cards|tasks|tickets|changes|things))?(?: of them)? (?:did|has|have) ${DOER} (?:${DID}|${VERBED})(?: .*)?$`,
    "iu",
  ),
  new RegExp(
    `^(?:what|which)(?: all| else| cards| changes)? (?:did|has|have) ${DOER} (?:just |been |already )?(?:do|done|doing|changing|up to|${DID}|${VERBED})(?: .*)?$`,
    "iu",
  ),
  /^who (?:was|is|has been) (?:moving|changing|editing|touching|adding|removing|renaming|finishing) (?<name>.+)$/i,
  // "did anyone move T-3"
  new RegExp(
    `^(?:did|has|have) (?:the )?(?:[\\p{L}\\d_-]+) (?:just |already |ever )?(?:${DID}|${VERBED}) (?!(?:it|that|this|anything|something)\\b)(?<name>.+?)(?: (?:to|into|in|there|lately|recently|today|yet|already)\\b.*)?$`,
    "iu",
  ),
  /^(?:was|were|has|have) (?!(?:any|some|every|no)(?:body|one|thing)\b)(?<name>.+?) (?:been )?(?:moved|changed|edited|touched|renamed|updated)(?: .*)?$/i,
  new RegExp(
    `^(?:who|when)(?: has| was it that)? (?:${VERBED}) (?:the )?(?:priority|prio|title|name|column|place) (?:of|for|on) (?<name>.+)$`,
    "i",
  ),
  /^(?:(?:are|is) there )?(?:is )?any(?:thing)? (?:changes?|new|news|edits?|updates?) (?:to|with|on|about|of|in|for) (?!(?:the|this|our|my) board)(?<name>.+)$/i,
  /^(?:why(?:'s| is| are)|how come) (?<name>.+?) (?:is |are )?(?:(?:still|already|now|not) )*(?:in |under )?(?:the )?(?:here|there|gone|p[1-4]|urgent|done|finished|so \w+|(?:low|high|top|priority)(?: .*)?|backlog|in progress|progress|review|\w+ column)$/i,
  new RegExp(
    `^who(?: has| was it that| else)? ${VERBED} (?<name>.+?)(?: (?:last|to|into|in|there|here|first|recently|urgent|done|from|back|on the board).*)?$`,
    "i",
  ),
  new RegExp(
    `^(?:when|why|by whom|how|since when) (?:was|were|has|have|is|did) (?<name>.+?)(?: been)?(?: (?:sitting|standing|waiting|stuck|lying|parked|kept|left))? (?:${VERBED}|move|change|end up|get|go|come|there|here|in|here|so urgent|urgent|at|on)\\b.*$`,
    "i",
  ),
  /^(?:since when|how long) (?:is|are|has|have) (?<name>.+?)(?: been)?(?: (?:sitting|standing|waiting|stuck|lying|parked|kept|left))? (?:in|there|done|at|on)\b.*$/i,
  /^(?:what(?:'s| has| have)? (?:happened|been done|changed|changes?|is new) (?:to|with|about|on|in) (?!(?:the|this|my|our) board)|(?:show(?: me)? |what(?:'s| is) )?(?:the )?(?:history|log|story) (?:of|for|about) |who is responsible for |what was done (?:to|with) )(?<name>.+)$/i,
  /^(?:what(?:'s| did| has| have)|show(?: me)? what|list what) (?!(?:you|i|we|they|it|that|this|the|in|on|is|are|not|now|still|already|left|being|nearly|almost)\b)(?<by>[\p{L}\d_-]+) (?:just |been )?(?:do|done|did|change|changed|move|moved|add|added|remove|removed|edit|edited|doing|been up to|up to)(?: (?:lately|recently|today|so far|here|on the board|just now))?$/iu,
  new RegExp(
    `^what (?!(?:you|i|we|they|it|that|this|the|in|on|is|are|was|has|have|cards?|else)\\b)(?<by>[\\p{L}\\d_-]+) (?:has )?${VERBED}$`,
    "iu",
  ),
  /^(?:what has|has|did) (?!(?:you|i|we|they|it|that|this|the)\b)(?<by>[\p{L}\d_-]+) (?:been )?(?:do|done|change|changed|move|moved) (?:anything|something)(?: .*)?$/iu,
];

/** "T-3 is done?" and "T-3 is in Review, right?" ask what a statement without the mark wishes. */
export function inQuestionOrder(clause: string): string | undefined {
  const [, subject, is, state] =
    new RegExp(
      `^${NOT_A_QUESTION}(\\S[^,;]*?) (is|are) ([^,;]+?)(?:,? (?:right|correct|isn't it|yes|no|yet|already))?\\?+$`,
      "i",
    ).exec(clause.trim()) ?? [];
  return subject === undefined ? undefined : `${is} ${subject} ${state}`;
}

export const ask: Reader = (text) => {
  const span = timeSpanIn(text);
  const within = span === undefined ? undefined : ask(span.rest);
  if (span !== undefined && within?.kind === "ask" && within.about === "changes")
    return { ...within, minutes: span.minutes };
  const common = commonIntent(text);
  if (common === "help") return { kind: "ask", about: "help" };
  if (common === "why") return { kind: "ask", about: "own" };
  if (common === "changes") return { kind: "ask", about: "changes" };
  if (common === "since") return { kind: "ask", about: "changes", since: true };
  if (LAST_CHANGE.test(text)) return { kind: "ask", about: "changes", asks: "when" };
  if (ANYTHING_DONE.test(text)) return { kind: "ask", about: "changes" };
  for (const pattern of WHAT_WAS_DONE) {
    const { name, by } = pattern.exec(text)?.groups ?? {};
    if (name !== undefined || by !== undefined) {
      const asks = WHY_OR_WHEN.find(([says]) => says.test(text))?.[1];
      return {
        kind: "ask",
        about: "changes",
        ...defined({ name, by: by === undefined ? undefined : actor(by), asks }),
      };
    }
  }
  if (BOARD.test(text)) return { kind: "ask", about: "board" };
  if (COLUMNS.test(text)) return { kind: "ask", about: "columns" };
  if (FULLEST.test(text)) return { kind: "ask", about: "fullest" };
  if (NEXT.test(text)) return { kind: "ask", about: "next" };
  if (PROGRESS.test(text)) return { kind: "ask", about: "progress" };
  return askDetail(text) ?? askCards(text) ?? askCard(text) ?? askColumn(text);
};

const LAST_CHANGE =
  /^when (?:was|were|is|did) (?:the )?(?:last|latest|most recent|board) (?:changes?|edits?|moves?|updates?|changed)(?: (?:made|done))?$/i;
const ANYTHING_DONE = new RegExp(
  `^(?:has|have|did) (?:any|some)(?:body|one) (?:else )?(?:just |already |ever )?(?:${DID}|${VERBED}) (?:anything|something)(?: .*)?$`,
  "i",
);
const WHY_OR_WHEN = [
  [/^(?:why|how come)\b/i, "why"],
  [/^(?:when|since when|how long)\b/i, "when"],
] as const;

/** As the log names who is asked for; undefined for anyone. */
function actor(by: string): string | undefined {
  if (/^(?:you|agent|bot|ai|model|assistant)$/i.test(by)) return "agent";
  return /^(?:i|we|they|me|us|any\w*|some\w*|every\w*|others|people)$/i.test(by) ? undefined : by;
}

/** "how many urgent cards are there in Review?", "anything about payments?" */
function askCards(said: string): Intent | undefined {
  const text = said
    .replaceAll(/\b(is|are|has|have|was|were)n'?t\b/gi, "$1 not")
    .replace(/\s+(?:are |is )?(?:there )?on (?:the|this|our|my) (?:whole |entire )?board$/i, "")
    .replace(
      /\b(cards|tasks|tickets|items) (in .+?) (?:is|are|have|has) (.+)$/i,
      (_, noun: string, where: string, what: string) =>
        /^(?:an? )?(?:p[1-4]|priority)/i.test(what)
          ? `${noun} with ${what} ${where}`
          : `${noun} ${where} that are ${what}`,
    )
    .replace(/^(what|which cards?|which ones)(?:'s| is| are) still /i, "$1 is ");
  const asked =
    /^(?:how (?:many|much)(?: of)?|which(?: ones)?|what(?:'s| is| are)?(?: all)?|show(?: me)?(?: all)?(?: the)?|list(?: me)?(?: all)?(?: the)?|find(?: me)?(?: all)?(?: the)?|search for|give me(?: all)?(?: the)?|count(?: all)?(?: the)?|are there(?: any)?|is there(?: an?y?)?|do (?:we|i) have(?: an?y?)?|have we got(?: any)?|any(?:thing)?|(?:is )?anything|look for)\s+(.+)$/i.exec(
      text,
    )?.[1];
  if (
    /^(?:(?:column|list|lane) (?:is|are|has|holds)|does|do|did|am|was|were|would|will|should|could|shall)\b/i.test(
      asked ?? "",
    )
  )
    return undefined;
  const plainly = asked?.replace(
    /^(?:(?:me )?(?:a |the )?list (?:of|with) )?(?:only\s+|just\s+)?(?:(?:anything|something|everything|any of|any|some|all(?: of)?)\s+)?(?:only\s+|just\s+)?(?:the\s+)?(?=\S)/i,
    "",
  );
  if (asked === undefined || plainly === undefined || (certainlyCards(asked) && readSet(asked) === undefined))
    return undefined;
  const plain = plainly
    .replace(
      /\s+(?:are there|is there|do (?:we|i) have|have (?:we|i)(?: got)?|exist|there|(?:on |in )?here|right now|now|so far|until now|at the moment|currently|on (?:the|this|our|my) board|to (?:be )?do(?:ne)?)+$/i,
      "",
    )
    .replace(/\s+(?:do |did |can )?(?:we|i|you) (?:have|got|see|find)(?: got)?(?=\s)/i, "")
    .replace(/\b(?:are |is )?(?:left|remaining|still) (?=(?:in|on|under)\s)/i, "")
    .replace(/\s+are there (?=in\b|with\b|about\b)/i, " ")
    .replace(/\b(?:cards?|tasks?|tickets?|items?|todos?|things?|ones?|work|stuff)\b/i, "cards")
    .trim();
  const named = /\bcards\b/i.test(plain)
    ? plain
    : /^(?:about|in|with|on|is|are|has|have|remains?|needs?)\b/i.test(plain)
      ? `cards ${plain}`
      : `cards that are ${plain}`;
  const phrase = named
    .replace(/\bcards (?:is|are|remains?(?: to be)?)\s+(?:about\s+)(.+)$/i, "cards about $1")
    .replace(/\bcards (?:is|are|remains?|has|have)(?: still)?\s*$/i, "open cards")
    .replace(/\bcards (?:is|are) (?:still |already |currently |now )?/i, "cards that are ")
    .replace(/\bcards that are (?:waiting|standing|sitting|lying|currently|still) (?=in\b)/i, "cards that are ")
    .replace(/\bcards that are (?:something|anything) (?:on|about|with|for) /i, "cards about ")
    .replace(/\bcards (?:have|has) (?=(?:a |the )?(?:priority|highest|top|lowest))/i, "cards with ")
    .replace(/\bcards with (?:the )?(?:highest|top) priority$/i, "urgent cards")
    .replace(/\bcards with (?:the )?lowest priority$/i, "least urgent cards")
    .replace(/^(?:the|my|our)\s+/i, "");
  const set = readSet(/^cards\b/i.test(phrase) ? `all ${phrase}` : `all ${phrase}`);
  if (set?.by !== "all") return undefined;
  const { column, by: _, ...filters } = set;
  if (column !== undefined && Object.keys(filters).length === 0) return { kind: "ask", about: "column", name: column };
  return { kind: "ask", about: "cards", cards: set };
}

/** "what is the priority of the pricing card", "what does T-3 say": of one card, by any name. */
function askDetail(text: string): Intent | undefined {
  const name = DETAILS.map((each) => each.exec(text)?.[1]).find((found) => found !== undefined);
  return name === undefined || /^(?:it|this|that|them)$/i.test(name) || readSet(name) !== undefined
    ? undefined
    : { kind: "ask", about: "card", name: cleanName(name.replace(/'s$/, "")) };
}

const DETAIL = "(?:priority|prio|urgency|importance|title|name|text|wording|status|state|column|place|position)";
const DETAILS = [
  new RegExp(
    `^(?:what|which|what's|whats)(?: is| are)? (?:the )?(?:exact |full |current )?${DETAIL} (?:of|for|on) (.+)$`,
    "i",
  ),
  new RegExp(`^(?:what|which|what's|whats)(?: is)? (.+?)'s (?:exact |full |current )?${DETAIL}$`, "i"),
  new RegExp(`^(?:what|which) ${DETAIL} (?:does|has|is) (.+?)(?: have| in| at)?(?: now)?$`, "i"),
  /^what does (.+?) (?:say|read|mean|state)(?: (?:exactly|precisely|now|again|in full))?$/i,
  /^(?:what is|what's) written (?:on|in) (.+)$/i,
];

function askCard(text: string): Intent | undefined {
  const state =
    /^(?:is|are|has|was|isn't)\s+(.+?)\s+(?:(?:already|still|now|yet|currently|really|been|in|on|under)\s+)*(?:the\s+)?(\S+(?:\s+progress)?)(?: (?:already|yet|now|column))?$/i.exec(
      text,
    );
  if (state?.[1] && state[2] && !/^(?:there|this|that|it|you|everything|anything|we)$/i.test(state[1]))
    return { kind: "ask", about: "state", name: state[1], state: state[2] };
  const card =
    /^(?:where(?:'s| is| are| did| can i find)?|in (?:which|what) column (?:is|are)|(?:which|what) column (?:is|are|has|holds))\s+(.+?)(?: (?:in|now|go|gone|at|right now|currently|on the board))?$/i.exec(
      text,
    ) ??
    /^(?:(?:what|which) (?:priority|prio) (?:has|does|is)|(?:what(?:'s| is)) the (?:priority|status|state|title|column) of|how (?:urgent|important) (?:is|are)|(?:the )?(?:priority|prio|status|state|column) of|what(?:'s| is) (?:up|the (?:deal|story|matter|status|state)) with|what about|how(?:'s| is)(?: it going with)?|tell me (?:more )?about|more about|details (?:of|about|on|for)|describe|explain)\s+(.+?)(?: have)?$/i.exec(
      text,
    );
  if (card?.[1]) return { kind: "ask", about: "card", name: card[1] };
  const shown = /^(?:what(?:'s| is| does)|show(?: me)?|open|find|about|info on)\s+(.+?)(?: (?:about|mean|say))?$/i.exec(
    text,
  )?.[1];
  return shown !== undefined && certainlyCards(shown) && readSet(shown) === undefined
    ? { kind: "ask", about: "card", name: shown }
    : undefined;
}

function askColumn(text: string): Intent | undefined {
  const column =
    /^(?:what(?:'s| is|s)?(?: there)?(?: left)? (?:in|under)|what cards are in|which cards are in|(?:show|list)(?: me)?(?: the)?(?: all)?(?: cards in)?|how many cards are in)\s+(.+)$/i.exec(
      text,
    );
  return column?.[1] ? { kind: "ask", about: "column", name: columnName(column[1]) } : undefined;
}
