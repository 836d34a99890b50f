// What was reported to each agent of each thread, from one request to the next. It is kept in
// memory for as many as are in use, whatever MCP's own sessions do. After a restart an agent gets
// again what others did since its own last commit, which it knows.

import { AgentSession, lastCommitOf } from "@opstate/agent";
import type { Actor, Thread } from "@opstate/core";
import { Elicitation } from "./elicitation.ts";

const MAX_SESSIONS = 2_000;

export class Sessions {
  readonly elicitation: Elicitation;
  readonly #sessions = new Map<string, Promise<AgentSession>>();

  constructor(elicitation = new Elicitation()) {
    this.elicitation = elicitation;
  }

  async of(thread: Thread, actor: Actor): Promise<AgentSession> {
    const key = JSON.stringify([thread.incarnation, actor.kind, actor.id]);
    const known = this.#sessions.get(key);
    const next = known?.then((session) =>
      session.thread === thread ? session : this.#open(thread, actor, session.since),
    );
    const session = next ?? lastCommitOf(thread, actor).then((since) => this.#open(thread, actor, since));
    // The newest is the last one of the map.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    session.catch(() => this.#sessions.get(key) === session && this.#sessions.delete(key));
    const [oldest] = this.#sessions.size > MAX_SESSIONS ? this.#sessions.keys() : [];
    if (oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }

  /** A thread that was closed and opened again goes on with what was reported. */
  #open(thread: Thread, actor: Actor, since: number): AgentSession {
    return new AgentSession({
      thread,
      actor,
      since,
      prefix: prefixOf(thread.definition.name),
      // A client that lost an answer may find another process here.
      callScope: "mcp",
      // A client's model repeats itself at its own expense: there is no run here to be ended.
      maxRefusals: false,
      approval: {
        // A host asks between two calls, so none waits for it.
        ask: async () => undefined,
        decider: () => this.elicitation.personOf(actor) ?? "No host may bring answers to this agent's proposals.",
      },
    });
  }
}

/** How a tool of a definition is named: clients put the tools of many servers into one list. */
export const prefixOf = (name: string): string => `${name}_`;
