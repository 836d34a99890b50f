// Which version of the thread the state of an AG-UI page began with: that at the end of the page's
// last run.
//
// Invariants:
// - A page's last run is the newest that its messages prove: one of them was made by that run only,
//   or requested that run only.
// - A run counts for who started it, when it ended by itself and they got all of it.
// - A request that is sent again began with what the first one did, unless its messages prove that
//   the page got the first one's work, as after an error.
// - In doubt there is no base: a wrong one would take back the work of others.

import type { RunAgentInput } from "@ag-ui/core";
import type { Actor } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import type { RunRecord } from "../../runs/run-record.ts";

export type Base =
  | {
      readonly known: true;
      readonly version: number;
      /** It is that at the end of an earlier request of the same run. */
      readonly isRepeated: boolean;
    }
  | { readonly known: false; readonly code: "unknown_base" | "undelivered"; readonly message: string };

/** `records`: the runs of the thread, oldest first. */
export async function baseOf(
  { runId, messages }: Pick<RunAgentInput, "runId" | "messages">,
  actor: Actor,
  records: readonly RunRecord[],
): Promise<Base> {
  const runs = endedRuns(records, { runId, messages });
  const last = lastKnown(runs, messages);
  if (last === undefined) return unknown("no run that this server keeps made one of the page's messages");
  const { head, marks, status, delivery } = last;
  const named = `run "${head.runId.slice(0, 200)}"`;
  if (!sameActor(head.actor, actor))
    return unknown(`the last run in the page's messages, ${named}, is another person's`);
  const later = runs.slice(runs.indexOf(last) + 1);
  const silent = later.find((run) => sameActor(run.head.actor, actor) && idsOf(run).length === 0);
  if (silent !== undefined)
    return unknown(
      `whether the page has ${named} or the later run "${silent.head.runId.slice(0, 200)}" cannot be seen`,
    );
  if (status === "stopped" || !(await delivery.isDelivered()) || !hasAll(marks.last, messages))
    return { known: false, code: "undelivered", message: `the page did not get the end of ${named}` };
  const { version } = marks;
  return version === undefined
    ? unknown(`${named} sent no state`)
    : { known: true, version, isRepeated: head.runId === runId };
}

/** Those that ended before run `runId`. A run that was requested again counts once. */
function endedRuns(
  records: readonly RunRecord[],
  { runId, messages }: Pick<RunAgentInput, "runId" | "messages">,
): readonly RunRecord[] {
  const current = records.findLastIndex(({ head }) => head.runId === runId);
  const shown = new Set(messages.map(({ id }) => id));
  const isReceived = ({ marks }: RunRecord) => [...marks.messageIds].some((id) => shown.has(id));
  const byId = new Map<string, RunRecord>();
  for (const record of current < 0 ? records : records.slice(0, current)) {
    byId.delete(record.head.runId);
    if (record.isOver && (record.head.runId !== runId || isReceived(record))) byId.set(record.head.runId, record);
  }
  return [...byId.values()];
}

function lastKnown(runs: readonly RunRecord[], messages: RunAgentInput["messages"]): RunRecord | undefined {
  const runsOf = new Map<string, Set<RunRecord>>();
  for (const run of runs)
    for (const id of idsOf(run)) runsOf.set(id, (runsOf.get(id) ?? new Set<RunRecord>()).add(run));
  const proven = new Set<RunRecord>();
  for (const { id } of messages) {
    const [run, ...others] = runsOf.get(id) ?? [];
    if (run !== undefined && others.length === 0) proven.add(run);
  }
  return runs.findLast((run) => proven.has(run));
}

function idsOf({ head, marks }: RunRecord): readonly string[] {
  return [...head.prompt.map(({ id }) => id), ...marks.messageIds];
}

/** Whether the page has the run's last message, with all of its text. */
function hasAll(
  last: { readonly id: string; readonly length: number } | undefined,
  messages: RunAgentInput["messages"],
) {
  if (last === undefined) return true;
  const found = messages.find(({ id }) => id === last.id);
  if (found === undefined) return false;
  return typeof found.content !== "string" ? last.length === 0 : found.content.length >= last.length;
}

function unknown(message: string): Base {
  return { known: false, code: "unknown_base", message };
}
