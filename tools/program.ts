// A program that a test starts, reads and stops.

import { type ChildProcess, spawn } from "node:child_process";

export interface Program {
  /** Resolves when the output matches; rejects with the output when the program ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** All that it printed so far, errors too. */
  output(): string;
  /** Resolves with the exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it with the programs that it started. */
  stop(): Promise<void>;
  /** The same with kill -9: nothing gets a chance to be tidied up. */
  kill(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a program. Stop it in `afterAll` or `finally`. */
export function startProgram(command: string, parameters: readonly string[], options: ProgramOptions): Program {
  // In a group of its own, so that what it starts ends with it.
  const child: ChildProcess = spawn(command, parameters, {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let over = false;
  const readers = new Set<() => void>();
  const heard = (chunk: Buffer | Error) => {
    output += chunk.toString();
    for (const read of readers) read();
  };
  child.stdout?.on("data", heard);
  child.stderr?.on("data", heard);
  child.on("error", heard);
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      over = true;
      for (const read of readers) read();
      resolve(code);
    });
  });
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!over && child.pid !== undefined) process.kill(-child.pid, signal);
    await ended;
  }

  return {
    ended,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const read = () => {
          const found = pattern.exec(output);
          if (found) resolve(found);
          else if (over)
            reject(
              new Error(`${[command, ...parameters].join(" ")} ended without printing ${String(pattern)}:\n${output}`),
            );
          else return;
          readers.delete(read);
        };
        readers.add(read);
        read();
      }),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}
