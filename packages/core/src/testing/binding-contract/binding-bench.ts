// What each case of the binding contract works with.

import type { AnyOperation } from "../../engine/operation.ts";
import type { Thread } from "../../thread/thread.ts";
import { counter } from "../shared/contract-counter.ts";
import type { WiredThread } from "./wired-thread.ts";
import type { BindingUnderTest, ContractClient, ContractClients, ProvideOptions } from "./binding-under-test.ts";

export type CounterState = ReturnType<Thread<typeof counter>["getState"]>;

/** A thread, and how the client sees it. */
export interface WiredCounter {
  readonly thread: Thread<typeof counter>;
  readonly wire: WiredThread;
}

export interface BindingBench<Client extends ContractClient> extends WiredCounter {
  readonly binding: BindingUnderTest<Client>;
  readonly clients: ContractClients<Client>;
  /** A client of both threads. */
  readonly client: Client;
  /** The ids that the client looked for, in order: a thread is looked for when it is connected. */
  readonly found: readonly string[];
  /** Another thread. */
  readonly there: WiredCounter;
  /** Dispatches an update of another participant. */
  other(update: AnyOperation): Promise<void>;
}

export interface BindingCase<Client extends ContractClient> {
  readonly needs?: "renderOnServer";
  check(bench: BindingBench<Client>): Promise<void>;
}

export type BindingCases<Client extends ContractClient> = Record<string, BindingCase<Client>>;

export const add = (by: number) => ({ type: "add", by }) as const;
export const note = (text: string) => ({ type: "note", text }) as const;
export const claim = (text: string) => ({ type: "claim", text }) as const;
export const count = (state: CounterState) => state.count;
export const text = (state: CounterState) => state.note;

/** The options of a provider for the current state of a thread. */
export function given<Client extends ContractClient>(
  client: Client,
  { thread }: Pick<WiredCounter, "thread">,
): ProvideOptions<Client> {
  return {
    definition: counter,
    client,
    threadId: thread.threadId,
    initial: { version: thread.version, state: thread.getState() },
  };
}

/** The renders without repetitions: what a person saw. */
export function distinct(shown: readonly string[]): readonly string[] {
  return shown.filter((each, index) => each !== shown[index - 1]);
}
