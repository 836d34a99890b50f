// The demo's files: the board's log, the debates, and what else outlives the process.

import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDebateApp, type DebateApp } from "@opstate/debate";
import { CheckpointFile } from "@opstate/kanban-server";
import { sqliteLog } from "@opstate/server/sqlite";
import { sqliteStreams } from "@opstate/streams/sqlite";
import { messageOf, stop } from "./start-error.ts";

export function openLog(path: string): ReturnType<typeof sqliteLog> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return sqliteLog({ path });
  } catch (error) {
    return stop(`The data file ${path} cannot be opened: ${messageOf(error)}`);
  }
}

export function openDebate(options: Parameters<typeof createDebateApp>[0]): DebateApp {
  try {
    return createDebateApp(options);
  } catch (error) {
    return stop(`The data file ${options.dataPath} cannot be opened: ${messageOf(error)}`);
  }
}

/** The streams of runs, which outlive the process. */
export function openStreams(folder: string): ReturnType<typeof sqliteStreams> {
  try {
    return sqliteStreams({ path: join(folder, "runs.sqlite") });
  } catch (error) {
    return stop(`The files of runs in ${folder} cannot be opened: ${messageOf(error)}`);
  }
}

/** Where runs are stored that need an answer. */
export function openCheckpoints(folder: string): CheckpointFile {
  try {
    return new CheckpointFile(join(folder, "checkpoints.sqlite"));
  } catch (error) {
    return stop(`The files of runs in ${folder} cannot be opened: ${messageOf(error)}`);
  }
}

/** Kept beside the data, so that a visitor's board is theirs after a restart. */
export function visitSecret(folder: string): Uint8Array {
  const file = join(folder, "visits.secret");
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST"))
      return stop(`The file ${file} cannot be written: ${messageOf(error)}`);
  }
  return readFileSync(file);
}
