// Reads a request on the board: as it stands, or else in the first of its other wordings that is
// clear there.
//
// Invariants:
// - The same wording is read in all calls of a run: it is part of the ids of the calls.
// - What another wording names is on the board, or was written by the person.

import { type Board, nearest } from "@opstate/kanban-domain";
import type { Exchange } from "./conversation.ts";
import type { Intent, Step } from "./intent.ts";
import { type Obstacles, obstaclesIn } from "./obstacles.ts";
import { otherWords } from "./reading/other-words.ts";
import { parseRequest } from "./reading/parse.ts";
import { cardNamed, columnNamed, columnOfState } from "./resolve.ts";
import { withIds } from "./words/card-names.ts";

interface Asked {
  readonly request: string;
  /** What "it" may refer to. */
  readonly earlier: Intent | undefined;
  readonly board: Board | null;
  /** Whether the cards of a step are looked for first. */
  readonly waits: (step: Step) => boolean;
}

interface Understood extends Obstacles {
  readonly steps: readonly Step[];
  /** 0 for the request as it stands, or the place of the wording that was read. */
  readonly reading: number;
}

/** `reading` is that of the run's first call. */
export function understood({ request, earlier, board, waits }: Asked, reading?: number): Understood {
  const read = (wording: string) => parseRequest(wording, earlier);
  const none: Obstacles = { obstacles: [], replies: [] };
  if (reading !== undefined) {
    const wording = reading === 0 ? request : (otherWords(request)[reading - 1] ?? request);
    return { steps: read(wording), reading, ...none };
  }
  const steps = read(request);
  const plain = obstaclesIn(steps, board, waits, request);
  const isPlain = plain.obstacles.length === 0;
  if (
    board === null ||
    (isPlain && steps.flat().every((intent) => isAnswered(intent, board) && isPlaced(intent, steps, board)))
  )
    return { steps, reading: 0, ...plain };
  for (const [index, wording] of otherWords(request).entries()) {
    const other = read(wording);
    const isClear =
      other.flat().every((intent) => isAnswered(intent, board) && isSure(intent, board, request)) &&
      obstaclesIn(other, board, waits, wording).obstacles.length === 0;
    if (isClear) return { steps: other, reading: index + 1, ...none };
  }
  return { steps, reading: 0, ...plain };
}

/** The last intent of the conversation that "it" may refer to. */
export function subjectBefore(earlier: readonly Exchange[], board: Board | null): Intent | undefined {
  const last = earlier.at(-1);
  if (last === undefined) return undefined;
  const asked = withIds(last.request, board);
  return [asked, ...otherWords(asked)]
    .flatMap((wording) => parseRequest(wording).flat())
    .find(({ kind }) => kind !== "unknown" && kind !== "talk" && kind !== "choose");
}

/** Whether a question is about something of the board. */
const isAnswered = (intent: Intent, board: Board): boolean =>
  intent.kind !== "ask" || intent.about !== "column" || isColumn(board, intent.name) || isCard(board, intent.name);

/** Whether cards go to a column that is there, perhaps misspelt, or is made before. */
const isPlaced = (intent: Intent, steps: readonly Step[], board: Board): boolean =>
  intent.kind !== "move" ||
  intent.column === undefined ||
  isColumn(board, intent.column) ||
  nearest(intent.column, board.columns, ({ title }) => title) !== undefined ||
  steps.flat().some(({ kind }) => MAKING.has(kind));
const MAKING: ReadonlySet<Intent["kind"]> = new Set(["addColumns", "rename", "build"]);

/** Whether a wish has columns of the board, and titles that the person wrote. */
function isSure(intent: Intent, board: Board, request: string): boolean {
  switch (intent.kind) {
    case "move":
    case "clear":
      return intent.column === undefined || isColumn(board, intent.column);
    case "addCards":
      return (
        (intent.column === undefined || isColumn(board, intent.column)) &&
        intent.titles.every((title) => request.includes(title))
      );
    case "addColumns":
      return intent.titles.every((title) => request.includes(title));
    case "rename":
      return request.includes(intent.title);
    case "build":
    case "undo":
    case "choose":
      return false;
    default:
      return true;
  }
}

const isColumn = (board: Board, name: string): boolean =>
  columnNamed(board, name) !== undefined || columnOfState(board, name) !== undefined;
const isCard = (board: Board, name: string): boolean => cardNamed(board, name).column !== undefined;
