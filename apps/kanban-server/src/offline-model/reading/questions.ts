// Ways of asking about the board, or for help.

import type { Reader } from "./clause.ts";
import { columnName } from "./place-phrase.ts";

export const ask: Reader = (text) => {
  if (
    /^(?:help|what can (?:you|i) do|what do you (?:do|understand)|how does this work|who are you|hi|hello|hey|thanks|thank you)\b/i.test(
      text,
    )
  )
    return { kind: "ask", about: "help" };
  if (
    /^(?:what(?:'s| is| has| have|s)?\s+(?:been\s+|has\s+)?(?:changed|happened|new|different)|what did (?:i|we|they|you|anyone|someone) (?:do|change|miss|move)|anything new|(?:show|list)(?: me)?(?: the)?(?: recent| latest)? changes|who (?:changed|moved|did|edited|added|removed))\b/i.test(
      text,
    )
  )
    return { kind: "ask", about: "changes" };
  const card = /^where(?:'s| is)\s+(.+)$/i.exec(text);
  if (card?.[1]) return { kind: "ask", about: "card", name: card[1] };
  if (
    /^(?:(?:show|list|describe|read)(?: me)?(?: the| my| our)?(?: whole| entire)? board|summari[sz]e|summary|(?:give me (?:a|an) )?(?:short |quick )?(?:status|overview|summary)|what(?:'s| is)(?: there)? (?:on|in) (?:the|my|our) board|how many cards(?: are there)?$|what(?:'s| is) (?:the )?(?:status|state)|how (?:is|are) (?:the board|things))\b/i.test(
      text,
    )
  )
    return { kind: "ask", about: "board" };
  const column =
    /^(?:what(?:'s| is)(?: there)? in|what cards are in|which cards are in|(?:show|list)(?: me)?(?: the)?(?: all)?(?: cards in)?|how many cards are in)\s+(.+)$/i.exec(
      text,
    );
  return column?.[1] ? { kind: "ask", about: "column", name: columnName(column[1]) } : undefined;
};
