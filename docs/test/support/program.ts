// A guide's program, run as its reader runs it: `node server.ts`. Packages of this workspace come
// as sources.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Program {
  /** Resolves when the output matches; rejects with the output when the program ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** All that it printed so far, errors too. */
  output(): string;
  /** Resolves with the exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** Starts `node <file>` in a guide's folder. Stop it in `afterAll` or `finally`. */
export function startProgram(
  folder: string,
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Program {
  const child: ChildProcess = spawn(process.execPath, ["--conditions=@opstate/source", file], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let over = false;
  const readers = new Set<() => void>();
  const heard = (chunk: Buffer) => {
    output += chunk.toString();
    for (const read of readers) read();
  };
  child.stdout?.on("data", heard);
  child.stderr?.on("data", heard);
  const ended = once(child, "close").then(([code]: unknown[]) => {
    over = true;
    for (const read of readers) read();
    return typeof code === "number" ? code : null;
  });
  return {
    ended,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const read = () => {
          const found = pattern.exec(output);
          if (found) resolve(found);
          else if (over) reject(new Error(`${file} ended without printing ${String(pattern)}:\n${output}`));
          else return;
          readers.delete(read);
        };
        readers.add(read);
        read();
      }),
    async stop() {
      if (!over) child.kill();
      await ended;
    },
  };
}
