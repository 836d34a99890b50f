// Intents in words, as whole requests that the model understands: what it offers as answers.

import type { CardQuery, CardSet, Intent, Position, Step } from "../intent.ts";
import { ordinal } from "../reading/ordinals.ts";

/** A request for these steps: "Move T-1 to Done, then remove T-8". */
export const requestFor = (steps: readonly Step[]): string | undefined => {
  const each = steps.map((step) => step.map(clauseFor));
  if (each.flat().some((clause) => clause === undefined)) return undefined;
  const text = each.map((clauses) => clauses.join(" and ")).join(", then ");
  return text === "" ? undefined : text.slice(0, 1).toUpperCase() + text.slice(1);
};

/** Undefined for what is no request. */
export function clauseFor(intent: Intent): string | undefined {
  switch (intent.kind) {
    case "move":
      if (intent.shift !== undefined)
        return `move ${cards(intent.cards)} ${Math.abs(intent.shift)} columns to the ${intent.shift > 0 ? "right" : "left"}`;
      if (intent.column === undefined && typeof intent.position === "object")
        return `move ${cards(intent.cards)} ${place(undefined, intent.position)}`;
      return `move ${cards(intent.cards)} to ${place(intent.column, intent.position)}`;
    case "remove":
      return `remove ${cards(intent.cards)}`;
    case "clear":
      return `clear ${intent.column ?? "the board"}`;
    case "addCards":
      return `add ${intent.titles.length === 1 ? "a card" : "cards"} ${intent.titles.map(quoted).join(" and ")}${intent.column === undefined ? "" : ` to ${intent.column}`}${intent.priority === undefined ? "" : ` with priority ${intent.priority}`}`;
    case "prioritise":
      return `set priority of ${cards(intent.cards)} to ${intent.priority}`;
    case "reprioritise":
      return `${intent.by < 0 ? "raise" : "lower"} the priority of ${cards(intent.cards)}`;
    case "rename":
      return `rename ${intent.what === "column" ? `the ${intent.name.replace(/ column$/i, "")} column` : name(intent.name)} to ${quoted(intent.title)}`;
    case "addColumns":
      return `add ${intent.titles.length === 1 ? "a column" : "columns"} ${intent.titles.map((title) => (/\s/.test(title) ? quoted(title) : title)).join(" and ")}${beside(intent.position)}`;
    case "removeColumn":
      return `delete the ${intent.column} column`;
    case "swap":
      return `swap ${intent.one} and ${intent.other}`;
    case "sort":
      return `sort ${intent.column} by priority`;
    case "undo":
      return "undo that";
    default:
      return undefined;
  }
}

const cards = (queries: readonly CardQuery[]): string => queries.map(query).join(" and ");

export function query(each: CardQuery): string {
  if (each.by === "name")
    return `${each.isAbout === true ? `the card about ${quoted(each.name)}` : name(each.name)}${from(each.column)}`;
  if (each.by === "place") {
    const nth =
      each.skip === undefined ? each.place : `${ordinal(each.skip)}${each.place === "last" ? " to last" : ""}`;
    return `the ${nth} ${each.count === 1 ? "card" : `${each.count} cards`}${from(each.column)}`;
  }
  return set(each);
}

function set({ state, priority, column, about, count, isPart, except = [] }: CardSet): string {
  if (count === 1 && about !== undefined) return `the card about ${quoted(about)}${from(column)}`;
  if (count === 1) return `the ${state ?? `p${priority ?? 1}`} card${from(column)}`;
  const isSimple = state !== undefined && !/ /.test(state);
  const left = except.map((each) => (typeof each === "string" ? name(each) : query(each)));
  return [
    `${isPart === true ? "some of the" : "all"} ${isSimple ? `${state} cards` : "cards"}`,
    ...(state === undefined || isSimple ? [] : [`that are ${state}`]),
    ...(priority === undefined ? [] : [`with priority ${priority}`]),
    ...(column === undefined ? [] : [`in ${column}`]),
    ...(about === undefined ? [] : [`about ${about}`]),
    ...(left.length === 0 ? [] : [`except ${left.join(" and ")}`]),
  ].join(" ");
}

function place(column: string | undefined, position: Position | undefined): string {
  if (position === undefined) return column ?? "the end";
  const of = column === undefined ? "" : ` of ${column}`;
  if (position === "last") return `the bottom${of}`;
  if (position === 0) return `the top${of}`;
  if (typeof position === "number") return `position ${position + 1}${column === undefined ? "" : ` in ${column}`}`;
  return `${column ?? ""} ${"before" in position ? `before ${position.before}` : `after ${position.after}`}`.trim();
}

/** Where a column stands: " before Done". */
function beside(position: Position | undefined): string {
  if (position === undefined) return "";
  if (typeof position !== "object") return ` at the ${position === 0 ? "start" : "end"}`;
  return "before" in position ? ` before ${position.before}` : ` after ${position.after}`;
}

const from = (column: string | undefined): string => (column === undefined ? "" : ` from ${column}`);
const quoted = (text: string): string => (text.includes("'") ? `"${text}"` : `'${text}'`);
const name = (text: string): string => (/^[a-z]{1,10}-?\w+$/i.test(text) ? text : quoted(text));
