// The page of the tests of tabs, in a browser: a client with threads.

import { type ClientThread, createClient, indexedDbStorage, type Participant } from "@opstate/client";
import { defineTally, type Tally } from "../../../../client/test/tally.ts";

/** What a test may ask of a page. */
export interface TestedPage {
  readonly actor: string | undefined;
  /** Whether this tab has the connection. */
  readonly isLeading: boolean;
  statuses(): readonly string[];
  /** Resolves when all threads are online. */
  online(): Promise<void>;
  /** The statuses of the first thread until it is online, and how many streams there are then. */
  statusesUntilOnline(): Promise<{ readonly before: readonly string[]; readonly streams: number }>;
  /** Resolves when they were not, and are again; to the time, in milliseconds since 1970. */
  backOnline(): Promise<number>;
  /** Resolves, with its verdict, to whether it was accepted and the milliseconds that it took. */
  edit(thread: string, name: string): Promise<{ readonly accepted: boolean; readonly took: number }>;
  /** Edits in each moment, until it is told to stop; resolves to the names that were accepted. */
  type(prefix: string): void;
  stop(): Promise<readonly string[]>;
  names(thread: string): readonly string[];
  /** Without waiting for its verdict. */
  editSoon(thread: string, name: string): void;
  show(thread: string, focus: string): void;
  present(thread: string): readonly Participant[];
  /** What this page's own store has for an actor. */
  save(id: string): Promise<void>;
  stored(actor: string): Promise<readonly string[]>;
  /** Whether there is a stored state of the first thread. */
  hasSnapshot(actor: string): Promise<boolean>;
  /** Saves from now on, over and over. Resolves when the first time is done. */
  startSaving(): Promise<void>;
  /** Resolves to the code of the error with which the store refused to save. */
  refusal(): Promise<unknown>;
  signOut(anyway: boolean): Promise<{ readonly done: boolean; readonly waiting: number }>;
  disconnect(): void;
  connect(): void;
  retry(): void;
  /** The names of the edits that an actor's store has. */
  storedNames(actor: string): Promise<readonly string[]>;
  /**
   * Takes so many of the origin's connections. Resolves when each has a response that never ends.
   */
  fill(count: number): Promise<void>;
  /** Gives one of them back. */
  free(): void;
  /** Another request of this page. Resolves to the status of its response. */
  ask(path: string): Promise<number>;
}

const { location } = globalThis as unknown as { readonly location: { readonly search: string } };
const query = new URLSearchParams(location.search);
const person = query.get("as");
const ids = (query.get("threads") ?? "t0").split(",");
const storage = indexedDbStorage();
const definition = defineTally(Number(query.get("version") ?? 1));

/** The streams of this page that are open. */
let streams = 0;
const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  if (input !== "/api/events") return fetch(input, init);
  streams += 1;
  init?.signal?.addEventListener("abort", () => (streams -= 1), { once: true });
  return fetch(input, init);
};

const client = createClient({
  url: "/api",
  // Without a person, the cookie says who it is.
  ...(person !== null && { headers: { authorization: `user ${person}`, "x-device": query.get("device") ?? "" } }),
  ...(query.has("kept") && { storage }),
  ...(query.has("alone") && { tabs: false }),
});
const threads = new Map<string, ClientThread<Tally>>(ids.map((id) => [id, client.thread(definition, id)]));
for (const { subscribe, presence } of threads.values()) {
  subscribe(() => undefined);
  presence.subscribe(() => undefined);
}

function find(thread: string): ClientThread<Tally> {
  const found = threads.get(thread);
  if (found === undefined) throw new Error(`There is no thread "${thread}" here.`);
  return found;
}

const actor = () => threads.values().next().value?.sync.getState().actor?.id;
const statuses = () => [...threads.values()].map(({ sync }) => sync.getState().status);
const isOnline = () => statuses().every((status) => status === "online");

function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const check = (): void => {
      if (!holds()) return;
      for (const stop of stops) stop();
      resolve();
    };
    for (const { sync } of threads.values()) stops.push(sync.subscribe(check));
    check();
  });
}

const held: AbortController[] = [];
let refused: Promise<unknown> = Promise.resolve();
let typed: Promise<string | undefined>[] = [];
const typing = { isOn: false };

async function typeOn(prefix: string): Promise<void> {
  for (let count = 0; typing.isOn; count++) {
    const name = `${prefix} ${count}`;
    const verdict = find(ids[count % ids.length] ?? "").dispatch(definition.op.name({ name }));
    typed.push(verdict.then(({ accepted }) => (accepted ? name : undefined)));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const page: TestedPage = {
  get actor() {
    return actor();
  },
  get isLeading() {
    return streams > 0;
  },
  statuses,
  online: () => until(isOnline),
  async statusesUntilOnline() {
    const before = new Set<string>();
    await until(() => {
      const [status = ""] = statuses();
      if (status !== "online") before.add(status);
      return status === "online";
    });
    return { before: [...before], streams };
  },
  async backOnline() {
    await until(() => !isOnline());
    await until(isOnline);
    return Date.now();
  },
  async edit(thread, name) {
    const start = performance.now();
    const { accepted } = await find(thread).dispatch(definition.op.name({ name }));
    return { accepted, took: performance.now() - start };
  },
  type(prefix) {
    typed = [];
    typing.isOn = true;
    void typeOn(prefix);
  },
  async stop() {
    typing.isOn = false;
    return (await Promise.all(typed)).filter((name) => name !== undefined);
  },
  names: (thread) => find(thread).getState().names,
  editSoon: (thread, name) => void find(thread).dispatch(definition.op.name({ name })),
  show: (thread, focus) => find(thread).presence.show({ focus }),
  present: (thread) => find(thread).presence.getState(),
  async save(id) {
    const scope = { url: "/api", actor: { kind: "user", id: actor() ?? "" } };
    const operation = definition.op.name({ name: id });
    const at = new Date().toISOString();
    await storage.saveEdit(scope, "t0", { id, operation, at, definition: "tally", definitionVersion: 1 });
  },
  async hasSnapshot(of) {
    return (await storage.load({ url: "/api", actor: { kind: "user", id: of } }, "t0")).snapshot !== undefined;
  },
  async startSaving() {
    const actors = { url: "/api", actor: { kind: "user", id: actor() ?? "" } };
    const scope = { ...actors, session: await storage.begin(actors) };
    const snapshot = { definition: "tally", definitionVersion: 1, incarnation: "of this tab", version: 1, state: {} };
    const save = (): Promise<never> => storage.saveSnapshot(scope, "t0", snapshot).then(save);
    await storage.saveSnapshot(scope, "t0", snapshot);
    refused = save().catch((error: { readonly code?: unknown }) => error.code);
  },
  refusal: () => refused,
  async signOut(anyway) {
    const { done, waiting } = await client.signOut({ anyway });
    return { done, waiting: waiting.flatMap(({ pending }) => pending).length };
  },
  disconnect: () => client.disconnect(),
  connect: () => client.connect(),
  async storedNames(of) {
    const { edits } = await storage.load({ url: "/api", actor: { kind: "user", id: of } }, "t0");
    return edits.map(({ operation }) => String((operation as { readonly name?: unknown }).name));
  },
  async fill(count) {
    const taken = Array.from({ length: count }, () => new AbortController());
    held.push(...taken);
    await Promise.all(taken.map(({ signal }) => fetch("/endless", { signal })));
  },
  free: () => held.pop()?.abort(),
  ask: async (path) => (await fetch(path)).status,
  retry: () => client.retry(),
  async stored(of) {
    const { edits } = await storage.load({ url: "/api", actor: { kind: "user", id: of } }, "t0");
    return edits.map(({ id }) => id);
  },
};

Object.assign(globalThis, { page });
