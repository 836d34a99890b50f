// Reads requests for a whole new board.

import { defined } from "@opstate/core";
import type { Reader } from "./intents.ts";
import { names } from "./names.ts";
import { swallowsRequest } from "./swallowed.ts";

const OF_THIS_BOARD = /\b(?:backlog|cards?|columns?|everything|t-\d+)\b/i;
/** "a copy of the board" */
const PART_OF_NAME = /\b(?:backup|copy|look|of|on|the|this|that)\b/i;
/** Without "a board for", such a topic may mean a part of the existing board. */
const OF_ANY_BOARD = /\b(?:boards?|done|kanban|lists?|priorit\w+|tasks?|tickets?|todos?|review|progress)\b/i;
const NO_TOPIC =
  /^(?:(?:a|an|another|better|bigger|blank|copy|empty|fresh|it|my|nice|new|other|our|project|same|second|simple|that|the|this|your)\s*)+$/i;

export const build: Reader = (text) => {
  const made =
    /^(?:build|create|make|plan|set\s*up|start|draft|design|generate|prepare|give me|i need|new)\s+(?:me\s+|us\s+)?(?:a\s+|an\s+|(?:(?:the|my|our)\s+(?=new|fresh)))?(?:new\s+|fresh\s+)?(?:kanban\s+|project\s+)?(?:board|kanban)\s+(?:for|to|about|on|of|that)\s+(.+)$/i.exec(
      text,
    );
  const named =
    made ??
    /^(?:build|create|make|set\s*up|generate)\s+(?:me\s+|us\s+)?(?:a\s+|an\s+)?(?:new\s+)?(?!column|card|task)(.+?)\s+(?:kanban\s+)?board$/i.exec(
      text,
    );
  const planned = named ?? /^(?:plan|organi[sz]e)\s+(?:me\s+)?(?:for\s+)?((?:a|an|my|our|the)\s+.+)$/i.exec(text);
  if (!planned?.[1]) return undefined;
  const [words = "", columns] = planned[1].split(/,?\s+with\s+(?:the\s+)?(?:columns?|lists?|lanes?)\s+/i);
  const topic = words.trim();
  // "the backlog" and "all done cards" are on the board already; "a new board" names no topic.
  if (
    swallowsRequest(topic) ||
    OF_THIS_BOARD.test(topic) ||
    (!made && OF_ANY_BOARD.test(topic)) ||
    NO_TOPIC.test(topic) ||
    (!made && named && PART_OF_NAME.test(topic))
  )
    return undefined;
  return { kind: "build", topic, ...defined({ columns: columns === undefined ? undefined : names(columns) }) };
};
