// The value of a context: what its hooks read.

import { type AcceptedOperationOf, type AnyDefinition, defined, type Replica } from "@opstate/core";
import {
  createProposalFeed,
  createUndoStack,
  type HistoryFeed,
  type HistorySource,
  type ProposalFeed,
  type ThreadAccess,
  type UndoStack,
} from "@opstate/core/feeds";
import { type ClientThread, undoStackOf } from "@opstate/client";
import type { ReplicaProviderProps } from "./provider-props.ts";

/** What the hooks read of a provider; what both a thread and a replica have. */
export type Source<D extends AnyDefinition> = Pick<
  Replica<D>,
  "definition" | "getState" | "getInitialState" | "subscribe" | "dispatch" | "sync" | "ready"
>;

/** The value of the context. None of it is active before a component subscribes. */
export interface Provided<D extends AnyDefinition> {
  readonly source: Source<D>;
  readonly thread?: ClientThread<D>;
  readonly replica?: Replica<D>;
  readonly access?: ThreadAccess<D>;
  readonly history?: HistorySource<AcceptedOperationOf<D>> | HistoryFeed<AcceptedOperationOf<D>>;
  readonly proposals?: ProposalFeed<AcceptedOperationOf<D>>;
  readonly undo?: UndoStack<AcceptedOperationOf<D>>;
}

export function provideThread<D extends AnyDefinition>(thread: ClientThread<D>): Provided<D> {
  const { history, proposals, undo } = thread;
  return { source: thread, thread, history, proposals, undo: undoStackOf(undo) };
}

export function provideReplica<D extends AnyDefinition>(
  replica: Replica<D>,
  { access, actor }: Pick<ReplicaProviderProps<D>, "access" | "actor">,
): Provided<D> {
  if (access === undefined) return { source: replica, replica };
  const history = { ...access, ...replica };
  const undo = actor && createUndoStack(history, actor);
  return { source: replica, replica, access, history, proposals: createProposalFeed(history), ...defined({ undo }) };
}

/** What the provider would need to have a part. */
export function missingFor(name: string, { thread, access }: Provided<AnyDefinition>): string {
  if (thread !== undefined)
    return `no ${name}: with a client, useThread has all of it. It needs a transport or a replica`;
  if (name === "thread") return "a client: <Provider client={client} threadId={id}>";
  return access === undefined
    ? "an access, such as threadClient(options)"
    : 'an actor, such as { kind: "user", id: "ada" }';
}
