// workerd, the runtime of Cloudflare's Workers, as a process of its own with one Worker in it.
// What its objects store is in a directory, so that a process that is started again has it.

import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { build } from "vite";

/** The path of the program; its package has no types, and is CommonJS. */
const { default: workerd }: { readonly default: string } = createRequire(import.meta.url)("workerd");

/** Of the runtime's behaviour; a Worker that is deployed says its own. */
const COMPATIBILITY_DATE = "2026-07-01";

export interface WorkerOptions {
  /** The text of the Worker's module. */
  readonly code: string;
  /** The classes of its objects, each bound under its own name. */
  readonly objects: readonly string[];
  /** Texts that the Worker is bound to, by name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Where its objects store; default: a new directory. */
  readonly directory?: string;
  /** Gets what the process writes; default: it is shown. */
  readonly onOutput?: (text: string) => void;
}

export interface Runtime {
  readonly url: string;
  readonly directory: string;
  /** Ends the process at once, as a machine that is lost does. `keep`: what it stored stays. */
  kill(options?: { readonly keep: boolean }): Promise<void>;
}

/** A source with all that it imports, as one module of a Worker. Relative paths begin here. */
export async function bundle(entry: string): Promise<string> {
  const conditions = ["@opstate/source", "workerd", "worker", "import", "default"];
  const result = await build({
    configFile: false,
    logLevel: "error",
    root: import.meta.dirname,
    resolve: { conditions },
    ssr: { noExternal: true, target: "webworker", resolve: { conditions } },
    build: {
      ssr: resolve(import.meta.dirname, entry),
      write: false,
      minify: false,
      target: "esnext",
      rolldownOptions: { external: /^(node|cloudflare):/, output: { format: "es", codeSplitting: false } },
    },
  });
  const chunks = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const [chunk, ...more] = chunks;
  if (chunk?.type !== "chunk" || more.length > 0) throw new Error(`One module is needed, not ${chunks.length}.`);
  return chunk.code;
}

export async function startWorker(options: WorkerOptions): Promise<Runtime> {
  const { code, objects, texts = {}, directory, onOutput } = options;
  const home = directory ?? (await mkdtemp(join(tmpdir(), "opstate-workerd-")));
  await writeFile(join(home, "worker.js"), code);
  await writeFile(join(home, "config.capnp"), configOf({ objects, texts, home }));
  const child = spawn(workerd, ["serve", "config.capnp", "--experimental", "--control-fd=3"], {
    cwd: home,
    stdio: ["ignore", ...(onOutput ? (["pipe", "pipe"] as const) : (["inherit", "inherit"] as const)), "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => onOutput?.(part.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const port = await listeningPort(child.stdio[3] as Readable);
  return {
    url: `http://127.0.0.1:${port}`,
    directory: home,
    async kill({ keep } = { keep: false }) {
      child.kill("SIGKILL");
      await ended;
      if (!keep) await rm(home, { recursive: true, force: true });
    },
  };
}

interface Configured extends Required<Pick<WorkerOptions, "objects" | "texts">> {
  readonly home: string;
}

function configOf({ objects, texts, home }: Configured): string {
  const namespaces = objects.map((name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`);
  const bindings = [
    ...objects.map((name) => `(name = "${name}", durableObjectNamespace = "${name}")`),
    ...Object.entries(texts).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "storage", disk = (path = "${home}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ["nodejs_compat", "enable_request_signal"],
  durableObjectNamespaces = [${namespaces.join(", ")}],
  durableObjectStorage = (localDisk = "storage"),
  bindings = [${bindings.join(", ")}],
);
`;
}

/** The process reports each port that it listens on, as a line of JSON. */
async function listeningPort(control: Readable): Promise<number> {
  let text = "";
  for await (const part of control) {
    text += String(part);
    for (const line of text.split("\n").slice(0, -1)) {
      const report: unknown = JSON.parse(line);
      if (typeof report === "object" && report !== null && "port" in report) return Number(report.port);
    }
  }
  throw new Error("workerd ended before it listened: its output says why.");
}
