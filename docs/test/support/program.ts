// A guide's program, run as its reader runs it: `node server.ts`. Packages of this workspace come
// as sources.

import { type Program, startProgram as start } from "../../../tools/program.ts";

export type { Program };

/** Starts `node <file>` in a guide's folder. Stop it in `afterAll` or `finally`. */
export function startProgram(
  folder: string,
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Program {
  const env = { ...process.env, ...environment };
  return start(process.execPath, ["--conditions=@opstate/source", file], { cwd: folder, env });
}
