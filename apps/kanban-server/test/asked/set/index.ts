// The requests of people who have only seen the board, and what is right for each. Written from
// the board's sample and its operations, before the model that is judged by them.

import type { Request } from "../outcome.ts";
import { cards } from "./cards.ts";
import { asksFirst, columns, several, typed } from "./columns.ts";
import { harm } from "./harm.ts";
import { questions, taking, talk } from "./talk.ts";

export const requests: readonly Request[] = [
  ...harm,
  ...cards,
  ...columns,
  ...several,
  ...typed,
  ...asksFirst,
  ...questions,
  ...taking,
  ...talk,
];
