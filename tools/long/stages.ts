// Commands that run beside one another, as many as there are cores, until all have ended or the
// time is up.
//
//   stages      [a 2 cores] [b 1] [c 1] [d 2]        of 2 cores
//   running     a            b, c          d         in the order of the list
//
// Each has an end: passed, failed, cut (it ran when the time was up) or left (it was not begun).

import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";

export interface Stage {
  readonly name: string;
  /** A line of a shell. */
  readonly command: string;
  /** How many cores it uses. */
  readonly cores: number;
}

export interface Ended {
  readonly name: string;
  readonly end: "passed" | "failed" | "cut" | "left";
  readonly seconds: number;
  /** The file that has what it printed. */
  readonly log: string;
}

export interface StagesOptions {
  readonly cores: number;
  readonly seconds: number;
  /** Where each stage's output goes, as `<name>.log`. */
  readonly folder: string;
  readonly onEnd?: (ended: Ended) => void;
}

/** Runs the stages. A stage that fails ends none of the others. */
export async function runStages(stages: readonly Stage[], options: StagesOptions): Promise<readonly Ended[]> {
  await mkdir(options.folder, { recursive: true });
  const start = performance.now();
  const children = new Set<ChildProcess>();
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    for (const child of children) end(child);
  };
  const timer = setTimeout(stop, options.seconds * 1_000);
  // They are no part of this process's group: nothing else would end them.
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    process.exitCode = 128 + constants.signals[signal];
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);

  async function run(stage: Stage): Promise<Ended> {
    const log = logOf(stage, options);
    const begun = performance.now();
    const child = spawn(stage.command, { shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    const file = createWriteStream(log);
    child.stdout?.pipe(file, { end: false });
    child.stderr?.pipe(file, { end: false });
    const code = await new Promise<number | null>((resolve) => {
      child.on("error", () => resolve(null));
      child.on("close", resolve);
    });
    children.delete(child);
    await new Promise<void>((resolve) => file.end(resolve));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    return { name: stage.name, end: isOver ? "cut" : code === 0 ? "passed" : "failed", seconds, log };
  }

  const results = new Map<Stage, Ended>();
  const waiting = [...stages];
  const running = new Map<Stage, Promise<void>>();
  const note = (stage: Stage, ended: Ended): void => {
    results.set(stage, ended);
    options.onEnd?.(ended);
  };
  async function runAndNote(stage: Stage): Promise<void> {
    const ended = await run(stage);
    running.delete(stage);
    note(stage, ended);
  }
  try {
    while (waiting.length > 0 || running.size > 0) {
      const free = options.cores - [...running.keys()].reduce((sum, { cores }) => sum + cores, 0);
      const [next] = waiting;
      isOver ||= performance.now() - start >= options.seconds * 1_000;
      if (next !== undefined && isOver) {
        waiting.shift();
        note(next, { name: next.name, end: "left", seconds: 0, log: logOf(next, options) });
      } else if (next !== undefined && (next.cores <= free || running.size === 0)) {
        waiting.shift();
        running.set(next, runAndNote(next));
      } else await Promise.race(running.values());
    }
  } finally {
    clearTimeout(timer);
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
  return stages.map((stage) => results.get(stage) as Ended);
}

function logOf({ name }: Stage, { folder }: StagesOptions): string {
  return join(folder, `${name.replaceAll(/[^a-z0-9.]+/giu, "-")}.log`);
}

/** Ends a process with all that it has started. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
