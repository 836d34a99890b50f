// What goes between a log and the thread that has its database: many calls in one message, and many
// answers.

import type { ThreadHead } from "@opstate/core/log";
import type { StoreCalls } from "../database/store.ts";
import type { Fault } from "./fault.ts";

export type CallName = keyof StoreCalls;

export type Request =
  | readonly [id: number, name: CallName, args: readonly unknown[], deadline: number | undefined]
  /** Its caller does not wait any more. */
  | readonly [id: number, name: "abort"];

export type Answer =
  | readonly [id: number, isDone: true, value: unknown]
  | readonly [id: number, isDone: false, fault: Fault];

export interface Answers {
  /** Sent before the answers of the calls that moved them. */
  readonly heads: (readonly [threadId: string, head: ThreadHead | undefined])[];
  readonly answers: Answer[];
}

/** The database is open, or why it is not. */
export type Started = { readonly isOpen: true } | { readonly isOpen: false; readonly fault: Fault };
