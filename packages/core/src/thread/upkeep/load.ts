// A stored thread made ready for its authority: its state as today's definition has it.

import type { AnyDefinition } from "../../definition/definition.ts";
import { OpstateError } from "../../error.ts";
import { applyCommits, type Confirmed, confirm, confirmCommit } from "../confirmed.ts";
import type { FullLog, ThreadInfo } from "../log/log.ts";
import { randomId } from "../random-id.ts";
import { checkDefinition, migration, storedVersion } from "./migrate.ts";
import { Pace, type Scheduler } from "../pace.ts";

export interface Loaded {
  readonly confirmed: Confirmed;
  readonly version: number;
  /** The version of the newest snapshot. */
  readonly savedVersion: number;
  readonly info: ThreadInfo;
}

export interface Loading {
  readonly definition: AnyDefinition;
  readonly log: FullLog;
  readonly threadId: string;
  readonly clock: () => string;
  readonly scheduler: Scheduler;
}

/** Undefined when the log has no such thread. Throws as `openThread`. */
export async function loadThread({
  definition,
  log,
  threadId,
  clock,
  scheduler,
}: Loading): Promise<Loaded | undefined> {
  for (;;) {
    const stored = await log.load(threadId);
    if (stored === undefined) return undefined;
    checkDefinition(definition, stored);
    const { info, snapshot, commits } = stored;
    const version = snapshot.version + commits.length;
    const confirmed = confirm(
      definition,
      await applyCommits(snapshot.state, snapshot.version, commits, new Pace(scheduler)),
    );
    const found = { confirmed, version, savedVersion: snapshot.version, info };
    const from = storedVersion(stored);
    const current = confirmed.isValid && (from === definition.version || definition.model.migrate === undefined);
    const entry = current ? undefined : migration(definition, { state: confirmed.state, version, from }, clock());
    if (entry?.commit === undefined) return found;
    const appended = await log.append(threadId, version, [entry], info.incarnation);
    if (appended.status === "appended")
      return { ...found, confirmed: confirmCommit(definition, confirmed, entry.commit), version: version + 1 };
  }
}

/** The thread, made first when the log does not have it. */
export async function loadOrCreate(loading: Loading): Promise<Loaded> {
  const { definition, log, threadId, clock } = loading;
  const found = await loadThread(loading);
  if (found !== undefined) return found;
  // Another opener may be first: its thread is the one.
  await log.thread(threadId, randomId()).create({
    definition: definition.name,
    definitionVersion: definition.version,
    state: definition.initial,
    at: clock(),
  });
  const made = await loadThread(loading);
  if (made === undefined) throw new OpstateError("corrupt_log", `The log did not keep the new thread "${threadId}".`);
  return made;
}
