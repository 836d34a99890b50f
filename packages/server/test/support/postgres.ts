// A real PostgreSQL for tests: DATABASE_URL when it is set, otherwise a new one on a socket in a
// temporary directory, which is removed afterwards. Binaries come from PATH or Debian's directory.
// As root on Debian a missing package is installed. Without binaries there is no database.
//
// An empty cluster takes `initdb` longer than the tests of many a file, so it is made once and
// copied.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Pool, type PoolConfig } from "pg";

/** Empty clusters, each of one version of Postgres and one user of this machine. */
const CACHE = join(import.meta.dirname, "../../node_modules/.cache/postgres");

export interface TestPostgres {
  readonly config: PoolConfig;
  /** Kills all processes of the database and starts it again. Undefined for DATABASE_URL. */
  readonly crash?: () => void;
  /** The same, while this process goes on. */
  readonly restart?: () => Promise<void>;
  /** Stops all its processes as they are, and returns what lets them go on. */
  readonly hang?: () => () => void;
  stop(): Promise<void>;
}

export function startPostgres(): TestPostgres | undefined {
  const connectionString = process.env["DATABASE_URL"];
  if (connectionString !== undefined && connectionString !== "")
    return { config: { connectionString }, stop: async () => undefined };
  const binaries = findBinaries() ?? installBinaries();
  if (binaries === undefined) {
    console.warn(
      "\n*** The Postgres log was NOT tested: no PostgreSQL here. Set DATABASE_URL, or install PostgreSQL. ***\n",
    );
    return undefined;
  }
  const root = process.getuid?.() === 0;
  const directory = mkdtempSync(join(tmpdir(), "opstate-pg-"));
  const data = join(directory, "data");
  const commandOf = (program: string, args: readonly string[]): [string, readonly string[]] => {
    const path = join(binaries, program);
    // Postgres refuses to run as root.
    return root ? ["runuser", ["-u", "postgres", "--", path, ...args]] : [path, args];
  };
  const run = (program: string, args: readonly string[]) => {
    const [command, full] = commandOf(program, args);
    execFileSync(command, full, { cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
  };
  if (root) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    chownSync(directory, id("-u"), id("-g"));
  }
  const log = join(directory, "log");
  const starting = ["start", "-w", "-D", data, "-l", log, "-o", `-k ${directory} -c listen_addresses=''`];
  const stopping = ["stop", "-m", "immediate", "-D", data];
  const start = () => run("pg_ctl", starting);
  const stop = () => run("pg_ctl", stopping);
  const version = execFileSync(join(binaries, "initdb"), ["--version"], { encoding: "utf8" });
  const cluster = join(CACHE, encodeURIComponent(`${version.trim()} of ${process.getuid?.() ?? "all"}`));
  if (existsSync(cluster)) copy(cluster, data);
  else {
    run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
    keepCopy(data, cluster);
  }
  start();
  return {
    config: { host: directory, user: "postgres", database: "postgres" },
    crash() {
      stop();
      start();
    },
    async restart() {
      for (const args of [stopping, starting]) {
        const [command, full] = commandOf("pg_ctl", args);
        const [code] = await once(spawn(command, full, { cwd: directory, stdio: "ignore" }), "exit");
        if (code !== 0) throw new Error(`pg_ctl ${args[0]} ended with ${code}.`);
      }
    },
    hang() {
      const [main] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
      const all = [Number(main), ...childrenOf(Number(main))];
      for (const pid of all) process.kill(pid, "SIGSTOP");
      return () => {
        for (const pid of all) process.kill(pid, "SIGCONT");
      };
    },
    async stop() {
      stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Another process may do the same. */
function keepCopy(data: string, cluster: string): void {
  mkdirSync(CACHE, { recursive: true });
  const copied = mkdtempSync(`${cluster}-`);
  try {
    copy(data, join(copied, "data"));
    renameSync(join(copied, "data"), cluster);
  } catch (error) {
    if (!existsSync(cluster)) throw error;
  } finally {
    rmSync(copied, { recursive: true, force: true });
  }
}

/** With their owners and modes, which Postgres checks. */
function copy(from: string, to: string): void {
  execFileSync("cp", ["-a", from, to]);
}

function childrenOf(pid: number): readonly number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

function findBinaries(): string | undefined {
  const onPath = spawnSync("sh", ["-c", "command -v initdb"], { encoding: "utf8" }).stdout.trim();
  if (onPath !== "") return dirname(onPath);
  return globSync("/usr/lib/postgresql/*/bin/initdb").toSorted().map(dirname).at(-1);
}

function installBinaries(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  // Two test files may install at once. The second one waits for the lock.
  const install = "apt-get -o DPkg::Lock::Timeout=180 install -y -qq --no-install-recommends postgresql";
  spawnSync("sh", ["-c", `${install} || { apt-get update -qq; ${install}; }`], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: "ignore",
  });
  return findBinaries();
}

/** Drops the schemas of tests, also of tests that failed. */
export async function dropSchemas(pool: Pool, schemas: Iterable<string>): Promise<void> {
  for (const schema of schemas) await pool.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
}
