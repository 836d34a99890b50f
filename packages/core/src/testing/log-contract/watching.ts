// The log contract of following heads. Logs without `watch` have nothing to keep here.

import type { Log } from "../../thread/log/log.ts";
import { expectEqual, expectTrue } from "../shared/contract.ts";
import type { LogCase } from "./log-contract.ts";
import { commits, committed, newThread, refused } from "./samples.ts";

declare function setTimeout(callback: () => void, milliseconds: number): unknown;

type Notified = readonly [version: number, incarnation: string | undefined];

/** Milliseconds. A log that notifies of nothing fails after this time. */
const PATIENCE = 10_000;

/** Resolves when the condition holds. */
async function until(what: string, holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 5) {
    expectTrue(`${what}: not within ${PATIENCE} ms`, waited < PATIENCE);
    await new Promise<void>((resolve) => setTimeout(resolve, 5));
  }
}

/** What a watcher of "t" was notified of, in order, and the function that ends it. */
function watched(log: Log): { readonly notified: readonly Notified[]; newest(): Notified | undefined; end(): void } {
  const notified: Notified[] = [];
  const end = log.watch?.("t", (version, incarnation) => void notified.push([version, incarnation]));
  return { notified, newest: () => notified.at(-1), end: () => end?.() };
}

async function incarnationOf(log: Log): Promise<string | undefined> {
  return (await log.info("t"))?.incarnation;
}

const cases: Record<string, LogCase> = {
  async "gives a watcher the head soon, and again when it moved"(log) {
    await log.create(newThread("t"));
    await log.append("t", 0, commits(1, 2));
    const incarnation = await incarnationOf(log);
    const { notified, newest, end } = watched(log);
    expectEqual("notified within the call", notified, []);
    await until("the first head", () => newest()?.[0] === 2);
    await log.append("t", 2, commits(3, 4));
    await log.append("t", 4, commits(5, 5));
    await until("the newest head", () => newest()?.[0] === 5);
    expectTrue(
      `every head should have the incarnation: ${JSON.stringify(notified)}`,
      notified.every(([, of]) => of === incarnation),
    );
    expectTrue(
      `heads should ascend: ${JSON.stringify(notified)}`,
      notified.every(([version], index) => index === 0 || version > (notified[index - 1]?.[0] ?? 0)),
    );
    end();
  },

  async "calls each watcher, and those that ended no more"(log) {
    await log.create(newThread("t"));
    await log.create(newThread("other"));
    const [first, second] = [watched(log), watched(log)];
    await until("the first head", () => first.notified.length > 0 && second.notified.length > 0);
    first.end();
    const before = first.notified.length;
    await log.append("other", 0, commits(1, 3));
    await log.append("t", 0, [refused(0, "no")]);
    await log.append("t", 0, [committed(1)]);
    await until("the second watcher", () => second.newest()?.[0] === 1);
    expectEqual("notified after the end", first.notified.length, before);
    expectEqual("the newest head of the second", second.newest()?.[0], 1);
    second.end();
  },

  async "says to a watcher that the thread was deleted, and that another one took its name"(log) {
    await log.create(newThread("t"));
    await log.append("t", 0, commits(1, 3));
    const { newest, end } = watched(log);
    await until("the head", () => newest()?.[0] === 3);
    await log.delete("t");
    await until("the deletion", () => newest()?.[1] === "");
    await log.create(newThread("t"));
    await log.append("t", 0, commits(1, 1));
    const incarnation = await incarnationOf(log);
    await until("the other thread", () => newest()?.[0] === 1 && newest()?.[1] === incarnation);
    end();
  },

  async "calls a watcher for a thread that is created later"(log) {
    const { newest, end } = watched(log);
    await log.create(newThread("t"));
    await log.append("t", 0, commits(1, 1));
    await until("the head", () => newest()?.[0] === 1);
    end();
  },

  async "calls a watcher for what another process wrote"(log, { beside }) {
    const other = await beside?.();
    if (other === undefined) return;
    await log.create(newThread("t"));
    const incarnation = await incarnationOf(log);
    const { notified, newest, end } = watched(log);
    await until("the first head", () => newest()?.[0] === 0);
    for (let version = 1; version <= 3; version++) {
      await other.append("t", version - 1, [committed(version)], incarnation);
      await until(`version ${version}`, () => newest()?.[0] === version);
    }
    await other.delete("t");
    await until("the deletion", () => newest()?.[1] === "");
    await other.create(newThread("t"));
    const next = await incarnationOf(other);
    await until("the other thread", () => newest()?.[1] === next);
    expectEqual("notified", notified.length, new Set(notified.map(String)).size);
    end();
    await other.close();
  },
};

/** Each passes where the log has no `watch`. */
export const watchingCases: Record<string, LogCase> = Object.fromEntries(
  Object.entries(cases).map(([name, check]): [string, LogCase] => [
    name,
    async (log, opened) => {
      if (log.watch !== undefined) await check(log, opened);
    },
  ]),
);
