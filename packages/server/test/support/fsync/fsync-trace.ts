// Reads from strace's output what a process did with its write-ahead log and its sockets, in the
// order of the system calls.

/**
 * When the first byte about an id left the process: after or before its part of the WAL was
 * flushed, without a write to the WAL, or never.
 */
export type FlushOrder = "after its flush" | "before its flush" | "never written" | "never sent";

const WAL = /-wal>/;
const SOCKET = /<(?:socket|TCP|TCPv6|UNIX)[^>]*>/;

/** `lines`: the output of strace -f -y with whole strings. */
export function readTrace(lines: readonly string[], ids: readonly string[]): Map<string, FlushOrder> {
  const written = new Set<string>();
  const flushed = new Set<string>();
  const orders = new Map<string, FlushOrder>();
  /** Calls that were interrupted by another thread's line, by thread. */
  const begun = new Map<string, string>();

  for (const line of lines) {
    const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest);
    const call = resumed === null ? rest : `${begun.get(thread) ?? ""}${resumed[1]}`;
    const unfinished = call.endsWith("<unfinished ...>");
    if (unfinished) begun.set(thread, call.slice(0, -"<unfinished ...>".length));
    const [name = ""] = /^\w+/.exec(call) ?? [];
    if (/^f(data)?sync$/.test(name) && WAL.test(call)) {
      // A flush covers what was written before it began, and only when it succeeded.
      if (!unfinished && call.endsWith(" = 0")) for (const id of written) flushed.add(id);
    } else if (name.startsWith("pwrite") && WAL.test(call)) {
      for (const id of ids) if (call.includes(id)) written.add(id);
    } else if (resumed === null && SOCKET.test(call)) {
      for (const id of ids) {
        if (orders.has(id) || !call.includes(id)) continue;
        orders.set(id, flushed.has(id) ? "after its flush" : written.has(id) ? "before its flush" : "never written");
      }
    }
  }
  return new Map(ids.map((id) => [id, orders.get(id) ?? "never sent"]));
}
