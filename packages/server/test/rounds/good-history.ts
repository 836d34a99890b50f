// Histories of a perfect server with several nodes: each call has its effect in one moment between
// its first line and its last. Answers are lost, ids sent again, streams cut and resumed.

import { type Random, randomOf } from "../../../core/test/simulation/random.ts";
import { EMPTY, isRefused, linked } from "./checker/chain.ts";
import type { Chain, HistoryRecord, VerdictRecord } from "./checker/records.ts";

const NODES = ["n1", "n2", "n3"] as const;

export interface GoodOptions {
  readonly seed: number;
  readonly writers: number;
  readonly readers: number;
  readonly steps: number;
}

interface Sent {
  readonly call: number;
  readonly id: string;
  readonly unless: number;
  readonly expected: number | undefined;
}

type Verdict = Pick<VerdictRecord, "accepted" | "final" | "version">;

export function goodHistory(options: GoodOptions): HistoryRecord[] {
  const perfect = new PerfectServer(randomOf(options.seed));
  const writers = Array.from({ length: options.writers }, (_, index) => new Writer(`w${index}`, perfect));
  const readers = Array.from({ length: options.readers }, (_, index) => new Reader(`r${index}`, perfect));
  const all = [...writers, ...readers];
  for (const reader of readers) reader.follow();
  for (let step = 0; step < options.steps; step += 1) all[perfect.random.below(all.length)]?.step();
  for (const writer of writers) writer.finish();
  for (const reader of readers) reader.finish();
  perfect.end();
  return perfect.records;
}

class PerfectServer {
  readonly records: HistoryRecord[] = [];
  readonly random: Random;
  readonly ids: string[] = [];
  readonly chains: Chain[] = [EMPTY];
  readonly #finals = new Map<string, Verdict>();
  #numbers = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** A few milliseconds later. */
  get at(): number {
    return this.records.length * 5;
  }

  get version(): number {
    return this.ids.length;
  }

  number(): number {
    return (this.#numbers += 1);
  }

  node(): string {
    return this.random.pick(NODES);
  }

  decide({ id, unless, expected }: Sent): Verdict {
    const known = this.#finals.get(id);
    if (known !== undefined) return known;
    const { version } = this;
    const isConflict = expected !== undefined && expected !== version;
    const accepted = !isConflict && !isRefused(version, unless);
    if (accepted) {
      this.ids.push(id);
      this.chains.push(linked(this.chain(version), id));
    }
    const verdict = { accepted, final: !isConflict, version: this.version };
    if (verdict.final) this.#finals.set(id, verdict);
    return verdict;
  }

  chain(version: number): Chain {
    return this.chains[version] ?? EMPTY;
  }

  end(): void {
    for (const node of NODES)
      for (const [index, id] of this.ids.entries())
        this.records.push({ kind: "log", at: this.at, node, thread: "t", version: index + 1, id });
    this.records.push({ kind: "end", at: this.at + 10_000 });
  }
}

class Writer {
  readonly #name: string;
  readonly #server: PerfectServer;
  #count = 0;
  #sent: Sent | undefined;
  #verdict: Verdict | undefined;

  constructor(name: string, server: PerfectServer) {
    this.#name = name;
    this.#server = server;
  }

  step(): void {
    const { random } = this.#server;
    if (this.#sent === undefined) this.#send();
    else if (this.#verdict === undefined) this.#verdict = this.#server.decide(this.#sent);
    else if (random.oneIn(4)) this.#again(this.#sent);
    else this.#answer();
  }

  /** What is under way is answered, and a last write accepted. */
  finish(): void {
    this.#complete();
    this.#send(3);
    this.#complete();
  }

  #complete(): void {
    if (this.#sent === undefined) return;
    this.#verdict ??= this.#server.decide(this.#sent);
    this.#answer();
  }

  #send(unless = this.#server.random.below(5)): void {
    const { random, version } = this.#server;
    this.#count += 1;
    const expected = unless < 3 && random.oneIn(5) ? version : undefined;
    this.#begin({ call: this.#server.number(), id: `${this.#name}-${this.#count}`, unless, expected });
  }

  #begin(sent: Sent): void {
    const { call, id, unless, expected } = sent;
    const { records, at } = this.#server;
    this.#sent = sent;
    this.#verdict = undefined;
    const about = { client: this.#name, node: this.#server.node(), thread: "t" };
    records.push({ kind: "write", at, call, ...about, id, unless, ...(expected !== undefined && { expected }) });
  }

  /** The answer is lost, or it is sent again although there was one. */
  #again(sent: Sent): void {
    const { records, at, random } = this.#server;
    if (random.oneIn(2)) records.push({ kind: "unknown", at, call: sent.call, why: "lost" });
    else this.#push(sent);
    this.#begin({ ...sent, call: this.#server.number() });
  }

  #answer(): void {
    if (this.#sent !== undefined) this.#push(this.#sent);
    this.#sent = undefined;
  }

  #push({ call }: Sent): void {
    const { records, at } = this.#server;
    if (this.#verdict !== undefined) records.push({ kind: "verdict", at, call, ...this.#verdict });
  }
}

class Reader {
  readonly #name: string;
  readonly #server: PerfectServer;
  #stream = 0;
  #position: number | undefined;
  #read: { readonly call: number; version: number | undefined } | undefined;

  constructor(name: string, server: PerfectServer) {
    this.#name = name;
    this.#server = server;
  }

  follow(): void {
    const { records, at } = this.#server;
    this.#stream = this.#server.number();
    const about = { client: this.#name, node: this.#server.node(), thread: "t" };
    const after = this.#position;
    records.push({ kind: "follow", at, stream: this.#stream, ...about, ...(after !== undefined && { after }) });
    if (after !== undefined) return;
    const { version } = this.#server;
    records.push({ kind: "event", at, stream: this.#stream, version, state: this.#server.chain(version) });
    this.#position = version;
  }

  step(): void {
    const { random } = this.#server;
    if (random.oneIn(12)) this.follow();
    else if (random.oneIn(2)) this.#next();
    else this.#stepRead();
  }

  finish(): void {
    while (this.#read !== undefined) this.#stepRead();
    while ((this.#position ?? 0) < this.#server.version) this.#next();
  }

  #next(): void {
    const { records, at, ids } = this.#server;
    const version = (this.#position ?? 0) + 1;
    const id = ids[version - 1];
    if (id === undefined) return;
    records.push({ kind: "event", at, stream: this.#stream, version, id });
    this.#position = version;
  }

  #stepRead(): void {
    const { records, at, random, version } = this.#server;
    if (this.#read === undefined) {
      const call = this.#server.number();
      this.#read = { call, version: undefined };
      const minVersion = random.oneIn(2) ? version : undefined;
      const about = { client: this.#name, node: this.#server.node(), thread: "t" };
      records.push({ kind: "read", at, call, ...about, ...(minVersion !== undefined && { minVersion }) });
    } else if (this.#read.version === undefined) this.#read.version = version;
    else {
      const { call, version: read } = this.#read;
      records.push({ kind: "state", at, call, version: read, state: this.#server.chain(read) });
      this.#read = undefined;
    }
  }
}
