// A real PostgreSQL for tests: DATABASE_URL when it is set, else one of its own, started on a
// socket in a temporary directory and removed afterwards. Binaries come from PATH or Debian's
// directory; as root on Debian a missing package is installed. Without any, undefined.

import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PoolConfig } from "pg";

interface TestPostgres {
  readonly config: PoolConfig;
  stop(): void;
}

export function startPostgres(): TestPostgres | undefined {
  const connectionString = process.env["DATABASE_URL"];
  if (connectionString !== undefined && connectionString !== "")
    return { config: { connectionString }, stop: () => undefined };
  const binaries = findBinaries() ?? installed();
  if (binaries === undefined) {
    console.warn(
      "\n*** Checkpoints in Postgres were NOT tested: no PostgreSQL here. Set DATABASE_URL, or install PostgreSQL. ***\n",
    );
    return undefined;
  }
  const root = process.getuid?.() === 0;
  const directory = mkdtempSync(join(tmpdir(), "opstate-pg-"));
  const data = join(directory, "data");
  const run = (program: string, args: readonly string[]) => {
    const path = join(binaries, program);
    // Postgres refuses to run as root.
    const [command, full] = root ? ["runuser", ["-u", "postgres", "--", path, ...args]] : [path, args];
    execFileSync(command, full, { cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
  };
  if (root) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    chownSync(directory, id("-u"), id("-g"));
  }
  run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
  run("pg_ctl", [
    "start",
    "-w",
    "-D",
    data,
    "-l",
    join(directory, "log"),
    "-o",
    `-k ${directory} -c listen_addresses=''`,
  ]);
  return {
    config: { host: directory, user: "postgres", database: "postgres" },
    stop() {
      run("pg_ctl", ["stop", "-m", "immediate", "-D", data]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string | undefined {
  const onPath = spawnSync("sh", ["-c", "command -v initdb"], { encoding: "utf8" }).stdout.trim();
  if (onPath !== "") return dirname(onPath);
  return globSync("/usr/lib/postgresql/*/bin/initdb").toSorted().map(dirname).at(-1);
}

function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  // Two test files may start it at once: the second waits for the first one's lock.
  const install = "apt-get -o DPkg::Lock::Timeout=180 install -y -qq --no-install-recommends postgresql";
  spawnSync("sh", ["-c", `${install} || { apt-get update -qq; ${install}; }`], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: "ignore",
  });
  return findBinaries();
}
