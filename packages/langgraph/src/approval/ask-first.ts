// A call that waits for somebody's yes: proposed in the thread first, then asked about in the graph.
//
// Invariants: the log is asked before any person is, so a step that runs again asks nothing that is decided, wherever it was decided; each
// interrupt is about one operation; nothing but the thread carries anything out.

import { interrupt } from "@langchain/langgraph";
import type { Actor, AnyDefinition, Commit, DispatchOptions, ProposeOperation, Rejection, Thread, Verdict } from "@opstate/core";
import { readAnswer } from "./answer.ts";
import { carryOut, isEdit } from "./carry-out.ts";
import { fateOf, proposedIn, verdictOf } from "./fate.ts";

/** What an interrupt shows: the operation, what it would change and since which version, and the id of its proposal in the thread. */
export interface ApprovalRequest {
  readonly operation: { readonly type: string };
  readonly patches: ProposeOperation["patches"];
  readonly basedOn: number;
  readonly proposal: string;
}

/** The verdict on the call, or the proposal that waits on, with what was wrong with the answer that came. */
export type Asked =
  | { readonly verdict: Verdict; readonly edited?: { readonly type: string } }
  | { readonly waits: Commit; readonly because?: string };

export interface Question {
  readonly thread: Thread;
  readonly update: { readonly type: string };
  readonly about: DispatchOptions;
  /** Whether the graph waits for the answer. */
  readonly interrupts: boolean;
  readonly approver: () => Actor | undefined;
  /** Hears of each commit. */
  readonly tell: (verdict: Verdict) => void;
}

export async function askFirst({ thread, update, about, interrupts, approver, tell }: Question): Promise<Asked> {
  const proposed = await thread.propose(update, about);
  tell(proposed);
  const proposal = proposed.accepted ? proposed.commit : undefined;
  if (proposal === undefined) return { verdict: proposed };
  const fate = await fateOf(thread, proposal);
  // An edit that was cut off goes on with its answer.
  const isOver = fate.is !== "open" && !(interrupts && fate.is === "ended" && isEdit(proposal, fate.by));
  if (isOver) return { verdict: verdictOf(proposal, fate) };
  if (!interrupts) return { waits: proposal };
  const answer = readAnswer(interrupt<ApprovalRequest>(requestOf(proposal)));
  if (answer === undefined)
    return {
      waits: proposal,
      because: 'The answer was none of { type: "accept" }, { type: "edit", operation } and { type: "decline", message }.',
    };
  const by = approver();
  if (by === undefined) return { waits: proposal, because: "This run says nobody who may approve." };
  const carried = await carryOut(answer, { thread, proposal, approver: by, tell });
  if ("stillOpen" in carried) return { waits: proposal, because: messageOf(carried.stillOpen) };
  return answer.type === "edit" ? { ...carried, edited: answer.operation } : carried;
}

function requestOf(proposal: Commit): ApprovalRequest {
  const { patches, basedOn } = proposal.operation as ProposeOperation;
  return { operation: proposedIn(proposal), patches, basedOn, proposal: proposal.id };
}

function messageOf({ code, message }: Rejection): string {
  return `The answer was not allowed (${code}): ${message}`;
}
