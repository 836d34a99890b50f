// Real time: what was over before a call began, its answer knows; what began after it, it does not.
//
//   lines    write a ─── verdict a: 7 ───┬─── write b ─── verdict b: 8 or more
//                                        └─── read    ─── state: 7 or more
//
// A thread's versions are one order of all its commits. So a history is linearizable when each call
// has a place in this order between its first line and its last one.

import { chainsOf, isSameChain } from "./chain.ts";
import type { ThreadHistory } from "./thread-history.ts";

export function checkOrder(history: ThreadHistory): void {
  const chains = chainsOf(history.ids);
  const begun = beginningsOf(history);
  /** The newest version that anyone was shown. */
  let seen = 0;
  const written = new Map<string, number>();
  /** What had been seen when a call began, and when an id was sent for the first time. */
  const floors = new Map<number, { readonly seen: number; readonly own: number }>();
  const firstFloors = new Map<string, number>();

  const show = (version: number, line: number): void => {
    const known = begun[version];
    if (known === undefined || known > line)
      history.report("from_the_future", line, `Version ${version} is shown before all of it was sent.`);
    seen = Math.max(seen, version);
  };

  for (const { line, record } of history.lines) {
    switch (record.kind) {
      case "write":
        floors.set(record.call, { seen, own: 0 });
        if (!firstFloors.has(record.id)) firstFloors.set(record.id, seen);
        break;
      case "read":
        floors.set(record.call, { seen, own: written.get(record.client) ?? 0 });
        break;
      case "verdict": {
        const { id = "", client = "" } = history.writes.get(record.call) ?? {};
        const floor = record.final ? firstFloors.get(id) : floors.get(record.call)?.seen;
        const isEarly = record.version < (floor ?? 0) + (record.accepted ? 1 : 0);
        if (isEarly)
          history.report("order", line, `${id} got version ${record.version}, and began when ${floor} was shown.`);
        show(record.version, line);
        if (record.accepted) written.set(client, Math.max(written.get(client) ?? 0, record.version));
        break;
      }
      case "state": {
        const { minVersion = 0, client = "" } = history.reads.get(record.call) ?? {};
        const floor = floors.get(record.call) ?? { seen: 0, own: 0 };
        const report = (rule: Parameters<typeof history.report>[0], least: number) =>
          history.report(rule, line, `${client} reads version ${record.version}, where ${least} is the least.`);
        if (record.version < minVersion) report("min_version", minVersion);
        else if (record.version < floor.own) report("read_your_writes", floor.own);
        else if (record.version < floor.seen) report("stale_read", floor.seen);
        if (!isSameChain(chains[record.version], record.state))
          history.report("wrong_state", line, `Not what the log has at version ${record.version}.`);
        show(record.version, line);
        break;
      }
      case "event":
        if (record.state !== undefined && !isSameChain(chains[record.version], record.state))
          history.report("wrong_state", line, `Not what the log has at version ${record.version}.`);
        show(record.version, line);
        break;
      default:
    }
  }
}

/** By version, the line in which the last of its ids was sent for the first time. */
function beginningsOf(history: ThreadHistory): readonly number[] {
  const firsts = new Map<string, number>();
  for (const { line, record } of history.linesOf("write")) if (!firsts.has(record.id)) firsts.set(record.id, line);
  const lines = [0];
  // What no one sent is a fault of its own.
  for (const id of history.ids) lines.push(Math.max(lines.at(-1) ?? 0, firsts.get(id) ?? 0));
  return lines;
}
