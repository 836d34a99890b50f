// Verdicts in words. A refused call is never reported as done.

import { capital } from "./words/capital.ts";
import { type Board, findColumn, plainMessage } from "@opstate/kanban-domain";
import { cardOf, shown } from "./words/card-names.ts";
import type { Outcome } from "./verdict.ts";

/**
 * What a call did, to follow a name: "moved 'Dark mode' (T-2) to Done". `cards` are the names of
 * the cards of this call and of those that are alike.
 */
function did({ call, verdict }: Outcome, board: Board | null, cards: string): string {
  const { name, args } = call;
  const column = (columnId: unknown) => (board && findColumn(board, text(columnId))?.title) ?? text(columnId);
  switch (name) {
    case "move":
      return args.cardId === undefined
        ? `moved the column ${column(args.fromColumn)}`
        : `moved ${cards} to ${column(args.toColumn)}${args.position === 0 ? ", on top" : ""}`;
    case "remove":
      return args.cardId === undefined ? `cleared ${column(args.fromColumn)}` : `removed ${cards}`;
    case "addCard": {
      const added =
        board && findColumn(board, text(args.columnId))?.cards.findLast((card) => card.title === args.title);
      return `added ${added ? shown(board, added.cardId) : `'${text(args.title)}'`} to ${column(args.columnId)}`;
    }
    case "editCard":
      return [
        ...(args.title === undefined ? [] : [`renamed ${cards} to '${text(args.title)}'`]),
        ...(args.priority === undefined ? [] : [`set the priority of ${cards} to ${text(args.priority)}`]),
      ].join(" and ");
    case "addColumn":
      return `added the column '${text(args.title)}'`;
    // The column has another title by now, or is gone: the log's sentence has the one of before.
    case "renameColumn":
      return (
        verdict.sentence?.replace(/^Rename/, "renamed") ?? `renamed ${column(args.columnId)} to '${text(args.title)}'`
      );
    case "removeColumn":
      return verdict.sentence?.replace(/^Remove/, "removed") ?? `removed the column ${column(args.columnId)}`;
    case "buildBoard":
      return `built a new board: ${counted(board)}`;
    default:
      return `did ${name}`;
  }
}

/**
 * A sentence for each verdict. Accepted calls that differ only in their card share one. `run` is
 * everything done for the request so far.
 */
export function report(outcomes: readonly Outcome[], run: readonly Outcome[], board: Board | null): readonly string[] {
  const done = new Map<string, { readonly outcome: Outcome; readonly cards: string[] }>();
  const undoSentences: string[] = [];
  const same: string[] = [];
  const refusals: string[] = [];
  const proposed = outcomes.filter(({ verdict }) => verdict.proposed);
  for (const outcome of outcomes) {
    const { call, verdict } = outcome;
    const card = cardOf(outcome, run, board) ?? "";
    const alike = done.get(did(outcome, board, "*"));
    if (verdict.proposed) continue;
    if (call.name === "takeBack") undoSentences.push(takenBack(outcome));
    else if (!verdict.accepted) refusals.push(refused(outcome, run, board));
    else if (!verdict.changed) same.push(subject(outcome, run, board));
    else if (alike) alike.cards.push(card);
    else done.set(did(outcome, board, "*"), { outcome, cards: [card] });
  }
  return [
    ...undoSentences,
    ...[...done.values()].map(({ outcome, cards }) => `${capital(did(outcome, board, cutList(cards)))}.`),
    ...(same.length > 0 ? [`${cutList(same)} needed no change.`] : []),
    ...refusals,
    ...(proposed.length > 0 ? [waiting(proposed, run, board)] : []),
  ];
}

/** The tool's text has the undone operations, or the reason why there are none. */
function takenBack({ verdict: { accepted, message, text } }: Outcome): string {
  if (!accepted) return `I took nothing back: ${sentence(message.replace(/^Not taken back: /, ""))}`;
  return `I took back my last run: ${/^Taken back: (.*)$/m.exec(text)?.[1] ?? "it is as if it had not been."}`;
}

/** The proposed changes. They are never reported as done. */
function waiting(proposed: readonly Outcome[], run: readonly Outcome[], board: Board | null): string {
  const wanted = cutList(proposed.map((outcome) => wouldDo(outcome, board)));
  const count = proposed.length === 1 ? "1 change" : `${proposed.length} changes`;
  return `I propose ${count}: ${wanted}. ${run.some(({ verdict }) => verdict.accepted && verdict.changed) ? "That is not done yet" : "Nothing has changed yet"}: accept or decline ${proposed.length === 1 ? "it" : "them"} here or on the board.`;
}

const MAX_NAMED = 6;

/** What a call would do: "move 'Dark mode' (T-2) to Done". */
function wouldDo(outcome: Outcome, board: Board | null): string {
  const { name, args } = outcome.call;
  if (name === "buildBoard") return "build a new board";
  return did(outcome, board, shown(board, text(args.cardId))).replace(/^\w+/, (verb) => INFINITIVES[verb] ?? verb);
}

const INFINITIVES: Readonly<Record<string, string>> = {
  moved: "move",
  cleared: "clear",
  removed: "remove",
  added: "add",
  renamed: "rename",
  set: "set",
  did: "do",
};

function refused(outcome: Outcome, run: readonly Outcome[], board: Board | null): string {
  const { call, verdict } = outcome;
  const message = plainMessage(verdict.message);
  const [, verb = VERBS[call.name] ?? "done", why = sentence(message)] = /^Not (\w+): (.*)$/.exec(message) ?? [];
  const what = subject(outcome, run, board);
  const isGone =
    verdict.reason === "card_not_found" &&
    run.some(
      (other) => other.verdict.accepted && other.call.name === "remove" && other.call.args.cardId === call.args.cardId,
    );
  if (isGone) return `${what} was not ${verb}: it is not on the board any more, because I removed it.`;
  // The reason says which card, as far as anything is known of it.
  const isNamed = verdict.reason === "card_not_found" || why.startsWith(`${what} is `);
  const again = verdict.attempt > 1 ? " It was refused before for the same reason, so I stop here." : "";
  return `${isNamed ? "Not" : `${what} was not`} ${verb}: ${why}${again}`;
}

const VERBS: Readonly<Record<string, string>> = {
  move: "moved",
  remove: "removed",
  addCard: "added",
  editCard: "changed",
  addColumn: "added",
  renameColumn: "renamed",
  removeColumn: "removed",
  buildBoard: "built",
};
const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

function subject(outcome: Outcome, run: readonly Outcome[], board: Board | null): string {
  const { name, args } = outcome.call;
  if (typeof args.cardId === "string") return cardOf(outcome, run, board) ?? `'${args.cardId}'`;
  if (typeof args.title === "string" && name.startsWith("add")) return `'${args.title}'`;
  if (name === "buildBoard") return "The board";
  const columnId = text(args.columnId ?? args.fromColumn);
  return (board && findColumn(board, columnId)?.title) ?? `'${columnId}'`;
}

/** "4 columns, 13 cards" */
export function counted(board: Board | null): string {
  const columns = board?.columns ?? [];
  const cards = columns.reduce((sum, column) => sum + column.cardCount, 0);
  return `${columns.length} ${columns.length === 1 ? "column" : "columns"}, ${cards} ${cards === 1 ? "card" : "cards"}`;
}

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
/** The first few. */
const cutList = (names: readonly string[]): string =>
  listed(names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED), `${names.length - MAX_NAMED} more`] : names);
const text = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "?";
