// The stretch of history that an undo works on, and the lines of it: without undos in it the one
// line is read as it is worked through, else the lines are held (see `pass`).

import type { AnyDefinition } from "../../definition/definition.ts";
import { nameState } from "../../engine/things/index.ts";
import type { Head } from "../authority/computed.ts";
import type { Commit } from "../commit.ts";
import { isMigrate } from "../entries.ts";
import type { Log } from "../log/log.ts";
import type { Pace, Scheduler } from "../pace.ts";
import { excluded } from "./excluded.ts";
import { addRecorded, readLines } from "./history.ts";
import type { Beginning } from "./kept.ts";
import { beginLine, isReturn } from "./line.ts";
import { HeldPass, type Pass, ReadingPass } from "./pass.ts";
import { readStretch, rewindTo, stateBefore } from "./stretch.ts";

export interface StretchContext {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  readonly scheduler: Scheduler;
  /** The incarnation of the branch that the thread is. */
  readonly branch: string | undefined;
}

/** `targets`: the versions that are to go, ascending, at least one. */
export async function findHistory(
  context: StretchContext,
  head: Head,
  targets: readonly number[],
  pace: Pace,
): Promise<Found> {
  return (await onOneLine(context, head, targets, pace)) ?? onLines(context, head, targets, pace);
}

/** What an undo works on, or why it cannot. */
export type Found =
  | { readonly kind: "history"; readonly history: History }
  | { readonly kind: "compacted"; readonly floor: number }
  | { readonly kind: "migrated" | "invalid"; readonly version: number }
  /** All of it is undone already. */
  | { readonly kind: "undone" };

/** A stretch of history, along which an undo goes. */
export interface History {
  pass(): Pass;
  /** Where the line without what is undone leaves the one that counts. `version`: what is known. */
  beginning(version: number): Beginning;
  /** Goes on with what was committed since. */
  follow(commit: Commit): void;
}

/** Without undos in the stretch, which is most often: it is read as it is worked through. */
async function onOneLine(
  { definition, log, threadId, scheduler, branch }: StretchContext,
  head: Head,
  targets: readonly number[],
  pace: Pace,
): Promise<Found | undefined> {
  const start = targets[0] ?? 0;
  const found = await rewindTo(definition, { log, threadId, scheduler }, head, start, pace);
  if (found.kind === "undos") return undefined;
  if (found.kind !== "base") return found;
  if (!found.base.isValid) return { kind: "invalid", version: start - 1 };
  const base = nameState(found.base.state);
  const omitted = new Set(targets);
  const history: History = {
    pass: () => new ReadingPass({ definition, log, threadId, branch, base, after: start - 1 }),
    beginning: () => ({ end: base, from: start, omitted, marks: [] }),
    follow: () => undefined,
  };
  return { kind: "history", history };
}

async function onLines(
  context: StretchContext,
  { confirmed, version }: Head,
  targets: readonly number[],
  pace: Pace,
): Promise<Found> {
  const { definition, log, threadId, branch } = context;
  const stretch = await readStretch(log, threadId, targets[0] ?? 0, version, pace);
  if ("floor" in stretch) return { kind: "compacted", floor: stretch.floor };
  const migrated = stretch.find(({ operation }) => isMigrate(operation));
  if (migrated !== undefined) return { kind: "migrated", version: migrated.version };
  const undone = excluded(stretch);
  if (targets.every((at) => undone.has(at))) return { kind: "undone" };
  const base = await stateBefore(definition, context, { confirmed, version }, stretch, pace);
  if (!base.isValid) return { kind: "invalid", version: version - stretch.length };
  const lines = await readLines({ definition, branch, base: nameState(base.state), commits: stretch }, pace);
  const commits = [...stretch];
  const history: History = {
    pass: () => new HeldPass(lines, commits),
    beginning(known) {
      const { line, since, from } = beginLine(lines, excluded(stretch, targets), isReturn(stretch, targets));
      // What is followed later is on no line yet, also where both lines have been the same so far.
      return {
        end: line.end,
        from: Math.min(from, known + 1),
        omitted: line.omitted,
        marks: [...line.marks].filter(([at]) => at >= since),
      };
    },
    follow(commit) {
      const line = lines.at(-1);
      if (line !== undefined) addRecorded({ definition, branch }, line, commit);
      commits.push(commit);
    },
  };
  return { kind: "history", history };
}
