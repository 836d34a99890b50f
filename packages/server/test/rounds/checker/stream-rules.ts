// Streams: commits in order without a gap, the log's own, and all of them after the last write.

import type { EndRecord } from "./records.ts";
import type { Line, ThreadHistory } from "./thread-history.ts";

export function checkStreams(history: ThreadHistory): void {
  const positions = new Map<number, number | undefined>();
  for (const { line, record } of history.lines) {
    if (record.kind === "follow") positions.set(record.stream, record.after);
    if (record.kind !== "event") continue;
    const { stream, version, id } = record;
    const position = positions.get(stream);
    const isGap = id === undefined ? version < (position ?? 0) : version > (position ?? -1) + 1;
    if (isGap) history.report("stream_gap", line, `Stream ${stream} is at ${position}, and gets version ${version}.`);
    if (id !== undefined && history.idAt(version) !== id)
      history.report("stream_differs", line, `Version ${version} is ${history.idAt(version)}, not ${id}.`);
    positions.set(stream, Math.max(position ?? 0, version));
  }
}

/** `within`: milliseconds from the last acknowledged write. */
export function checkReaders(history: ThreadHistory, end: Line<EndRecord>, within: number): void {
  const lastWrite = history.linesOf("verdict").findLast(({ record }) => record.accepted)?.record.at ?? 0;
  const newest = history.ids.length;
  const reached = new Map<string, number>();
  const readers = new Set<string>();
  for (const { record } of history.lines) {
    if (record.kind === "follow") readers.add(record.client);
    if (record.kind !== "event" || record.version < newest) continue;
    const client = history.streams.get(record.stream)?.client ?? "";
    if (!reached.has(client)) reached.set(client, record.at);
  }
  for (const client of readers) {
    const at = reached.get(client);
    if (at !== undefined && at <= lastWrite + within) continue;
    const when = at === undefined ? "never" : `after ${Math.round(at - lastWrite)} ms`;
    const isKnown = at !== undefined || end.record.at > lastWrite + within;
    history.report(isKnown ? "behind" : "cut_short", end.line, `${client} has version ${newest} ${when}.`);
  }
}
