// Ways of asking for a whole new board.

import type { Reader } from "./clause.ts";
import { names } from "./names.ts";

export const build: Reader = (text) => {
  const made =
    /^(?:build|create|make|plan|set\s*up|start|draft|design|generate|prepare|give me|i need|new)\s+(?:me\s+|us\s+)?(?:a\s+|an\s+|the\s+|my\s+|our\s+)?(?:new\s+|fresh\s+)?(?:kanban\s+|project\s+)?(?:board|kanban)\s+(?:for|to|about|on|of|that)\s+(.+)$/i.exec(
      text,
    );
  const named =
    made ??
    /^(?:build|create|make|set\s*up|generate)\s+(?:me\s+|us\s+)?(?:a\s+|an\s+)?(?:new\s+)?(?!column|card|task)(.+?)\s+(?:kanban\s+)?board$/i.exec(
      text,
    );
  const planned = named ?? /^(?:plan|organi[sz]e)\s+(?:me\s+)?(?:for\s+)?((?:a|an|my|our|the)\s+.+)$/i.exec(text);
  if (!planned?.[1]) return undefined;
  const [topic = "", columns] = planned[1].split(/,?\s+with\s+(?:the\s+)?(?:columns?|lists?|lanes?)\s+/i);
  return { kind: "build", topic: topic.trim(), ...(columns === undefined ? {} : { columns: names(columns) }) };
};
