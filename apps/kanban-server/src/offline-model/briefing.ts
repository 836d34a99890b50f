// Reads the middleware's message, the last one of each model call: the board, and what others did.

import type { Board } from "@opstate/kanban-domain";
import { z } from "zod";
import { actorName } from "../actor-name.ts";

// A large board is cut: "... n more" is then among its cards and columns.
const Cut = z.string().transform(() => []);
const Card = z.object({ cardId: z.string(), title: z.string(), priority: z.number() });
const Column = z.object({ columnId: z.string(), title: z.string(), cardCount: z.number(), cards: some(Card) });
const Reason = z.object({ reason: z.string().min(1) });
const BoardText = z.object({ columns: some(Column) });

function some<Item extends z.ZodType>(item: Item) {
  return z.array(z.union([item.transform((value) => [value]), Cut])).transform((items) => items.flat());
}

/** Whether a text is the middleware's message. */
export function isBriefing(text: string): boolean {
  return text.startsWith('From the application, not from the user:\n<board version="');
}

/** The board in the text; null without one. */
export function readBoard(briefing: string): Board | null {
  const json = [...briefing.matchAll(/<board version="\d+">\n(.*)\n<\/board>/g)].at(-1)?.[1];
  try {
    return json === undefined ? null : (BoardText.safeParse(JSON.parse(json)).data ?? null);
  } catch {
    return null;
  }
}

/** What others did, one sentence each: "ada: Move T-3: Backlog -> Done". */
export function readNews(briefing: string): readonly string[] {
  const digest = [...briefing.matchAll(/<board-changes>\n([\s\S]*?)\n<\/board-changes>/g)].at(-1)?.[1] ?? "";
  return digest.split("\n").flatMap((line) => {
    const [, kind, id, what = ""] = /^- (\S+) (\S+): (.+)$/.exec(line) ?? [];
    if (kind === undefined || id === undefined) return /^- (?:and )?(\d+ (?:more )?not shown)$/.exec(line)?.[1] ?? [];
    return `${actorName(kind, id)}${whatWasDone(what)}`;
  });
}

/** Reads a line of the digest: the operation's own sentence in quotes, or what the log did. */
function whatWasDone(line: string): string {
  const [, decided, inner] =
    /^(approved what \S+ \S+ proposed|merged what \S+ \S+ did on a branch): (.+)$/.exec(line) ?? [];
  if (decided !== undefined && inner !== undefined)
    return ` ${decided.startsWith("approved") ? "accepted a proposal" : "merged a branch"}${whatWasDone(inner)}`;
  const declined = /^declined a proposal (\{.*\})$/.exec(line)?.[1];
  if (declined !== undefined) return ` declined a proposal${reasonIn(declined)}`;
  const sentence = sentenceIn(line);
  return sentence === undefined ? ` ${line}` : `: ${sentence}`;
}

function sentenceIn(line: string): string | undefined {
  try {
    return z.string().safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function reasonIn(json: string): string {
  try {
    const reason = Reason.safeParse(JSON.parse(json)).data?.reason;
    return reason === undefined ? "" : `: '${reason}'`;
  } catch {
    return "";
  }
}
