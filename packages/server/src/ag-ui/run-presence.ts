// A run as a participant: the agent, at the thing that its run touched last.

import { defined, type Actor, type Commit, type Thread } from "@opstate/core";
import { isContainer } from "@opstate/core/json";
import { formatPointer, parsePointer } from "@opstate/core/json-patch";
import { randomId, sameActor } from "@opstate/core/thread";
import type { ThreadPresence } from "../threads/thread-presence.ts";

export interface ShownRun {
  readonly thread: Thread;
  readonly presence: ThreadPresence;
  /** The name of the agent in the address. */
  readonly agent: string;
  readonly runId: string;
  /** Who started the run. What they decide in it is not the agent's work. */
  readonly sender: Actor;
}

/** Shows the run until the returned function is called. */
export function showRun({ thread, presence, agent, runId, sender }: ShownRun): () => void {
  const session = `r-${randomId()}`;
  presence.show({ session, actor: { kind: "agent", id: agent } });
  const unsubscribe = thread.onCommit((commit) => {
    if (commit.runId !== runId || sameActor(commit.actor, sender)) return;
    const focus = touchedThing(commit, thread);
    presence.show({ session, actor: commit.actor, ...defined({ focus }) });
  });
  return () => {
    unsubscribe();
    presence.hide(session);
  };
}

type Tokens = readonly string[];

/**
 * The pointer of the thing that the commit's last edit touched: the object or list item that was
 * written or that a field was written of. Derived fields are no edit of an actor.
 */
export function touchedThing({ patches }: Pick<Commit, "patches">, thread: Thread): string | undefined {
  const edit = patches.findLast(({ path }) => !isDerived(parsePointer(path), thread));
  if (!edit) return undefined;
  const { op, path } = edit;
  const tokens = parsePointer(path);
  const parent = tokens.slice(0, -1);
  const isThing = op !== "remove" && (isContainer(valueAt(thread, tokens)) || Array.isArray(valueAt(thread, parent)));
  // A field of the state itself is named, since the whole state is no place.
  return formatPointer(isThing || parent.length === 0 ? tokens : parent);
}

function isDerived(tokens: Tokens, { definition }: Thread): boolean {
  return definition.model.derive.some(({ container, field }) =>
    [...container, field].every((token, index) => token === "*" || token === tokens[index]),
  );
}

function valueAt(thread: Thread, tokens: Tokens): unknown {
  return tokens.reduce<unknown>((value, token) => (isContainer(value) ? value[token] : undefined), thread.getState());
}
