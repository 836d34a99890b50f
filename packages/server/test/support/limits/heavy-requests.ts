// Random requests that are valid, each as large as its route allows, for all routes but presence,
// the streams of events and what is asked of one run.

import { randomUUID } from "node:crypto";
import type { Random } from "../../../../core/test/simulation/random.ts";
import { KEYS, tally } from "./tally.ts";

export interface HeavyRequest {
  readonly method: string;
  /** The route, for the report. */
  readonly route: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of the answer after which the sender hangs up: of what does not end. */
  readonly bytes?: number;
}

/** What the soak knows of the server: ids that answers gave. */
export interface Known {
  readonly random: Random;
  /** Threads that are compacted, erased and deleted, too. */
  readonly free: readonly [string, ...string[]];
  /** Threads on which others write, and count what they wrote. */
  readonly same: readonly [string, ...string[]];
  readonly versions: ReadonlyMap<string, number>;
  readonly branches: Map<string, string[]>;
  readonly proposals: Map<string, string[]>;
  readonly ids: Map<string, string[]>;
  readonly runs: Map<string, string[]>;
}

/** Characters, so that a body has about 250 KB. */
const LARGE = 240_000;
const LIST = 256;

type Make = (known: Known, thread: string) => Omit<HeavyRequest, "route"> | undefined;

const post = (path: string, body: unknown) => ({ method: "POST", path, body });
const get = (path: string) => ({ method: "GET", path });
const put = ({ random }: Known, length: number) =>
  tally.op.put({ key: `key-${random.below(KEYS)}`, value: "v".repeat(length) });

function versionIn({ random, versions }: Known, thread: string): number {
  return random.below((versions.get(thread) ?? 0) + 1);
}

function oneOf({ random }: Known, list: readonly string[] | undefined): string | undefined {
  return list?.[random.below(list.length)];
}

function undoTarget(known: Known, thread: string): object {
  const { random, ids, runs } = known;
  const run = oneOf(known, runs.get(thread));
  const own = ids.get(thread) ?? [];
  if (run !== undefined && random.oneIn(2)) return { runId: run };
  if (own.length > 0 && random.oneIn(2)) return { ids: own.slice(-1 - random.below(200)) };
  const since = Math.max(0, (known.versions.get(thread) ?? 0) - random.below(2_000));
  return { actor: { kind: "user", id: `heavy-${random.below(4)}` }, since };
}

function onBranch(known: Known, thread: string, make: (branch: string) => Omit<HeavyRequest, "route">) {
  const branch = oneOf(known, known.branches.get(thread));
  return branch === undefined ? undefined : make(branch);
}

function onProposal(known: Known, thread: string, make: (proposal: string) => Omit<HeavyRequest, "route">) {
  const proposal = oneOf(known, known.proposals.get(thread));
  return proposal === undefined ? undefined : make(proposal);
}

function largeList(known: Known): readonly object[] {
  const runId = `run-${known.random.below(20)}`;
  const operation = () =>
    known.random.oneIn(2)
      ? put(known, 500)
      : known.random.oneIn(2)
        ? tally.op.add({ title: "t".repeat(300) })
        : tally.op.rename({ index: known.random.below(400), title: randomUUID() });
  return Array.from({ length: LIST }, () => ({ operation: operation(), id: randomUUID(), runId }));
}

function batch(known: Known, parts: number): object {
  return { type: "$batch", operations: Array.from({ length: parts }, () => put(known, 100)) };
}

/** By route: how often it is sent, beside the others, and what. */
export const REQUESTS: Readonly<Record<string, readonly [weight: number, make: Make]>> = {
  "one large operation": [2, (_, id) => post(`/threads/${id}/operations`, tally.op.write({ text: "x".repeat(LARGE) }))],
  "256 operations": [8, (known, id) => post(`/threads/${id}/operations`, largeList(known))],
  "$batch of 1,000": [4, (known, id) => post(`/threads/${id}/operations`, batch(known, 1_000))],
  "POST /operations": [
    4,
    (known) =>
      post(
        "/operations",
        largeList(known).map((item) => ({ ...item, thread: known.random.pick(known.same) })),
      ),
  ],
  undo: [
    6,
    (known, id) =>
      post(`/threads/${id}/undo`, {
        target: undoTarget(known, id),
        id: randomUUID(),
        ...(known.random.oneIn(2) ? { onDependent: known.random.pick(["drop", "keep"]) } : {}),
      }),
  ],
  history: [
    6,
    (known, id) =>
      get(
        `/threads/${id}/history?limit=1000&after=${versionIn(known, id)}${known.random.oneIn(2) ? "&rejections=true" : ""}`,
      ),
  ],
  "history, newest first": [3, (_, id) => get(`/threads/${id}/history?limit=1000&order=descending`)],
  "an old state": [4, (known, id) => get(`/threads/${id}/states/${versionIn(known, id)}`)],
  explain: [
    4,
    (known, id) =>
      get(
        `/threads/${id}/explain?pointer=${known.random.pick(["/text", "/cards/3/title", "/entries/key-7", "/count"])}`,
      ),
  ],
  schema: [1, (_, id) => get(`/threads/${id}/schema`)],
  "a thread": [4, (_, id) => get(`/threads/${id}`)],
  "all threads": [2, () => get("/threads?limit=1000")],
  propose: [4, (known, id) => post(`/threads/${id}/proposals`, { operation: batch(known, 500), id: randomUUID() })],
  proposals: [3, (_, id) => get(`/threads/${id}/proposals?limit=1000`)],
  "a proposal": [1, (known, id) => onProposal(known, id, (proposal) => get(`/threads/${id}/proposals/${proposal}`))],
  approve: [
    3,
    (known, id) => onProposal(known, id, (proposal) => post(`/threads/${id}/proposals/${proposal}/approve`, {})),
  ],
  decline: [
    1,
    (known, id) => onProposal(known, id, (proposal) => post(`/threads/${id}/proposals/${proposal}/decline`, {})),
  ],
  branch: [2, (_, id) => post(`/threads/${id}/branches`, {})],
  branches: [1, (_, id) => get(`/threads/${id}/branches?limit=1000`)],
  "256 operations on a branch": [
    6,
    (known, id) => onBranch(known, id, (branch) => post(`/threads/${branch}/operations`, largeList(known))),
  ],
  "undo on a branch": [
    1,
    (known, id) =>
      onBranch(known, id, (branch) =>
        post(`/threads/${branch}/undo`, { target: { runId: `run-${known.random.below(20)}` }, onDependent: "drop" }),
      ),
  ],
  diff: [4, (known, id) => onBranch(known, id, (branch) => get(`/threads/${id}/branches/${branch}/diff`))],
  merge: [1, (known, id) => onBranch(known, id, (branch) => post(`/threads/${id}/branches/${branch}/merge`, {}))],
  discard: [
    1,
    (known, id) => onBranch(known, id, (branch) => ({ method: "DELETE", path: `/threads/${id}/branches/${branch}` })),
  ],
  events: [
    4,
    (known, id) => ({
      ...get(`/threads/${id}/events`),
      headers: { "last-event-id": `${versionIn(known, id)}` },
      bytes: 2_000_000,
    }),
  ],
  "events of all threads": [
    3,
    (known) => {
      const followed = [...known.same, ...known.free].map((id) => [id, { after: versionIn(known, id) }] as const);
      return post("/events", { threads: Object.fromEntries(followed), wait: known.random.below(2) });
    },
  ],
  "a run": [
    2,
    (known, id) =>
      post("/ag-ui/adder", {
        threadId: id,
        runId: `agent-${randomUUID()}`,
        messages: Array.from({ length: 20 + known.random.below(7_000) }, (_, n) => ({
          id: `m${n}`,
          role: "user",
          content: "x".repeat(1_000),
        })),
        tools: [],
        context: [],
      }),
  ],
  runs: [1, (_, id) => get(`/threads/${id}/runs`)],
  compact: [
    1,
    ({ random }, id) =>
      id.startsWith("free") ? post(`/threads/${id}/compact`, { keep: random.below(500) }) : undefined,
  ],
  redact: [
    1,
    ({ random }, id) =>
      id.startsWith("free") && random.oneIn(4)
        ? post(`/threads/${id}/redact`, { author: { kind: "user", id: `heavy-${random.below(4)}` } })
        : undefined,
  ],
  delete: [
    1,
    ({ random }, id) =>
      id.startsWith("free") && random.oneIn(4) ? { method: "DELETE", path: `/threads/${id}` } : undefined,
  ],
  create: [2, (_, id) => ({ method: "PUT", path: `/threads/${id}`, body: { definition: "tally" } })],
};

/** One of them, for a thread. */
export function heavyRequest(known: Known): HeavyRequest {
  const { random } = known;
  const total = Object.values(REQUESTS).reduce((sum, [weight]) => sum + weight, 0);
  for (;;) {
    let left = random.below(total);
    const found = Object.entries(REQUESTS).find(([, [weight]]) => (left -= weight) < 0);
    if (found === undefined) continue;
    const [route, [, make]] = found;
    const made = make(known, random.oneIn(2) ? random.pick(known.free) : random.pick(known.same));
    if (made !== undefined) return { route, ...made };
  }
}
