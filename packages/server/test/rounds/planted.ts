// One fault in a good history: what a wrong server, or a wrong log, would have shown.
//
// Each is given what a good history has, and changes it or adds to its end, before the logs.

import { chainsOf, EMPTY, linked } from "./checker/chain.ts";
import type { Rule } from "./checker/fault.ts";
import type { EventRecord, HistoryRecord, StateRecord, VerdictRecord, WriteRecord } from "./checker/records.ts";

export interface Planted {
  readonly name: string;
  readonly rule: Rule;
  readonly plant: (good: Good) => readonly HistoryRecord[];
}

/** A good history of one thread, "t", in its parts. */
export class Good {
  readonly before: readonly HistoryRecord[];
  readonly ids: readonly string[];
  readonly nodes: readonly string[];
  readonly end: HistoryRecord;
  readonly at: number;

  constructor(records: readonly HistoryRecord[]) {
    const logs = records.filter((record) => record.kind === "log");
    this.before = records.filter(({ kind }) => kind !== "log" && kind !== "end");
    this.nodes = [...new Set(logs.map((log) => log.node))];
    this.ids = logs.flatMap((log) => (log.node === this.nodes[0] ? [log.id] : []));
    this.end = records.at(-1) ?? { kind: "end", at: 0 };
    this.at = this.before.at(-1)?.at ?? 0;
  }

  get version(): number {
    return this.ids.length;
  }

  /** With other records before the logs, or other logs. */
  with(before: readonly HistoryRecord[], logOf: (node: string) => readonly string[] = () => this.ids) {
    const logs = this.nodes.flatMap((node) => this.logs(node, logOf(node)));
    return [...before, ...logs, this.end];
  }

  /** With the same log at every node. */
  withLog(ids: readonly string[]) {
    return this.with(this.before, () => ids);
  }

  /** With more at the end. */
  and(...more: readonly HistoryRecord[]) {
    return this.with([...this.before, ...more]);
  }

  /** With the first of its records that `change` changes, changed. */
  changed(change: (record: HistoryRecord) => HistoryRecord | undefined) {
    const at = this.before.findIndex((record) => change(record) !== undefined);
    return this.with(this.before.map((record, index) => (index === at ? (change(record) ?? record) : record)));
  }

  logs(node: string, ids: readonly string[]): readonly HistoryRecord[] {
    return ids.map((id, index) => ({ kind: "log", at: this.at, node, thread: "t", version: index + 1, id }));
  }

  write(call: number, id: string, about: Partial<WriteRecord> = {}): WriteRecord {
    return { kind: "write", at: this.at, call, client: "w0", node: "n1", thread: "t", id, unless: 3, ...about };
  }

  verdict(call: number, version: number, about: Partial<VerdictRecord> = {}): VerdictRecord {
    return { kind: "verdict", at: this.at, call, accepted: true, final: true, version, ...about };
  }

  /** A read of a version, with the state that it has. */
  read(client: string, version: number, minVersion?: number): readonly HistoryRecord[] {
    const call = 1_000_000;
    const state = chainsOf(this.ids)[version] ?? EMPTY;
    return [
      {
        kind: "read",
        at: this.at,
        call,
        client,
        node: "n2",
        thread: "t",
        ...(minVersion !== undefined && { minVersion }),
      },
      { kind: "state", at: this.at, call, version, state },
    ];
  }
}

const ghost = 2_000_000;

function swapped(ids: readonly string[]): readonly string[] {
  const [first = "", second = "", ...others] = ids;
  return [second, first, ...others];
}

const isCommit = (record: HistoryRecord): record is EventRecord => record.kind === "event" && record.id !== undefined;

export const planted: readonly Planted[] = [
  {
    name: "a version of the log is missing",
    rule: "gap",
    plant: (good) => {
      const records = good.withLog(good.ids);
      return records.filter((record) => record.kind !== "log" || record.version !== 1);
    },
  },
  {
    name: "two nodes have two logs",
    rule: "logs_differ",
    plant: (good) => good.with(good.before, (node) => (node === "n2" ? swapped(good.ids) : good.ids)),
  },
  {
    name: "an id that was sent again has a second effect",
    rule: "two_effects",
    plant: (good) => good.withLog([...good.ids, good.ids[0] ?? ""]),
  },
  {
    name: "an id that was sent again gets another verdict",
    rule: "two_verdicts",
    plant: (good) => good.and(good.write(ghost, good.ids[0] ?? ""), good.verdict(ghost, good.version)),
  },
  {
    name: "the newest acknowledged write is lost",
    rule: "lost",
    plant: (good) => good.withLog(good.ids.slice(0, -1)),
  },
  {
    name: "two acknowledged writes changed places",
    rule: "moved",
    plant: (good) => good.withLog(swapped(good.ids)),
  },
  {
    name: "a refused write is stored",
    rule: "refused_and_stored",
    plant: (good) =>
      good.with(
        [
          ...good.before,
          good.write(ghost, "refused", { unless: good.version % 3 }),
          good.verdict(ghost, good.version, { accepted: false }),
        ],
        () => [...good.ids, "refused"],
      ),
  },
  {
    name: "the log has what no one sent",
    rule: "never_sent",
    plant: (good) => good.withLog([...good.ids, "ghost"]),
  },
  {
    name: "a write is accepted at a version that refuses it",
    rule: "wrong_verdict",
    plant: (good) =>
      good.with(
        [
          ...good.before,
          good.write(ghost, "more", { unless: good.version % 3 }),
          good.verdict(ghost, good.version + 1),
        ],
        () => [...good.ids, "more"],
      ),
  },
  {
    name: "a write is refused at a version that accepts it",
    rule: "wrong_verdict",
    plant: (good) => good.and(good.write(ghost, "more"), good.verdict(ghost, good.version, { accepted: false })),
  },
  {
    name: "a write that expects a version is accepted at another",
    rule: "wrong_verdict",
    plant: (good) =>
      good.with(
        [
          ...good.before,
          good.write(ghost, "more", { expected: Math.max(0, good.version - 1) }),
          good.verdict(ghost, good.version + 1),
        ],
        () => [...good.ids, "more"],
      ),
  },
  {
    name: "a write has a lower version than one that was acknowledged before it began",
    rule: "order",
    plant: (good) =>
      good.with(
        [
          ...good.before,
          good.write(ghost, "first"),
          good.verdict(ghost, good.version + 2),
          good.write(ghost + 1, "second"),
          good.verdict(ghost + 1, good.version + 1),
        ],
        () => [...good.ids, "second", "first"],
      ),
  },
  {
    name: "an owner that was paused refuses by the state that it had",
    rule: "order",
    plant: (good) =>
      good.and(
        good.write(ghost, "late", { expected: good.version }),
        good.verdict(ghost, 0, { accepted: false, final: false }),
      ),
  },
  {
    name: "a read is older than what another client was shown",
    rule: "stale_read",
    plant: (good) => good.and(...good.read("r0", good.version - 1)),
  },
  {
    name: "a client does not read what it wrote at another node",
    rule: "read_your_writes",
    plant: (good) => {
      const own = good.before.flatMap((record) => (record.kind === "verdict" && record.accepted ? [record] : []));
      const { call = 0, version = 1 } = own.at(-1) ?? {};
      const write = good.before.find((record) => record.kind === "write" && record.call === call);
      return good.and(...good.read(write?.kind === "write" ? write.client : "", version - 1));
    },
  },
  {
    name: "a read is older than it allows",
    rule: "min_version",
    plant: (good) => good.and(...good.read("r0", good.version - 1, good.version)),
  },
  {
    name: "a read shows what was not sent yet",
    rule: "from_the_future",
    plant: (good) => good.with([...good.read("r0", good.version), ...good.before]),
  },
  {
    name: "a read shows a commit that the log does not have",
    rule: "wrong_state",
    plant: (good) => {
      const [read, state] = good.read("r0", good.version);
      const before = chainsOf(good.ids)[good.version - 1] ?? EMPTY;
      const lost: StateRecord = { ...(state as StateRecord), state: linked(before, "lost") };
      return good.and(read ?? lost, lost);
    },
  },
  {
    name: "a snapshot of a stream is another state",
    rule: "wrong_state",
    plant: (good) =>
      good.changed((record) =>
        record.kind === "event" && record.state ? { ...record, state: { ...record.state, digest: "x" } } : undefined,
      ),
  },
  {
    name: "a stream passes over a commit",
    rule: "stream_gap",
    plant: (good) => {
      const events = good.before.filter(isCommit);
      const missing = events.find(({ stream, version }) =>
        events.some((later) => later.stream === stream && later.version === version + 1),
      );
      return good.with(good.before.filter((record) => record !== missing));
    },
  },
  {
    name: "a stream that is resumed goes back",
    rule: "stream_gap",
    plant: (good) =>
      good.and(
        { kind: "follow", at: good.at, stream: ghost, client: "r0", node: "n1", thread: "t", after: good.version },
        { kind: "event", at: good.at, stream: ghost, version: 0, state: EMPTY },
      ),
  },
  {
    name: "a stream gives another commit than the log has",
    rule: "stream_differs",
    plant: (good) => good.changed((record) => (isCommit(record) ? { ...record, id: "lost" } : undefined)),
  },
  {
    name: "a reader never gets the last write",
    rule: "behind",
    plant: (good) => {
      const streams = new Map(good.before.flatMap((one) => (one.kind === "follow" ? [[one.stream, one.client]] : [])));
      return good.with(
        good.before.filter(
          (one) => one.kind !== "event" || one.version < good.version || streams.get(one.stream) !== "r0",
        ),
      );
    },
  },
  {
    name: "a reader gets the last write too late",
    rule: "behind",
    plant: (good) =>
      good.with(
        good.before.map((one) =>
          one.kind === "event" && one.version === good.version ? { ...one, at: one.at + 9_000 } : one,
        ),
      ),
  },
  {
    name: "the recording ends before a reader had its time",
    rule: "cut_short",
    plant: (good) => {
      const records = good.with(good.before.filter((one) => one.kind !== "event" || one.version < good.version));
      return [...records.slice(0, -1), { kind: "end", at: good.at }];
    },
  },
];
