// Reads requests that change columns.

import { defined } from "@opstate/core";
import type { Position } from "../intent.ts";
import type { Reader } from "./intents.ts";
import { readSet, readWithin } from "./card-phrase.ts";
import { removal } from "./cards.ts";
import { names } from "./names.ts";
import { isColumnAt } from "./ordinals.ts";
import { besidePosition, columnName, readPlace } from "./place-phrase.ts";
import { swallowsRequest } from "./swallowed.ts";

export const addColumns: Reader = (text) => {
  const added =
    /^(?:add|create|make|insert|new)\s+(?:(?:a|an|another|the|two|three|some)\s+)?(?:new\s+)?(?:columns?|lists?|lanes?)\s+(?:(?:called|named|titled|for)\s+)?(.+)$/i.exec(
      text,
    );
  const adjective =
    added ??
    /^(?:add|create|make|insert)\s+(?:a\s+|an\s+)(?:new\s+)?(\S+(?:\s\S+)?)\s+(?:column|lane)(\s+.+)?$/i.exec(text);
  if (!adjective?.[1]) return undefined;
  const { name, position } = beside(`${adjective[1]}${adjective[2] ?? ""}`);
  if (!names(name).every(isColumnTitle) || /\b(?:between|following)\b/i.test(name)) return undefined;
  return { kind: "addColumns", titles: names(name), ...defined({ position }) };
};

export const moveColumn: Reader = (text) => {
  const moved =
    /^(?:move|put|drag|shift|send)\s+(?:the\s+)?(?:(?:column|list|lane)\s+(.+?)|(\S+(?:\s\S+)?)\s+(?:column|list|lane))\s+(?:all the way\s+)?(?:(?:to|at)\s+)?(?:the\s+)?(?:(?:far\s+)?(left|front|start|beginning|first)|(?:far\s+)?(right|end|back|last)|(before|after|behind)\s+(.+)|(?:position|place)\s+(\d+))(?:\s+(?:side|place|position))?(?:\s+of the board)?$/i.exec(
      text,
    );
  const column = moved?.[1] ?? moved?.[2];
  if (!moved || column === undefined) return undefined;
  const position: Position = moved[3]
    ? 0
    : moved[4]
      ? "last"
      : moved[6]
        ? besidePosition(moved[5], moved[6])
        : Math.max(0, Number(moved[7]) - 1);
  return { kind: "moveColumn", column: called(column), position };
};

export const removeColumn: Reader = (text) => {
  const removed =
    /^(?:remove|delete|drop|get rid of)\s+(?:the\s+)?(?:(?:empty\s+)?(?:column|list|lane)\s+(.+)|(\S+(?:\s\S+)?)\s+(?:column|list|lane))$/i.exec(
      text,
    );
  const name = removed?.[1] ?? removed?.[2];
  return name === undefined ? undefined : { kind: "removeColumn", column: called(name) };
};

export const clear: Reader = (text) => {
  const cleared = /^(?:clear|empty|clean\s+out)\s+(?:out\s+)?(.+)$/i.exec(text)?.[1];
  if (cleared === undefined) return undefined;
  if (/^(?:the\s+)?(?:whole\s+|entire\s+)?board$/i.test(cleared)) return { kind: "clear" };
  // "every column but Review"
  const every =
    /^(?:every|each|all(?:\s+the)?|the\s+other)\s+(?:columns?|lists?|lanes?)(?:\s+(?:but|except(?:\s+for)?|besides|apart\s+from|other\s+than)\s+(.+))?$/i.exec(
      cleared,
    );
  if (every !== null && every[1] === undefined) return { kind: "clear" };
  if (every?.[1] !== undefined)
    return removal([{ by: "all", except: names(every[1]).map((name) => ({ by: "all", column: columnName(name) })) }]);
  const set = readSet(cleared) ?? readWithin(cleared);
  if (set) return removal([set]);
  const { column, position } = readPlace(cleared);
  return column === undefined || position !== undefined || swallowsRequest(column)
    ? undefined
    : { kind: "clear", column };
};

/** The name of what is said to be a column: "last" is of its place. */
const called = (name: string): string => (isColumnAt(`${name} column`) ? `${name} column` : columnName(name));

/** Columns that are named after where their cards are. */
export const isStage = (title: string): boolean =>
  /^(?:on (?:hold|ice|air|track)|in (?:testing|test|qa|staging|production|discussion|design|development|validation|planning)|to (?:do|test|review|discuss|check|read|ship))$/i.test(
    title,
  );

/** "to the right" and "new" are no titles, nor is "of all cards". */
const isColumnTitle = (title: string): boolean =>
  isStage(title) ||
  (!swallowsRequest(title) &&
    !/[:;]/.test(title) &&
    !/\b(?:column|list|lane|card|task)s?$|\b(?:column|list|lane|card|task)s?\s/i.test(title) &&
    !/^(?:(?:to|in|into|on|at|for|from|of|that|which|with|about|before|after|between|next|beside|each|every)\b|(?:new|another|empty|extra|more|second)$)/i.test(
      title,
    ));

function beside(phrase: string): { name: string; position?: Position } {
  const next = /^(.+?)\s+(?:right\s+|directly\s+)?(before|after|behind)\s+(.+)$/i.exec(phrase);
  if (next?.[1] && next[3]) return { name: next[1], position: besidePosition(next[2], next[3]) };
  const end = /^(.+?)\s+(?:at|on|to)\s+(?:the\s+)?(?:far\s+)?(?:(left|front|start|beginning)|right|end)$/i.exec(phrase);
  return end?.[1] ? { name: end[1], position: end[2] ? 0 : "last" } : { name: phrase };
}
