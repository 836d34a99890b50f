// What is forwarded to the owner of a thread, and what comes back, as JSON.

import { type Actor, OpstateError } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { hasRight, type Right } from "@opstate/core/thread";

/** The calls of a thread that write its log. */
export type CallName = "submit" | "undo" | "propose" | "approve" | "decline" | "merge" | "redact";

export interface Call {
  readonly call: CallName;
  readonly actor: Actor;
  /** Of the actor on what others did, as the authorising node decided. */
  readonly rights: readonly Right[];
  /** The update, target, proposal, branch or author. */
  readonly about: unknown;
  /** Those of the call, with the submission's id. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What one request brings to the owner. */
export interface ForwardedCalls {
  readonly incarnation: string;
  readonly calls: readonly Call[];
}

export type CallResult =
  /** A verdict, or what a merge or a redaction resolves to. */
  | { readonly result: unknown }
  /** The thread has another owner by now: nothing was stored. */
  | { readonly notOwner: true }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Those that may take long are not waited for by what comes after them. */
const LONG: ReadonlySet<CallName> = new Set(["undo", "approve", "decline", "merge", "redact"]);

export function mayTakeLong({ call }: Call): boolean {
  return LONG.has(call);
}

const NEEDED: Readonly<Partial<Record<CallName, Right>>> = {
  undo: "undo",
  approve: "approve",
  decline: "approve",
  merge: "approve",
};

type Options = { readonly actor: Actor; readonly allows?: (right: Right) => boolean };

/** The call as it is sent: `allows` is called here, by the node that authorised the sender. */
export function callOf(call: CallName, about: unknown, { actor, allows, ...options }: Options): Call {
  const right = NEEDED[call];
  const isAllowed = right !== undefined && hasRight(actor, right, allows);
  return { call, actor, rights: isAllowed ? [right] : [], about, options };
}

/** Undefined for what no node sends. */
export function parseCalls(body: unknown): ForwardedCalls | undefined {
  if (!isObject(body)) return undefined;
  const { incarnation, calls }: { incarnation?: unknown; calls?: unknown } = body;
  if (typeof incarnation !== "string" || !Array.isArray(calls) || !calls.every(isCall)) return undefined;
  return { incarnation, calls };
}

const NAMES: ReadonlySet<unknown> = new Set(["submit", "propose", ...LONG]);

function isCall(call: unknown): call is Call {
  if (!isObject(call)) return false;
  const { call: name, actor, rights, options }: { [Name in keyof Call]?: unknown } = call;
  return NAMES.has(name) && isObject(actor) && Array.isArray(rights) && isObject(options);
}

/** What an accepted call led to in the log: the newest version in its result. */
export function versionIn(result: unknown): number {
  if (Array.isArray(result))
    return Math.max(0, ...result.map((merged: { readonly verdict?: unknown }) => versionIn(merged.verdict)));
  if (!isObject(result)) return 0;
  const { version }: { version?: unknown } = result;
  return typeof version === "number" ? version : 0;
}

export function errorOf(error: unknown): CallResult {
  if (error instanceof OpstateError && error.code === "not_owner") return { notOwner: true };
  if (error instanceof OpstateError) {
    const [message = ""] = error.message.split("\nSee ");
    return { error: { code: error.code, message } };
  }
  if (error instanceof RangeError) return { error: { code: "range", message: error.message } };
  return { error: { code: "failure", message: "" } };
}

/** The error that the owner's call rejected with, for the caller of this node. */
export function thrown({ code, message }: { readonly code: string; readonly message: string }): Error {
  if (code === "range") return new RangeError(message);
  if (code === "failure") return new Error("The owner of the thread failed. Its own log has the error.");
  return new OpstateError(code as OpstateError["code"], message);
}
