// Threads whose writes go to their owner. Reading, listeners and streams are this process's own.
//
//   thread.dispatch ─┬─ this node owns it ──> authority here ── append in its epoch
//                    │                             └─ fenced: another node owns it now ─┐
//                    └─ another node does ──> CallQueue ── signed request ── authority there
//
// Invariants:
// - A call has its submission id, and its time, before anything is tried, so it has one effect
//   wherever it ends.
// - When a forwarded call resolves, the thread here shows what it led to, or the log is not read.
//
// (Long because the calls of a thread that write stand here, one beside the other.)

import { type Branch, defined, OpstateError, type Thread } from "@opstate/core";
import { isJson } from "@opstate/core/json";
import { randomId, reach } from "@opstate/core/thread";
import { CallQueue, isNotOwner } from "./call-queue.ts";
import { type Call, callOf, versionIn } from "./calls.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Owners, RoutedThread } from "./owners.ts";

/** Milliseconds for an undo or a merge of much, at another node. */
const LONG_TIMEOUT = 300_000;
/** Milliseconds beyond two leases until calls to an unreachable owner fail. */
const PATIENCE = 1_000;

export interface OwnedThreadsOptions {
  readonly owners: Owners;
  readonly forwarder: Forwarder;
  /** Milliseconds. */
  readonly lease: number;
  /** Milliseconds for a call of the log. */
  readonly logTimeout: number;
}

export class OwnedThreads {
  readonly #options: OwnedThreadsOptions;
  /** By incarnation, while something is on its way: all holders of a thread share its order. */
  readonly #queues = new Map<string, CallQueue>();

  constructor(options: OwnedThreadsOptions) {
    this.#options = options;
  }

  /** The thread, with writes that go to its owner. It shares its listeners and its end. */
  own(thread: Thread): Thread {
    return Object.assign(
      this.#reads(thread),
      writesOf(thread, (call, local) => this.#route(thread, call, local)),
    );
  }

  #branch(branch: Branch | undefined, parent: Thread): Branch | undefined {
    if (branch === undefined) return undefined;
    return Object.assign(this.own(branch), {
      parent: branch.parent,
      diff: branch.diff,
      discard: branch.discard,
      merge: async (options: Parameters<Branch["merge"]>[0]) => {
        const merged = this.#route(parent, callOf("merge", branch.threadId, options), () => branch.merge(options));
        return (await merged) as Awaited<ReturnType<Branch["merge"]>>;
      },
    });
  }

  #reads(thread: Thread): Omit<Thread, keyof Writes> {
    return {
      threadId: thread.threadId,
      definition: thread.definition,
      incarnation: thread.incarnation,
      parent: thread.parent,
      get version() {
        return thread.version;
      },
      get floor() {
        return thread.floor;
      },
      getState: thread.getState,
      getInitialState: thread.getInitialState,
      subscribe: thread.subscribe,
      history: thread.history,
      entries: thread.entries,
      stateAt: thread.stateAt,
      explain: thread.explain,
      digest: thread.digest,
      proposals: thread.proposals,
      proposal: thread.proposal,
      // A branch's first version is stored beside the parent, not in it.
      branch: async (...made) => this.#branch(await thread.branch(...made), thread) as Branch,
      openBranch: async (id) => this.#branch(await thread.openBranch(id), thread),
      branches: thread.branches,
      compact: thread.compact,
      onCommit: thread.onCommit,
      onRejection: thread.onRejection,
      onClose: thread.onClose,
      close: thread.close,
    };
  }

  async #route(thread: Thread, call: Call, local: () => Promise<unknown>): Promise<unknown> {
    const { owners } = this.#options;
    const routed = routedThread(thread);
    const known = owners.known(routed);
    // What JSON cannot carry as it is, is for the thread of this process to refuse.
    if ((owners.isOwn(known) && !this.#queues.has(routed.incarnation)) || !isJson(call)) {
      try {
        return await local();
      } catch (error) {
        if (!isNotOwner(error) || !isJson(call)) throw error;
        owners.forget(routed, known);
      }
    }
    const result = await this.#queueOf(routed).push(call, local);
    await reach(thread, versionIn(result)).catch(() => undefined);
    return result;
  }

  #queueOf(thread: RoutedThread): CallQueue {
    const { owners, forwarder, lease, logTimeout } = this.#options;
    const { incarnation } = thread;
    const queue =
      this.#queues.get(incarnation) ??
      new CallQueue({
        thread,
        owners,
        forwarder,
        timeout: Math.min(logTimeout, LONG_TIMEOUT) + PATIENCE,
        longTimeout: LONG_TIMEOUT,
        patience: 2 * lease + PATIENCE,
        onIdle: () => this.#queues.delete(incarnation),
      });
    this.#queues.set(incarnation, queue);
    return queue;
  }
}

export function routedThread({ threadId, incarnation, parent }: Thread): RoutedThread {
  return { threadId, incarnation, rootId: parent?.threadId ?? threadId };
}

type Writes = Pick<Thread, "dispatch" | "submit" | "undo" | "propose" | "approve" | "decline" | "redact">;
type Route = (call: Call, local: () => Promise<unknown>) => Promise<unknown>;

/** What the owner answers is what its own thread gave, so it has the same type. */
function writesOf(thread: Thread, route: Route): Writes {
  const dispatch: Thread["submit"] = async (update, given) => {
    const options = withId(given);
    const verdict = route(callOf("submit", update, options), () => thread.submit(update, options));
    return (await verdict) as Awaited<ReturnType<Thread["submit"]>>;
  };
  type Verdict = Awaited<ReturnType<typeof dispatch>>;
  return {
    dispatch,
    submit: dispatch,
    async undo(target, given) {
      const options = withId(given);
      return (await route(callOf("undo", target, options), () => thread.undo(target, options))) as Verdict;
    },
    async propose(update, given) {
      const options = withId(given);
      return (await route(callOf("propose", update, options), () => thread.propose(update, options))) as Verdict;
    },
    async approve(proposal, given) {
      const options = withId(given);
      return (await route(callOf("approve", proposal, options), () => thread.approve(proposal, options))) as Verdict;
    },
    async decline(proposal, given) {
      const options = withId(given);
      return (await route(callOf("decline", proposal, options), () => thread.decline(proposal, options))) as Verdict;
    },
    async redact(options) {
      const { actor, by } = options;
      const redacted = route(callOf("redact", actor, { actor: by }), () => thread.redact(options));
      return (await redacted) as Awaited<ReturnType<Thread["redact"]>>;
    },
  };
}

/**
 * Before anything is tried, so that a repetition is known as one. When an id of the caller's was
 * drawn, the caller alone knows.
 */
function withId<O extends { readonly id?: string; readonly madeAt?: number }>(options: O): O & { readonly id: string } {
  const { id } = options;
  return id === undefined ? { ...options, id: randomId(), madeAt: Date.now() } : { ...options, id };
}

/** What the owner does with a call that was forwarded to it. */
export async function perform(thread: Thread, { call, actor, rights, about, options }: Call): Promise<unknown> {
  const allows = (right: string) => (rights as readonly string[]).includes(right);
  const given = { ...options, actor, allows };
  switch (call) {
    case "submit":
      return thread.submit(about, given);
    case "undo":
      return thread.undo(about as Parameters<Thread["undo"]>[0], given);
    case "propose":
      return thread.propose(about as Parameters<Thread["propose"]>[0], given);
    case "approve":
      return thread.approve(String(about), given);
    case "decline":
      return thread.decline(String(about), given);
    case "redact":
      return thread.redact({ actor: about as typeof actor, by: actor });
    case "merge": {
      const branch = await thread.openBranch(String(about));
      // It was discarded since the sender opened it.
      if (branch === undefined)
        throw new OpstateError(
          "closed",
          `Branch "${String(about)}" is closed or discarded. Open it again with openBranch.`,
        );
      return branch.merge({ ...given, ...defined({ ids: options["ids"] as readonly string[] | undefined }) });
    }
  }
}
