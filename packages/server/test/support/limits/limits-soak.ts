// Random valid requests at their limits, on nearly every route of a server in a process of its own,
// and others beside them who write. What is a fault: an answer that is documented nowhere, a
// server's error, an acknowledged operation that is lost or twice.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { randomOf } from "../../../../core/test/simulation/random.ts";
import { REJECTION_PROBLEMS, REQUEST_PROBLEMS } from "../../../src/http/problem.ts";
import { asUser } from "../server.ts";
import { type HeavyRequest, heavyRequest, type Known } from "./heavy-requests.ts";
import type { Reading } from "./limits-server.ts";
import type { SoakReport, Waits } from "./soak-report.ts";
import { lostOf, Writer } from "./writers.ts";

export interface SoakOptions {
  readonly path: string;
  readonly seed: number;
  readonly seconds: number;
  readonly threads: number;
  readonly senders: number;
  onMinute?(report: SoakReport): void;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const EVERYTHING = ["read", "write", "undo", "approve", "admin"] as const;
/** Of what is valid: a body or query of the wrong shape is a fault of the soak. */
const DOCUMENTED = new Set(
  Object.entries({ ...REQUEST_PROBLEMS, ...REJECTION_PROBLEMS })
    .filter(([, [status]]) => status !== 400 && status !== 500)
    .map(([code]) => code),
);

export class LimitsSoak {
  readonly #options: SoakOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  readonly #known: Known & { readonly versions: Map<string, number> };
  readonly #sent: Record<string, number> = {};
  readonly #refused: Record<string, number> = {};
  readonly #faults: string[] = [];
  readonly #memory: number[] = [];
  readonly #turns: { turn: number; during: readonly string[] }[] = [];
  /** What was under way since the last reading. */
  readonly #under = new Map<object, string>();
  #recent = new Set<string>();
  /** Requests that took more than a second. */
  readonly #long: { readonly what: string; readonly from: number; readonly to: number }[] = [];
  #requests = 0;
  #writers: readonly Writer[] = [];
  #url = "";

  constructor(options: SoakOptions) {
    this.#options = options;
    const half = Math.max(1, Math.floor(options.threads / 2));
    const named = (name: string): [string, ...string[]] => [
      `${name}-0`,
      ...Array.from({ length: half - 1 }, (_, n) => `${name}-${n + 1}`),
    ];
    this.#known = {
      random: randomOf(options.seed),
      free: named("free"),
      same: named("same"),
      versions: new Map(),
      branches: new Map(),
      proposals: new Map(),
      ids: new Map(),
      runs: new Map(),
    };
  }

  async run(): Promise<SoakReport> {
    const { path, seconds, senders, onMinute } = this.#options;
    const { free, same } = this.#known;
    const file = join(import.meta.dirname, "limits-server.ts");
    const child = spawn(process.execPath, ["--conditions=@opstate/source", file, path], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    try {
      [this.#url] = (await once(child, "message")) as [string];
      this.#watch(child);
      const calm = Array.from({ length: 4 }, (_, n) => `calm-${n}`);
      for (const id of [...free, ...same, ...calm])
        await this.#send({ route: "create", method: "PUT", path: `/threads/${id}`, body: { definition: "tally" } }, 0);
      this.#writers = [...calm, ...same.slice(0, 4)].map((id, n) => new Writer(this.#url, id, `writer-${n}`));
      const end = new AbortController();
      const ticking = onMinute && setInterval(() => onMinute(this.#report()), 60_000);
      const writing = this.#writers.map((writer) => writer.run(end.signal));
      const until = performance.now() + seconds * 1_000;
      await Promise.all(Array.from({ length: senders }, (_, n) => this.#sendUntil(until, n)));
      end.abort();
      await Promise.all(writing);
      clearInterval(ticking);
      for (const writer of this.#writers) this.#faults.push(...writer.faults);
      for (const { threadId } of this.#writers)
        this.#faults.push(...(await lostOf(this.#url, threadId, this.#writers)));
      return this.#report();
    } finally {
      this.#agent.destroy();
      child.disconnect();
      await once(child, "exit");
    }
  }

  #watch(child: ChildProcess): void {
    let count = 0;
    child.on("exit", (code) => code !== 0 && this.#faults.push(`the server ended with ${code}`));
    child.on("message", ({ turn, memory, errors }: Reading) => {
      this.#faults.push(...errors.map((error) => `onError: ${error}`));
      this.#turns.push({ turn: Math.round(turn), during: [...this.#recent] });
      this.#recent = new Set(this.#under.values());
      if (count++ % 60 === 0) this.#memory.push(memory);
    });
  }

  async #sendUntil(until: number, sender: number): Promise<void> {
    while (performance.now() < until) await this.#send(heavyRequest(this.#known), sender);
  }

  async #send(heavy: HeavyRequest, sender: number): Promise<void> {
    const { route, bytes = Infinity } = heavy;
    this.#requests += 1;
    this.#sent[route] = (this.#sent[route] ?? 0) + 1;
    const mark = {};
    this.#under.set(mark, route);
    this.#recent.add(route);
    const from = performance.now();
    try {
      const { status, text } = await this.#answerTo(heavy, sender, bytes);
      this.#judge(heavy, status, text);
    } catch (error) {
      this.#faults.push(`${route}: no answer, ${String(error)}`);
    } finally {
      this.#under.delete(mark);
      const to = performance.now();
      if (to - from > 1_000) this.#long.push({ what: `${route}, ${heavy.path.split("?")[0]}`, from, to });
    }
  }

  #answerTo(heavy: HeavyRequest, sender: number, bytes: number): Promise<Answer> {
    const { method, path, body, headers } = heavy;
    const sent = body === undefined ? undefined : JSON.stringify(body);
    return new Promise<Answer>((resolve, reject) => {
      const outgoing = request(`${this.#url}${path}`, {
        method,
        agent: this.#agent,
        timeout: 300_000,
        headers: {
          ...asUser(`heavy-${sender % 4}`, ...EVERYTHING),
          ...headers,
          ...(sent !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
        },
      });
      outgoing.on("timeout", () => outgoing.destroy(new Error("not answered in five minutes")));
      outgoing.on("error", (error) => {
        // The server may close a connection that was idle just when it is used again.
        const isStale = outgoing.reusedSocket && "code" in error && error.code === "ECONNRESET";
        if (isStale) resolve(this.#answerTo(heavy, sender, bytes));
        else reject(error);
      });
      outgoing.on("response", (answer) => {
        const chunks: Buffer[] = [];
        let read = 0;
        const done = () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        // What does not end is left when nothing came for a while, too.
        const idle = bytes === Infinity ? undefined : setTimeout(() => (answer.destroy(), done()), 1_000);
        answer.on("data", (chunk: Buffer) => {
          read += chunk.length;
          if (bytes === Infinity || answer.statusCode !== 200) chunks.push(chunk);
          else if (read >= bytes) answer.destroy();
        });
        answer.on("error", done);
        answer.on("close", () => (clearTimeout(idle), done()));
      });
      outgoing.end(sent);
    });
  }

  #judge({ route, path, bytes }: HeavyRequest, status: number, text: string): void {
    if (status < 300) {
      if (bytes === undefined && text !== "" && route !== "a run") this.#learn(route, path, JSON.parse(text));
      return;
    }
    const { code = "?", rejection } = JSON.parse(text) as { code?: string; rejection?: { code: string } };
    const why = rejection?.code ?? code;
    const key = `${route}: ${status} ${why}`;
    this.#refused[key] = (this.#refused[key] ?? 0) + 1;
    if (!DOCUMENTED.has(why)) this.#faults.push(`${key} ${path} ${text.slice(0, 400)}`);
  }

  /** Ids for later requests, a few of each. */
  #learn(route: string, path: string, answer: unknown): void {
    const thread = path.split(/[/?]/)[2] ?? "";
    const { branches, proposals, ids, runs, versions } = this.#known;
    const keep = (map: Map<string, string[]>, id: string, most: number) =>
      map.set(thread, [...(map.get(thread) ?? []), id].slice(-most));
    const { version, threadId, runId } = (answer ?? {}) as { version?: number; threadId?: string; runId?: string };
    if (typeof version === "number" && route !== "an old state" && route !== "branch") versions.set(thread, version);
    if (route === "branch" && threadId !== undefined) keep(branches, threadId, 3);
    if (route === "proposals") for (const { id } of answer as readonly { id: string }[]) keep(proposals, id, 20);
    if (route === "256 operations") {
      const verdicts = answer as readonly { version?: number; commit?: { id: string; runId?: string } }[];
      for (const { version: at, commit } of verdicts) {
        if (at !== undefined) versions.set(thread, at);
        if (commit !== undefined) keep(ids, commit.id, 300);
        if (commit?.runId !== undefined) keep(runs, commit.runId, 5);
      }
    }
    if (runId !== undefined) keep(runs, runId, 5);
  }

  #report(): SoakReport {
    const waitsOf = (name: string): Waits => {
      const all = this.#writers.filter(({ threadId }) => threadId.startsWith(name)).flatMap(({ waits }) => waits);
      const sorted = all.toSorted((a, b) => a - b);
      const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
      return { median: at(0.5), p99: at(0.99), longest: at(1) };
    };
    const slowest = this.#turns.toSorted((a, b) => b.turn - a.turn).slice(0, 8);
    return {
      requests: this.#requests,
      sent: this.#sent,
      refused: this.#refused,
      acknowledged: this.#writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
      resent: this.#writers.reduce((sum, { resent }) => sum + resent, 0),
      waits: { other: waitsOf("calm"), same: waitsOf("same") },
      longestWaits: this.#writers.map(({ threadId, slowest: { wait, from } }) => ({
        wait: Math.round(wait),
        thread: threadId,
        during: this.#long
          .filter((long) => Math.min(long.to, from + wait) - Math.max(long.from, from) > wait / 2)
          .map(({ what }) => what),
      })),
      longestTurn: slowest[0]?.turn ?? 0,
      longTurns: this.#turns.filter(({ turn }) => turn > 50).length,
      slowest,
      memory: this.#memory,
      faults: this.#faults,
    };
  }
}
