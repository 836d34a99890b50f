// What the model of a host is shown with each call: the state and what others changed, where
// providers cache it least. The words are those of `ContextPolicy`.

import { defined } from "@opstate/core";
import { ContextPolicy, type ContextBudget, type Conversation, type Place } from "../context/context-policy.ts";
import { legalNow } from "../context/legal-now.ts";
import type { Template, Words } from "../context/context-parts.ts";
import type { StateBase } from "../context/state-base.ts";
import type { AgentSession } from "./agent-session.ts";

export interface HostContextOptions {
  /** Where the state is shown. Default `"auto"`: at the end, a large one at the beginning. */
  readonly place?: Place;
  readonly budget?: Partial<ContextBudget>;
  readonly template?: Template;
  /** The state's name for the model. Default: the definition's name. */
  readonly name?: string;
}

/** One for each conversation, over its session. */
export class HostContext {
  readonly #session: AgentSession;
  readonly #policy: ContextPolicy;
  #base: StateBase | undefined;

  constructor(session: AgentSession, { place, budget, template, name }: HostContextOptions = {}) {
    const { definition } = session.thread;
    this.#session = session;
    this.#policy = new ContextPolicy({
      definition,
      name: name ?? definition.name,
      ...defined({ place, budget, template }),
    });
  }

  /**
   * The words of the next call: for its instructions, before its messages, after them. What others
   * changed is in them once; afterwards the session knows the shown version.
   */
  async words(conversation: Pick<Conversation, "results" | "characters">): Promise<Words> {
    const { thread, actor, seen: known } = this.#session;
    const digest = await this.#session.news();
    const snapshot = { version: thread.version, state: thread.getState() };
    this.#base = await this.#policy.nextBase(thread, this.#base, snapshot, { actor, ...conversation });
    this.#session.look(snapshot.version);
    return this.#policy.words({
      snapshot,
      known,
      digest,
      legal: legalNow(thread.definition, { current: snapshot.state ?? null, actor, names: this.#toolNames() }),
      actor,
      results: conversation.results,
      thread,
      ...defined({ base: this.#base }),
    });
  }

  /** The name of the tool of each operation. */
  #toolNames(): ReadonlyMap<string, string> {
    const named = this.#session.tools.flatMap(({ name, operation }) =>
      operation === undefined ? [] : [[operation, name] as const],
    );
    return new Map(named);
  }
}
