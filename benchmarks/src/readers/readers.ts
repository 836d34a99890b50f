// Ten thousand readers of one thread, beside a server of `node:http` alone that sends them the same
// bytes; and how long it takes until they are back, 200 versions behind.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { renameBoard } from "../boards/rename-board.ts";
import { median } from "../harness/median.ts";
import type { Table } from "../harness/results.ts";
import type { Follow, Operate, Seen } from "./crowd.ts";
import type { Use } from "./use.ts";

export const READERS = "10,000 readers of one thread, 10 operations a second at most";
export const READER_MEMORY = "Memory of each of 10,000 readers";
export const BACK = "10,000 readers come back, 200 versions behind";
export const OURS = "`createServer`";
export const BARE = "`node:http` alone, the same bytes";
export const P99 = "until a reader has it, p99";
export const CPU = "CPU time of the server, of an operation";
export const IDLE = "idle";
export const STREAMED = "after 100 operations";
export const BACK_ROW = "until all have all";
export const TURN_ROW = "CPU time of the longest turn";

const COUNT = 10_000;
const OPERATIONS = 100;
const WARM = 20;
const INTERVAL = 100;
const BEHIND = 200;
const ROUNDS = 2;
/** Milliseconds: as `retry:` spreads readers whose connections break one by one. */
const SPREAD = 1_000;
/** So that each has four digits. */
const VERSION = 1_000;

/** One server with its crowd. */
interface Line {
  readonly url: string;
  readonly server: ChildProcess;
}

interface Round {
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
  readonly idle: number;
  readonly streamed: number;
  readonly back?: { readonly all: number; readonly turn: number };
}

/** What a reader gets, as text. */
interface Sample {
  readonly first: string;
  readonly event: string;
}

export async function readerTables(): Promise<readonly Table[]> {
  const rounds: Record<string, Round[]> = { [OURS]: [], [BARE]: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const directory = mkdtempSync(join(tmpdir(), "opstate-readers-"));
    try {
      let sample: Sample | undefined;
      await withServer(new URL("served-board.ts", import.meta.url), [join(directory, "log.sqlite")], async (line) => {
        const thread = `${line.url}/threads/launch`;
        await post(thread, "PUT", { definition: renameBoard.name });
        await lengthen(thread, VERSION);
        sample = await sampleOf(thread);
        rounds[OURS]?.push(await measured(line, thread, sample, true));
      });
      if (sample === undefined) throw new Error("A sample of what a reader gets.");
      const { first, event } = sample;
      await withServer(
        new URL("bare-server.ts", import.meta.url),
        [first, event, String(VERSION + 1)],
        async (line) => {
          rounds[BARE]?.push(await measured(line, `${line.url}/threads/launch`, { first, event }, false));
        },
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
  const column = (of: (round: Round) => number) =>
    Object.fromEntries(Object.entries(rounds).map(([name, all]) => [name, median(all.map(of))]));
  const back = (of: (back: { all: number; turn: number }) => number) =>
    median((rounds[OURS] ?? []).flatMap((round) => (round.back === undefined ? [] : [of(round.back)])));
  return [
    {
      title: READERS,
      unit: "ms",
      columns: {
        "until a reader has it, p50": column(({ p50 }) => p50),
        [P99]: column(({ p99 }) => p99),
        [CPU]: column(({ cpu }) => cpu),
      },
    },
    {
      title: READER_MEMORY,
      unit: "bytes",
      columns: { [IDLE]: column(({ idle }) => idle), [STREAMED]: column(({ streamed }) => streamed) },
    },
    {
      title: BACK,
      unit: "ms",
      columns: { [OURS]: { [BACK_ROW]: back(({ all }) => all), [TURN_ROW]: back(({ turn }) => turn) } },
    },
  ];
}

async function measured(line: Line, thread: string, { event }: Sample, comesBack: boolean): Promise<Round> {
  const crowd = fork(new URL("crowd.ts", import.meta.url));
  await once(crowd, "message");
  const tell = async (task: Follow | Operate | { readonly do: "leave" }): Promise<Seen> => {
    crowd.send(task);
    const [seen] = (await once(crowd, "message")) as [Seen];
    return seen;
  };
  try {
    const before = await use(line);
    await tell({ do: "follow", url: `${thread}/events`, count: COUNT });
    const idle = await use(line);
    const operate = (count: number) =>
      tell({
        do: "operate",
        url: `${thread}/operations`,
        bodies: Array.from({ length: count }, () => JSON.stringify(operationOf())),
        interval: INTERVAL,
        bytes: onWire(event),
      });
    await operate(WARM);
    const warm = await use(line);
    const seen = await operate(OPERATIONS);
    const streamed = await use(line);
    await tell({ do: "leave" });
    const round: Round = {
      p50: seen.p50,
      p99: seen.p99,
      cpu: (streamed.cpu - warm.cpu) / OPERATIONS,
      idle: (idle.memory - before.memory) / COUNT,
      streamed: (streamed.memory - before.memory) / COUNT,
      ...(comesBack && { back: await comeBack(line, thread, event, tell) }),
    };
    console.log(line.url, round);
    return round;
  } finally {
    crowd.disconnect();
    await once(crowd, "exit");
  }
}

/** Their connections broke, 200 operations came, and they come again. */
async function comeBack(
  line: Line,
  thread: string,
  event: string,
  tell: (task: Follow) => Promise<Seen>,
): Promise<{ readonly all: number; readonly turn: number }> {
  const version = VERSION + 1 + WARM + OPERATIONS;
  await lengthen(thread, BEHIND);
  await use(line, "turns");
  // The frames of many are put together: fewer bytes on the wire than each alone.
  const bytes = BEHIND * event.length;
  const behind = { version, bytes, spread: SPREAD };
  const { all } = await tell({ do: "follow", url: `${thread}/events`, count: COUNT, behind });
  const { turn } = await use(line);
  return { all, turn };
}

async function withServer(program: URL, args: readonly string[], work: (line: Line) => Promise<void>): Promise<void> {
  const server = fork(program, args, { execArgv: ["--expose-gc"] });
  try {
    const [url] = (await once(server, "message")) as [string];
    await work({ url, server });
  } finally {
    server.disconnect();
    await once(server, "exit");
  }
}

async function use({ server }: Line, asked: "use" | "turns" = "use"): Promise<Use> {
  // What was just closed or written is done.
  await delay(500);
  server.send(asked);
  const [used] = (await once(server, "message")) as [Use];
  return used;
}

let made = 0;

/** The same card each time, with another title, so that each event has as many bytes. */
function operationOf() {
  made += 1;
  return renameBoard.op.rename({ column: 1, card: 0, title: `Title ${5_000 + (made % 5_000)}` });
}

async function lengthen(thread: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 250)
    await post(`${thread}/operations`, "POST", Array.from({ length: Math.min(250, left) }, operationOf));
}

/** What comes first, and the event of one more operation. */
async function sampleOf(thread: string): Promise<Sample> {
  const leaving = new AbortController();
  const answer = await fetch(`${thread}/events`, { signal: leaving.signal });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (name: string): Promise<number> => {
    for (;;) {
      const at = text.indexOf(`event: ${name}\n`);
      const end = at === -1 ? -1 : text.indexOf("\n\n", at);
      if (end !== -1) return end + 2;
      text += (await reader?.read())?.value ?? "";
    }
  };
  const length = await until("snapshot");
  const first = text.slice(0, length);
  text = text.slice(length);
  await post(`${thread}/operations`, "POST", operationOf());
  const end = await until("commits");
  const event = text.slice(0, end);
  leaving.abort();
  return { first, event };
}

/** In a chunk: its length in hexadecimal digits, and four bytes of line breaks. */
function onWire(event: string): number {
  const bytes = Buffer.byteLength(event);
  return bytes + bytes.toString(16).length + 4;
}

async function post(url: string, method: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
