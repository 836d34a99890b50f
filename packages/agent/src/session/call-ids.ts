// The submission ids of a session's calls: one effect for one call, however often a host makes it.
//
//                     attempt 1 of step 3            attempt 2 of step 3       step 4
//   callId "c1"       run.3/c1                       "c9": run.3/c9            ...
//   once -> "inv-7"   run.3/pay inv-7                run.3/pay inv-7           run.4/pay inv-7
//   the same, again   run.3/pay inv-7/2              run.3/pay inv-7/2
//                     (the first was completed)      (found: what attempt 1 did)
//
// Invariant: a key never reaches beyond its run and its step. There it counts the calls that were
// completed in this attempt.

import type { AnyDefinition, AnyOperation } from "@opstate/core";
import { shortId } from "../ids/short-id.ts";
import { submissionOf } from "../ids/submission-id.ts";

/** Which call of the host it is. */
export interface CallIdentity {
  /** The run that the call is in, where it is not the session's. */
  readonly runId?: string | undefined;
  /** The host's id of the call, the same whenever it makes this call again. */
  readonly callId?: string | undefined;
  /**
   * The step of the run that the call is in, such as the id of the model's message: some providers
   * count call ids from 0 in each.
   */
  readonly step?: string | undefined;
  /** Which try of the step it is, for hosts that run a step again under new call ids. */
  readonly attempt?: string | number | undefined;
  /**
   * When the host made this call at first, by its clock: milliseconds since 1970. Needed of hosts
   * that make a call again after the time for which the thread knows its id (`receipts`). Default:
   * when the session was first given the call.
   */
  readonly madeAt?: number | undefined;
}

export interface CallId {
  readonly id: string | undefined;
  /** When it was made at first, as far as it is known here. */
  readonly madeAt: number | undefined;
  /** The key that it is made of, where the operation has `once`. */
  readonly key: string | undefined;
  readonly complete: () => void;
}

export class CallIds {
  readonly #definition: AnyDefinition;
  readonly #run: string;
  readonly #scope: string;
  /** How many calls with a key were completed, by step, attempt and key. */
  readonly #completed = new Map<string, number>();
  /** When each id was used first. */
  readonly #made = new Map<string, number>();

  /**
   * `run` distinguishes the session's calls from those of other runs. `scope` is what a host's call
   * ids are unique in; default: the run.
   */
  constructor(definition: AnyDefinition, run: string, scope = run) {
    this.#definition = definition;
    this.#run = run;
    this.#scope = scope;
  }

  /**
   * The id of a call's submission, undefined when nothing distinguishes the call. Call `complete`
   * when the call is completed. `keyed`: whether the operation's `once` counts.
   */
  of(update: AnyOperation, call: CallIdentity, keyed = true): CallId {
    const { callId, runId, step, attempt = "" } = call;
    const within = (scope: string) => (step === undefined ? scope : `${scope}.${step}`);
    const key = keyed ? onceKeyOf(this.#definition, update) : undefined;
    if (key === undefined) {
      const id = callId === undefined ? undefined : submissionOf(within(runId ?? this.#scope), callId);
      return { id, madeAt: this.#madeAt(id, call), key, complete: () => {} };
    }
    const scope = within(runId ?? this.#run);
    const counted = JSON.stringify([scope, attempt, update.type, key]);
    const completed = this.#completed.get(counted) ?? 0;
    const id = onceIdOf(scope, update, key, completed + 1);
    return {
      id,
      madeAt: this.#madeAt(id, call),
      key,
      // Calls at the same time with one key are one call.
      complete: () => void this.#completed.set(counted, completed + 1),
    };
  }

  #madeAt(id: string | undefined, { madeAt }: CallIdentity): number | undefined {
    if (id === undefined) return madeAt;
    const first = this.#made.get(id) ?? madeAt ?? Date.now();
    this.#made.set(id, first);
    return first;
  }
}

/** The id of a call with a key. `scope`: its run and step. `nth`: of the calls with this key. */
export function onceIdOf(scope: string, { type }: AnyOperation, key: string, nth = 1): string {
  return submissionOf(scope, shortId(`${type} ${key}`), nth);
}

/** The key that the operation's `once` gives; undefined without one and for wrong arguments. */
export function onceKeyOf({ model }: AnyDefinition, { type, ...input }: AnyOperation): string | undefined {
  const operation = model.operations.get(type);
  if (operation?.once === undefined) return undefined;
  try {
    const parsed = operation.parse.full(input);
    const key = parsed.ok ? operation.once(parsed.value) : undefined;
    return typeof key === "string" ? key : undefined;
  } catch (error) {
    model.onFailure(error, { type, ...input });
    return undefined;
  }
}
