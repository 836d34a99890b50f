// An application as its developer has it: a folder of its own outside of this repository, the
// framework in the exact versions of a lockfile, and the libraries as they are published.
//
//   frameworks/next/app ──copy──> /tmp/opstate-next-x/
//   packed libraries    ──copy──> /tmp/opstate-next-x/packed/
//                                 npm install, build, start

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** What a build leaves in the folder of an application, when it is tried out there. */
const BUILT = /\/(?:node_modules|\.next|\.svelte-kit|\.react-router|build|packed)(?:\/|$)/;

type Environment = Readonly<Record<string, string>>;

export interface ProjectOptions {
  readonly name: string;
  /** Folders whose files it has, the later ones in place of the earlier ones'. */
  readonly from: readonly string[];
  /** Ports of the code, and those to use instead: `{ 4310: await freePort() }`. */
  readonly ports?: Readonly<Record<number, number>>;
}

/**
 * Installs the application of a folder with its lockfile. With OPSTATE_KEEP=1 the project stays
 * when it is removed, to look at.
 */
export async function createProject({ name, from, ports = {} }: ProjectOptions): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), `opstate-${name}-`));
  for (const part of from) cpSync(part, folder, { recursive: true, filter: (path) => !BUILT.test(path) });
  usePorts(folder, ports);
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

function usePorts(folder: string, ports: Readonly<Record<number, number>>): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:ts|tsx|js|svelte|html|py)$/.test(file)) continue;
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const changed = Object.entries(ports).reduce(
      (before, [port, free]) => before.replaceAll(new RegExp(`\\b${port}\\b`, "g"), String(free)),
      text,
    );
    if (changed !== text) writeFileSync(path, changed);
  }
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
