// Reads the middleware's message, the last one of each model call: what others did.

import { z } from "zod";
import { actorName } from "../actor-name.ts";

const Reason = z.object({ reason: z.string().min(1) });

/** Whether a text is the middleware's message. */
export function isBriefing(text: string): boolean {
  return /^From the application, not from the user:\n<board(?:-changes since="\d+")? version="/.test(text);
}

/** Whether a text is the snapshot of a large board, which stands before the conversation. */
export function isSnapshot(text: string): boolean {
  return text.startsWith('From the application:\n<board version="');
}

/** What others did, one sentence each: "ada: Move 'Dark mode' (T-3): Backlog -> Done". */
export function readNews(briefing: string): readonly string[] {
  const changes = [...briefing.matchAll(/<board-changes\b[^>]*>\n([\s\S]*?)<\/board-changes>/g)].at(-1);
  const [tag = "", all = ""] = changes ?? [];
  // Beside a snapshot, what is new follows a line that says so.
  const news = tag.startsWith("<board-changes since=") ? (/you last looked:\n([\s\S]*)/.exec(all)?.[1] ?? "") : all;
  return news.split("\n").flatMap((line) => {
    const [, kind, id, what = ""] = /^(?:-|\d+) (\S+) (\S+): (.+)$/.exec(line) ?? [];
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
