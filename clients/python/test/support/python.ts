// Runs a module of the Python client, with its sources and tests on the path.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pythonPath } from "../../../../tools/python.mjs";

const FOLDER = fileURLToPath(new URL("../..", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `python -m` with these words, and `input` as its standard input. */
export async function runPython(words: readonly string[], input = ""): Promise<Ended> {
  const python = pythonPath();
  if (python === undefined) throw new Error("There is no Python 3.11 or newer: node tools/python.mjs says more.");
  const child = spawn(python, ["-m", ...words], {
    cwd: FOLDER,
    env: { ...process.env, PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1", NODE: process.execPath },
    stdio: "pipe",
  });
  const read = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (read[name] += text));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...read };
}
