// Reads questions about the board, and requests for help.

import type { Reader } from "./clause.ts";
import { columnName } from "./place-phrase.ts";

const HELP =
  /^(?:help(?: me)?|what (?:can|could) (?:you|i)(?: do| ask| say)?(?: here)?|what do you (?:do|understand)|how does this work|who are you|what are you|hi|hello|hey|thanks|thank you|thanks a lot)(?: there)?$/i;
const ON_BOARD = "(?: (?:on|in|to) (?:the|this|my|our) board)?";
const LATELY =
  "(?: (?:just|lately|recently|today|so far|last|since then|since i (?:left|looked)|meanwhile|in the meantime|now))?";
const CHANGES = new RegExp(
  `^(?:what(?:'s| is| has| have|s)?(?: been| just)? (?:changed|happened|new|different)|what (?:did|have) (?:i|we|they|you|anyone|someone|the agent) (?:just )?(?:do|done|changed?|miss(?:ed)?|moved?)|anything new|(?:show|list)(?: me)?(?: the)?(?: recent| latest| last)? changes|(?:the )?(?:history|latest changes)|who (?:changed|moved|did|edited|added|removed) (?:what|it|that|this|things))${ON_BOARD}${LATELY}$`,
  "i",
);
const BOARD = new RegExp(
  `^(?:(?:(?:show|list|describe|read|summari[sz]e)(?: me)?|summary of|status of|overview of)(?: (?:the|my|our))?(?: whole| entire)? board|(?:show|list)(?: me)?(?: all)?(?: the)? cards|summari[sz]e(?: it| that| this| everything| what you did)?|(?:give me )?(?:a |an |the )?(?:short |quick )?(?:status|overview|summary)|what(?:'s| is)(?: there)? (?:on|in) (?:the|my|our) board|how many cards(?: are there| are on the board)?|what(?:'s| is) (?:the )?(?:status|state)|how (?:is|are) (?:the board|things))${LATELY}$`,
  "i",
);

export const ask: Reader = (text) => {
  if (HELP.test(text)) return { kind: "ask", about: "help" };
  if (CHANGES.test(text)) return { kind: "ask", about: "changes" };
  const card = /^where(?:'s| is)\s+(.+)$/i.exec(text);
  if (card?.[1]) return { kind: "ask", about: "card", name: card[1] };
  if (BOARD.test(text)) return { kind: "ask", about: "board" };
  const column =
    /^(?:what(?:'s| is)(?: there)? in|what cards are in|which cards are in|(?:show|list)(?: me)?(?: the)?(?: all)?(?: cards in)?|how many cards are in)\s+(.+)$/i.exec(
      text,
    );
  return column?.[1] ? { kind: "ask", about: "column", name: columnName(column[1]) } : undefined;
};
