// Proposals: an operation that waits for somebody's yes. Proposing and declining are commits that change no state; approving runs the
// operation again, as its proposer, if what it changes is still as it was.
//
// Invariants: nobody approves what he proposed; a proposal is decided once; what was proposed needs the proposer's permission, but not the
// approval that it waits for. All of it is in the log.

import type { AnyDefinition } from "../definition/definition.ts";
import type { Actor } from "../engine/actor.ts";
import type { Model } from "../engine/model.ts";
import { rejection } from "../engine/reject.ts";
import type { Rejection } from "../engine/rejection.ts";
import { run } from "../engine/run.ts";
import type { Transition } from "../engine/transition.ts";
import { parsePointer, type Patch } from "../patch/index.ts";
import { equal, isRecord, own } from "../patch/json.ts";
import type { Commit } from "./commit.ts";
import type { Confirmed } from "./confirmed.ts";
import type { Computed } from "./decide.ts";
import type { Log } from "./log.ts";
import { backwards } from "./past.ts";
import { isUndo } from "./undo-entry.ts";
import { sameActor } from "./undo-target.ts";

/**
 * The operation of a proposal's commit; the commit's id is the proposal's. `patches` is the change that whoever approves it sees, `previous`
 * what stood where it would change something; both without derived fields, which follow.
 */
export interface ProposeOperation {
  readonly type: "$propose";
  readonly operation: { readonly type: string };
  readonly basedOn: number;
  readonly patches: Patch;
  readonly previous: readonly { readonly path: string; readonly value?: unknown }[];
  /** ISO 8601 in UTC: from then on it cannot be approved. */
  readonly expiresAt?: string;
}

/** The operation of the commit that carries a proposal out. */
export interface ApproveOperation {
  readonly type: "$approve";
  readonly proposal: string;
  readonly proposedAt: number;
  readonly proposer: Actor;
  readonly operation: { readonly type: string };
}

interface Standing {
  readonly confirmed: Confirmed;
  readonly version: number;
}

interface Decision {
  readonly definition: AnyDefinition;
  readonly log: Log;
  readonly threadId: string;
  readonly actor: Actor;
  readonly at: string;
  /** Whether the actor has the right to approve. */
  readonly may: boolean;
}

/** What proposing would do now: the operation must be one that its proposer may use and that holds. */
export function computeProposal(definition: AnyDefinition, actor: Actor, { confirmed, version }: Standing, asked: unknown): Computed {
  const { operation: update, expiresAt }: { operation?: unknown; expiresAt?: unknown } = { ...(asked as object) };
  if (expiresAt !== undefined && (typeof expiresAt !== "string" || Number.isNaN(Date.parse(expiresAt))))
    return refuse(
      confirmed,
      rejection("invalid_operation", "$propose", '"expiresAt" is a time in ISO 8601, such as "2030-01-31T12:00:00Z".', {
        path: "/expiresAt",
      }),
    );
  const next = run(approved(definition.model), confirmed.state, update, actor);
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: ProposeOperation = {
    type: "$propose",
    operation: next.operation,
    basedOn: version,
    patches: underived(definition.model, next.patches),
    previous: previous(confirmed.state, underived(definition.model, next.patches)),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return note(confirmed, operation);
}

/** What approving would do now. */
export async function computeApproval(context: Decision, { confirmed, version }: Standing, proposal: string): Promise<Computed> {
  const { definition, actor, at } = context;
  if (!context.may) return refuse(confirmed, unentitled("$approve", actor));
  const found = await findOpen(context, version, proposal, "$approve");
  if ("rejection" in found) return refuse(confirmed, found.rejection);
  const { commit, proposed } = found;
  if (sameActor(commit.actor, actor))
    return refuse(confirmed, rejection("forbidden", "$approve", "Nobody approves what he proposed himself. Somebody else must."));
  if (proposed.expiresAt !== undefined && Date.parse(proposed.expiresAt) <= Date.parse(at))
    return refuse(
      confirmed,
      rejection("conflict", "$approve", `The proposal expired at ${proposed.expiresAt}. Propose it again.`, { reason: "expired" }),
    );
  const next = run(approved(definition.model), confirmed.state, proposed.operation, commit.actor);
  const changed = [
    ...proposed.previous.filter((then) => !isStill(confirmed.state, then)).map(({ path }) => path),
    // The same operation may do more, or something else, than was shown.
    ...(next.accepted ? difference(proposed.patches, underived(definition.model, next.patches)) : []),
  ];
  if (changed.length > 0) {
    const paths = [...new Set(changed)];
    const message = `What the proposal would change was changed since version ${proposed.basedOn}: ${paths.slice(0, 5).join(", ")}. Look at it again and propose what still holds.`;
    return refuse(confirmed, rejection("conflict", "$approve", message, { reason: "changed", details: { changed: paths } }));
  }
  if (!next.accepted) return refuse(confirmed, next.rejection);
  const operation: ApproveOperation = {
    type: "$approve",
    proposal,
    proposedAt: commit.version,
    proposer: commit.actor,
    operation: next.operation,
  };
  return { transition: { ...next, operation }, records: true };
}

/** What declining would do now: for those who may approve, and for the proposer, who takes it back. */
export async function computeDecline(
  context: Decision,
  { confirmed, version }: Standing,
  proposal: string,
  reason?: string,
): Promise<Computed> {
  const found = await findOpen(context, version, proposal, "$decline");
  if ("rejection" in found) return refuse(confirmed, found.rejection);
  const { commit } = found;
  if (!context.may && !sameActor(commit.actor, context.actor)) return refuse(confirmed, unentitled("$decline", context.actor));
  const operation = { type: "$decline", proposal, proposedAt: commit.version, ...(reason === undefined ? {} : { reason }) };
  return note(confirmed, operation);
}

/** A proposal by its id, if nobody decided on it. */
async function findOpen(
  { log, threadId }: Decision,
  version: number,
  proposal: string,
  type: string,
): Promise<{ commit: Commit; proposed: ProposeOperation } | { rejection: Rejection }> {
  const over = new Map<number, Commit>();
  for await (const commit of backwards(log, threadId, version)) {
    const { operation } = commit;
    if (isPropose(operation) && commit.id === proposal) {
      const end = over.get(commit.version);
      if (end === undefined) return { commit, proposed: operation };
      const message = `The proposal was decided by ${end.actor.kind} "${end.actor.id}" at version ${end.version}.`;
      return {
        rejection: rejection("conflict", type, message, { reason: "decided", details: { version: end.version, by: end.operation.type } }),
      };
    }
    if (isUndo(operation)) for (const at of operation.versions) over.set(at, commit);
    else if (isDecision(operation)) over.set(operation.proposedAt, commit);
  }
  return { rejection: rejection("conflict", type, `There is no proposal "${proposal}".`, { reason: "unknown_id", path: "/proposal" }) };
}

export function isPropose(operation: { readonly type: string }): operation is ProposeOperation {
  return operation.type === "$propose";
}

export function isApprove(operation: { readonly type: string }): operation is ApproveOperation {
  return operation.type === "$approve";
}

function isDecision(operation: { readonly type: string }): operation is { readonly type: string; readonly proposedAt: number } {
  return operation.type === "$approve" || operation.type === "$decline";
}

/** The definition as it is once somebody said yes: who may use an operation at all stays. */
function approved(model: Model): Model {
  const operations = new Map([...model.operations].map(([type, operation]) => [type, { ...operation, approve: [] }]));
  return { ...model, operations, replace: { ...model.replace, approve: [] } };
}

/** A patch without what follows from the rest. */
function underived(model: Model, patches: Patch): Patch {
  return patches.filter(({ path }) => !isDerived(model, parsePointer(path)));
}

/** What stands at the paths of a patch. */
function previous(state: unknown, patches: Patch): ProposeOperation["previous"] {
  const paths = new Set(patches.flatMap((step) => (step.op === "move" ? [step.from, step.path] : [step.path])));
  return [...paths].map((path) => {
    const value = read(state, path);
    return value === undefined ? { path } : { path, value };
  });
}

/** The paths at which two patches are not the same. */
function difference(shown: Patch, now: Patch): string[] {
  const longer = shown.length > now.length ? shown : now;
  return longer.filter((_, index) => !equal(shown[index], now[index], Infinity)).map(({ path }) => path);
}

function isDerived({ derive }: Model, path: readonly string[]): boolean {
  return derive.some(({ container, field }) => {
    const rule = [...container, field];
    return rule.length === path.length && rule.every((token, index) => token === "*" || token === path[index]);
  });
}

function isStill(state: unknown, then: { readonly path: string; readonly value?: unknown }): boolean {
  const now = read(state, then.path);
  return now === undefined || then.value === undefined ? now === then.value : equal(now, then.value, Infinity);
}

function read(state: unknown, path: string): unknown {
  let value = state;
  for (const token of parsePointer(path))
    value = Array.isArray(value) ? value[Number(token)] : isRecord(value) ? own(value, token) : undefined;
  return value;
}

function unentitled(type: string, { kind }: Actor): Rejection {
  return rejection("forbidden", type, `This "${kind}" has not the right "approve".`);
}

function refuse({ state }: Confirmed, why: Rejection): Computed {
  return { transition: { accepted: false, state, rejection: why }, records: false };
}

/** A commit that changes no state. */
function note({ state }: Confirmed, operation: { readonly type: string }): Computed {
  const transition: Transition<unknown, { readonly type: string }> = { accepted: true, state, operation, patches: [], inverse: [] };
  return { transition, records: true };
}
