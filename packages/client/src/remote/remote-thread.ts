// A thread of a server, with the calls that a thread has in the server's own process: for an agent,
// a job or a worker that runs elsewhere.
//
//   tool, middleware ─> RemoteThread ─┬─ POST /operations, /proposals, /undo, ...   one for a call
//                                     └─ Replica ─ POST /events                     its state, live
//
// Invariants:
// - The server decides. What a call resolves with is its verdict, and `getState` shows the version
//   of that verdict while the connection is online.
// - The actor is the connection's. A call for another one is not sent.
// - A submission has an id and its time before it is sent, so that it may be sent again.
//
// Long because the calls of a thread follow one another here.

import {
  type AcceptedOperationOf,
  type Actor,
  type AnyDefinition,
  type Branch,
  type Commit,
  createReplica,
  defined,
  OpstateError,
  type Refusal,
  type StateOf,
  type Thread,
  type Transport,
  type Verdict,
} from "@opstate/core";
import { fullDefinition } from "@opstate/core/definition";
import { APPROVE, DECLINE, MERGE, PROPOSE, UNDO, type ThreadParent } from "@opstate/core/log";
import { digestSince, entriesOver, randomId, sameActor } from "@opstate/core/thread";
import type { DispatchOptions, ItemRange } from "@opstate/core/thread";
import { httpAccess } from "../connection/http/http-access.ts";
import { httpCarrier } from "../connection/http/http-carrier.ts";
import { pathPart } from "../connection/http/path-part.ts";
import { callsOver } from "../connection/http/calls.ts";
import { requestError, RequestError, Requester, type RequestOptions } from "../connection/http/request.ts";
import { SharedConnection } from "../connection/shared-connection.ts";
import { decider, type Decider } from "./decider.ts";
import { otherActor } from "./other-actor.ts";
import { submitOver } from "./submit-over.ts";

export interface RemoteThreadOptions<D extends AnyDefinition> extends RequestOptions {
  readonly definition: D;
  readonly threadId: string;
  /** Requests news again and again instead of reading a stream. Default: where there are none. */
  readonly polling?: boolean;
  /** Called with what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
}

/** What distinguishes a person's requests from those of the connection. */
export interface Credentials {
  readonly headers: NonNullable<RequestOptions["headers"]>;
}

/**
 * A thread of a server. Every call is made as `actor`, whom the server takes the connection for.
 */
export interface RemoteThread<D extends AnyDefinition = AnyDefinition> extends Thread<D> {
  readonly actor: Actor;
  /** The decisions of the actor whose credentials these are, such as the person who approves. */
  as(credentials: Credentials): Promise<Decider<D>>;
}

/** What `GET /threads/:id` says. */
interface Found {
  readonly version: number;
  readonly state: unknown;
  readonly definition: string;
  readonly incarnation: string;
  readonly floor: number;
  readonly actor: Actor;
  readonly parent?: ThreadParent;
}

/**
 * Opens a thread of a server, and creates it when the server does not have it. It fits wherever a
 * thread of this process does: `operationTools`, `opstateMiddleware`, `createClient({ threads })`.
 * Make it once for a thread, and close it.
 *
 * Rejects with a RequestError when the server refuses it, with an OpstateError
 * (`definition_mismatch`) when the thread holds another definition. A call that names another
 * `actor` than the connection's gets a verdict, `forbidden`.
 *
 * The guide "Which log may be shared by whom" (docs/share-a-log.md) has it at work.
 */
export async function remoteThread<D extends AnyDefinition>(options: RemoteThreadOptions<D>): Promise<RemoteThread<D>> {
  const definition = fullDefinition(options.definition);
  const requester = new Requester(options);
  const calls = callsOver(requester);
  const at = `/threads/${pathPart(options.threadId)}`;
  const found = await calls.get<Found>(at).catch(async (error: unknown) => {
    if (!(error instanceof RequestError && error.code === "unknown_thread")) throw error;
    const created = await requester.post(at, JSON.stringify({ definition: definition.name }), { method: "PUT" });
    if (!created.ok) throw await requestError(created);
    return calls.get<Found>(at);
  });
  if (found.definition !== definition.name)
    throw new OpstateError(
      "definition_mismatch",
      `Thread "${options.threadId}" holds a "${found.definition}", not a "${definition.name}".`,
    );
  return follow(options, requester, found);
}

async function follow<D extends AnyDefinition>(
  options: RemoteThreadOptions<D>,
  requester: Requester,
  found: Found,
): Promise<RemoteThread<D>> {
  const { threadId, polling, onError } = options;
  const definition = fullDefinition(options.definition);
  const { actor, incarnation, parent } = found;
  const connection = new SharedConnection(httpCarrier(requester, defined({ polling })), () => undefined);
  const access = httpAccess<D>(requester, threadId, () => actor);
  const closeListeners = new Set<(reason: OpstateError | undefined) => void>();
  const branches = new Set<RemoteThread<D>>();
  let floor = found.floor;
  let closed = false;
  let closeReason: OpstateError | undefined;

  const replica = createReplica<D>({
    // In a page's bundle it runs on the page's engine, which takes no other.
    definition: options.definition,
    transport: noticing(connection.transport(threadId, incarnation, {}), {
      welcome: (of) => {
        if (of !== undefined && of !== incarnation) onReplaced();
      },
      gone: onReplaced,
    }),
    // The server guarantees the shape of its responses.
    snapshot: found as { version: number; state: StateOf<D> },
    ...defined({ onError }),
  });
  const initial = replica.getState();
  const version = () => replica.sync.getState().version;
  // A replica is connected while it has subscribers.
  const disconnect = replica.sync.subscribe(() => undefined);

  function end(reason?: OpstateError): void {
    if (closed) return;
    closed = true;
    closeReason = reason;
    disconnect();
    replica.close();
    connection.close();
    for (const listener of [...closeListeners]) listener(reason);
    for (const branch of [...branches]) void branch.close();
  }

  function onReplaced(): void {
    end(
      new OpstateError(
        "replaced",
        `Thread "${threadId}" was deleted from its server. A thread that has its id now is another one. This one is closed: open it again with remoteThread.`,
      ),
    );
  }

  function mustBeOpen(): void {
    if (closeReason !== undefined) throw closeReason;
    if (closed) throw new OpstateError("closed", `Thread "${threadId}" is closed. Open it again with remoteThread.`);
  }

  /** Resolves when the state shows the version, or cannot now. */
  function shown(wanted: number): Promise<void> {
    const isShown = () => {
      const sync = replica.sync.getState();
      return sync.version >= wanted || sync.status !== "online";
    };
    if (isShown()) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = replica.sync.subscribe(() => {
        if (!isShown()) return;
        stop();
        resolve();
      });
    });
  }

  type Accepted = Verdict<AcceptedOperationOf<D>>;

  /** A call that changes the thread, as the actor of the connection alone. */
  async function call<Options extends DispatchOptions>(
    { actor: named, ...options }: Options,
    type: string,
    send: (options: Omit<Options, "actor" | "allows"> & { readonly id: string }) => Promise<Accepted>,
  ): Promise<Accepted> {
    mustBeOpen();
    if (!sameActor(named, actor)) return otherActor(named, actor, type, version());
    // The server decides what the actor may do.
    const { allows: _, ...rest } = options as typeof options & { readonly allows?: unknown };
    const made = { id: options.id ?? randomId(), madeAt: options.madeAt ?? Date.now() };
    const given = { ...rest, ...made } as Omit<Options, "actor" | "allows"> & { readonly id: string };
    const verdict = await send(given);
    await shown(verdict.version);
    return verdict;
  }

  async function reading<T>(read: () => Promise<T>): Promise<T> {
    mustBeOpen();
    return read();
  }

  async function dispatch(update: unknown, how: DispatchOptions): Promise<Accepted> {
    return call(how, typeOf(update), (given) => submitOver<D>(requester, threadId, actor, update, given));
  }

  async function openBranch(id: string): Promise<Branch<D>> {
    const thread = await remoteThread({ ...options, threadId: id });
    const of = access.openBranch(id);
    branches.add(thread);
    thread.onClose(() => void branches.delete(thread));
    if (thread.parent === undefined) throw new OpstateError("invalid_branch", `"${id}" is not a branch.`);
    return Object.assign(thread, {
      parent: thread.parent,
      diff: (range?: ItemRange) => reading(async () => partOf(await of.diff(), range)),
      merge: async ({ ids, actor: named }: Parameters<Branch<D>["merge"]>[0]) => {
        mustBeOpen();
        if (sameActor(named, actor)) return of.merge(defined({ ids }));
        return (ids ?? ["*"]).map((each) => ({ id: each, verdict: otherActor(named, actor, MERGE, version()) }));
      },
      async discard() {
        await thread.close();
        await of.discard();
      },
    });
  }

  const thread: RemoteThread<D> = {
    actor,
    as: (credentials) => reading(() => decider<D>({ ...options, ...credentials }, threadId, shown)),
    threadId,
    definition,
    incarnation,
    parent,
    get version() {
      return version();
    },
    get floor() {
      return floor;
    },
    getState: replica.getState,
    getInitialState: () => initial,
    subscribe: replica.subscribe,
    dispatch,
    submit: dispatch,
    undo: (target, how) => call(how, UNDO, (given) => access.undo(target, given)),
    propose: (update, how) => call(how, PROPOSE, (given) => access.propose(update, given)),
    approve: (proposal, how) => call(how, APPROVE, (given) => access.approve(proposal, given)),
    decline: (proposal, how) => call(how, DECLINE, (given) => access.decline(proposal, given)),
    proposals: (range) => reading(async () => partOf(await access.proposals(), range)),
    proposal: (id, which) => reading(() => access.proposal(id, which)),
    history: (range) => reading(() => access.history(range)),
    entries: (range = {}) => entriesOver((page) => reading(() => access.history(page)), range),
    stateAt: (wanted) => reading(async () => (await access.stateAt(wanted)).state),
    explain: (pointer) => reading(() => access.explain(pointer)),
    digest: (how) =>
      reading(() => {
        const commitsAfter = async (after: number): Promise<readonly Commit[]> => {
          const commits: Commit[] = [];
          const head = version();
          if (after >= head) return commits;
          for await (const entry of entriesOver((page) => access.history(page), { after, before: head + 1 }))
            if (entry.kind === "commit") commits.push(entry.commit);
          return commits;
        };
        return digestSince(definition, version(), commitsAfter, how);
      }),
    branches: () => reading(() => access.branches()),
    openBranch: (id) =>
      reading(async () =>
        (await access.branches()).some((branch) => branch.threadId === id) ? openBranch(id) : undefined,
      ),
    branch: (from, { id } = {}) =>
      reading(async () => {
        const prefix = `${threadId}~`;
        if (id !== undefined && !id.startsWith(prefix))
          throw new OpstateError(
            "invalid_branch",
            `On a server the id of a branch begins with that of its thread: "${prefix}${id}".`,
          );
        const made = await access.branch(defined({ version: from, name: id?.slice(prefix.length) }));
        return openBranch(made.threadId);
      }),
    compact: (range) => reading(async () => (floor = await access.compact(range))),
    redact: ({ actor: author, by }) =>
      reading(async () => {
        if (!sameActor(by, actor))
          throw new RangeError(
            `This connection is ${actor.kind} ${actor.id}, who cannot redact as ${by.kind} ${by.id}.`,
          );
        const redacted = await access.redact(author);
        ({ floor } = redacted);
        return redacted;
      }),
    onCommit: replica.onCommit,
    onRejection: (listener: (refusal: Refusal) => void) => replica.onRejection(listener),
    onClose(listener) {
      const entry = (reason: OpstateError | undefined) => listener(reason);
      closeListeners.add(entry);
      return () => void closeListeners.delete(entry);
    },
    async close() {
      end();
    },
  };
  await connected(replica.sync);
  return thread;
}

/** Resolves when the first attempt to connect has ended, so that what is read next is followed. */
function connected(sync: { getState(): { status: string }; subscribe(listener: () => void): () => void }) {
  const isDone = () => sync.getState().status !== "connecting";
  if (isDone()) return Promise.resolve();
  return new Promise<void>((resolve) => {
    const stop = sync.subscribe(() => {
      if (!isDone()) return;
      stop();
      resolve();
    });
  });
}

/** The transport, which also reports the thread's incarnation and its end. */
function noticing(
  transport: Transport,
  on: { welcome(incarnation: string | undefined): void; gone(): void },
): Transport {
  return {
    connect: (line) =>
      transport.connect({
        ...line,
        onMessage(message) {
          if (message.type === "welcome") on.welcome(message.incarnation);
          line.onMessage(message);
        },
        onStatus(status, error) {
          line.onStatus(status, error);
          if (status === "not_found") on.gone();
        },
      }),
  };
}

function partOf<T extends { readonly version: number }>(
  items: readonly T[],
  { after = 0, limit = Infinity }: ItemRange = {},
): readonly T[] {
  return items.filter(({ version }) => version > after).slice(0, limit);
}

function typeOf(update: unknown): string {
  const type: unknown = typeof update === "object" && update !== null ? Reflect.get(update, "type") : undefined;
  return typeof type === "string" ? type : "$replace";
}
