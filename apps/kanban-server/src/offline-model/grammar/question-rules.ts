// What a person can ask in the words of the grammar; more is in `reading/questions.ts`.

import type { Intent } from "../intent.ts";
import type { Kept } from "./kept.ts";
import { type Rule, wish } from "./rule.ts";

const asked = ({ set, end, place }: Kept): Intent | undefined => {
  if (end !== undefined) return { kind: "ask", about: "cards", cards: { by: "place", place: end, count: 1, ...place } };
  return set.by === "name" ? undefined : { kind: "ask", about: "cards", cards: set };
};

export const QUESTION_RULES: readonly Rule[] = [
  wish(asked, {
    "SHOW TO? me/us? <set>": "give to me all cards of Review",
    "what/which is/are/'s <set>": "what's the top card in Backlog",
    "what/which CARD/CARDS? is/are/'s at/on? the? very? <end> IN/of <place>": "what's at the bottom of Backlog",
    "what/which CARD/CARDS? is/are/'s <end> IN/of <place>": "which card is first in Backlog",
  }),
  wish(() => ({ kind: "ask", about: "cards", cards: { by: "all", state: "started" } }), {
    "what/which CARDS? are/is/'re/am/was? WE SO* DOING NOW*": "what are we working on",
    "how many? much? CARDS? are/is/am WE SO* DOING NOW*": "how many things are we working on",
  }),
  wish(({ column }) => ({ kind: "ask", about: "column", name: column }), {
    "<column> size/count/total/length": "Backlog size",
    "how many? much? CARD/CARDS? is/are? there? in/on/under/of <column> NOW*": "how much task in Backlog",
  }),
];
