// An application as its developer has it: a folder of its own outside of this repository, the
// framework in the exact versions of a lockfile, and the libraries as they are published.
//
//   frameworks/next/app ──copy──> /tmp/opstate-next-x/          package.json: "@opstate/core": "file:packed/opstate-core.tgz"
//   packed libraries    ──copy──> /tmp/opstate-next-x/packed/
//                                 npm install, build, start

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Program, startProgram } from "../../tools/program.ts";
import { lockFaults } from "./lock.ts";

export interface Project {
  readonly folder: string;
  /** Runs a program of the project to its end, and gives what it printed. Rejects when it fails. */
  run(command: string, parameters: readonly string[], env?: Environment): Promise<string>;
  /** Starts one that stays, such as a server. It ends with the project. */
  start(command: string, parameters: readonly string[], env?: Environment): Program;
  /** Stops what was started, and removes the folder. */
  remove(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Installs the application of a folder with its lockfile. With OPSTATE_KEEP=1 the project stays
 * when it is removed, to look at.
 */
export async function createProject(name: string, from: string): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), `opstate-${name}-`));
  cpSync(from, folder, { recursive: true, filter: (path) => !/node_modules|\/\.next|\/\.svelte-kit/.test(path) });
  cpSync(inject("packages"), join(folder, "packed"), { recursive: true });
  const faults = lockFaults(folder);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const started: Program[] = [];
  const project: Project = {
    folder,
    run: (command, parameters, env) => run(folder, command, parameters, env),
    start(command, parameters, env) {
      const program = startProgram(pathOf(folder, command), parameters, { cwd: folder, env: environment(env) });
      started.push(program);
      return program;
    },
    async remove() {
      await Promise.all(started.map((program) => program.stop()));
      if (process.env["OPSTATE_KEEP"] !== "1") rmSync(folder, { recursive: true });
    },
  };
  // Not `npm ci`: it wants programs for other machines too, which a registry may not have.
  await project.run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"]);
  return project;
}

async function run(
  folder: string,
  command: string,
  parameters: readonly string[],
  env: Environment = {},
): Promise<string> {
  const child = spawn(pathOf(folder, command), parameters, {
    cwd: folder,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`${[command, ...parameters].join(" ")} ended with ${String(code)}:\n${output}`);
  return output;
}

/** `node` is that of the workspace; a command of the project is in its `node_modules`. */
function pathOf(folder: string, command: string): string {
  if (command === "node") return process.execPath;
  const own = join(folder, "node_modules", ".bin", command);
  return existsSync(own) ? own : command;
}

/** That of a developer: nothing of the runner of these tests. */
function environment(env: Environment = {}): NodeJS.ProcessEnv {
  const { NODE_ENV: _, NODE_OPTIONS: __, ...rest } = process.env;
  const own = Object.entries(rest).filter(
    ([name]) => !/^(?:VITEST|npm_|pnpm_)/i.test(name) || /registry|cache/.test(name),
  );
  return { ...Object.fromEntries(own), NEXT_TELEMETRY_DISABLED: "1", CI: "1", ...env };
}
