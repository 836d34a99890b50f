// What a binding shows to the contract, and what of a client its cases use.

import type { Actor } from "../../engine/actor.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { AnyDefinition, StateOf } from "../../definition/definition.ts";
import type { Replica } from "../../replica/replica.ts";
import type { Readable } from "../../readable.ts";
import type { Snapshot, Verdict } from "../../thread/commit.ts";
import type { Thread } from "../../thread/thread.ts";

/** A component on a page that shows one slice of a state as JSON. */
export interface BindingView {
  /** The text that the page shows now. */
  text(): string;
  /** The slice of each render, as JSON. */
  given(): readonly string[];
  unmount(): Promise<void>;
}

/** What the cases use of a thread of `@opstate/client`. */
export type ContractThread<D extends AnyDefinition = AnyDefinition> = Pick<
  Replica<D>,
  | "definition"
  | "getState"
  | "getInitialState"
  | "subscribe"
  | "dispatch"
  | "ready"
  | "sync"
  | "onCommit"
  | "onRejection"
> & { readonly threadId: string };

/** What the cases use of a client of `@opstate/client`. */
export interface ContractClient {
  thread<D extends AnyDefinition>(definition: D, threadId: string): ContractThread<D>;
  disconnect(): void;
  connect(): void;
  close(): void;
}

/** The functions of `@opstate/client`. */
export interface ContractClients<Client extends ContractClient> {
  createClient(options: { readonly threads: (threadId: string) => Thread | undefined; readonly actor: Actor }): Client;
  createLocal<D extends AnyDefinition>(definition: D, options: { readonly actor: Actor }): ContractThread<D>;
  /** That of `@opstate/client/intents`. */
  intentsOf(thread: ContractThread): {
    open(call: { readonly id: string; readonly type: string }): { write(text: string): void };
  };
}

/** What a provider of the binding is given. */
export interface ProvideOptions<Client extends ContractClient> {
  readonly definition: AnyDefinition;
  readonly client: Client;
  readonly threadId: string;
  readonly initial: Snapshot;
}

/** A selector on the state of the definition in the options. */
export type Select = (state: StateOf<AnyDefinition>) => unknown;

/** Components under a provider of the binding, one for each selector. */
export interface BindingPage<Client extends ContractClient> {
  readonly views: readonly BindingView[];
  /** Dispatches from a component under the provider. */
  dispatch(update: AnyOperation): Promise<Verdict>;
  /**
   * Gives the same provider, above the same components, the options of another thread, as a router
   * does.
   */
  give(options: ProvideOptions<Client>): Promise<void>;
  unmount(): Promise<void>;
}

/** A binding, as a page uses it. */
export interface BindingUnderTest<Client extends ContractClient> {
  /** Mounts a component that shows `select` of a source. Resolves when it is mounted. */
  view<State>(
    source: Readable<State>,
    select: (state: State) => unknown,
    isEqual?: (a: unknown, b: unknown) => boolean,
  ): Promise<BindingView>;
  /** Mounts a component that shows `[version of its sync, select of its state]` of a thread. */
  viewBoth<D extends AnyDefinition>(
    thread: ContractThread<D>,
    select: (state: StateOf<D>) => unknown,
  ): Promise<BindingView>;
  /** Mounts a component that shows `[number of intents, select of their view]` of a thread. */
  viewIntents<D extends AnyDefinition>(
    thread: ContractThread<D>,
    select: (view: StateOf<D>) => unknown,
  ): Promise<BindingView>;
  /** Mounts one component per selector under the provider of the binding. */
  provide(options: ProvideOptions<Client>, selects: readonly Select[]): Promise<BindingPage<Client>>;
  /**
   * Returns the HTML of such a component from a server render. Absent where the suite has no server
   * build.
   */
  renderOnServer?(options: ProvideOptions<Client>, select: Select): Promise<string>;
  /** Counts the frames of the page from now on. */
  countFrames(): () => number;
  /** Resolves in a task of its own, as each message of a stream is. */
  task(): Promise<void>;
  /** Resolves when `check` returns true. Rejects after a time limit. */
  until(check: () => boolean): Promise<void>;
}
