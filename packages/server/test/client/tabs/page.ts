// The page of the tests of tabs, in a browser: threads over the carrier that tabs share.

import { httpCarrier, Requester, SharedConnection, tabCarrier } from "@opstate/client/carriers";
import { indexedDbStorage } from "@opstate/client";
import { createReplica, type Replica } from "@opstate/core";
import { tally } from "../../../../client/test/tally.ts";

/** What a test may ask of a page. */
export interface TestedPage {
  readonly actor: string | undefined;
  /** Whether this tab has the connection. */
  readonly isLeading: boolean;
  statuses(): readonly string[];
  /** Resolves when all threads are online. */
  online(): Promise<void>;
  /** Resolves when they were not, and are again; to the time, in milliseconds since 1970. */
  backOnline(): Promise<number>;
  /** Resolves, with its verdict, to whether it was accepted and the milliseconds that it took. */
  edit(thread: string, name: string): Promise<{ readonly accepted: boolean; readonly took: number }>;
  /** Edits in each moment, until it is told to stop; resolves to the names that were accepted. */
  type(prefix: string): void;
  stop(): Promise<readonly string[]>;
  names(thread: string): readonly string[];
  /** What this page's own store has for an actor. */
  save(id: string): Promise<void>;
  stored(actor: string): Promise<readonly string[]>;
}

const { location } = globalThis as unknown as { readonly location: { readonly search: string } };
const query = new URLSearchParams(location.search);
const person = query.get("as") ?? "ada";
const ids = (query.get("threads") ?? "t0").split(",");
const storage = indexedDbStorage();
const http = httpCarrier(new Requester({ url: "/api", headers: { authorization: `user ${person}` } }));
let isLeading = false;
let actor: string | undefined;

const carrier = tabCarrier(
  {
    open(listener) {
      const connection = http.open(listener);
      isLeading = true;
      return {
        follow: (id) => connection.follow(id),
        unfollow: (id) => connection.unfollow(id),
        send: (id, submission) => connection.send(id, submission),
        show: (id, value, tab) => connection.show(id, value, tab),
        retry: (id) => connection.retry(id),
        close() {
          isLeading = false;
          connection.close();
        },
      };
    },
  },
  { url: "/api", definitions: () => ({ tally: Number(query.get("version") ?? 1) }) },
);
const connection = new SharedConnection(carrier, (confirmed) => (actor = confirmed.id));
const replicas = new Map<string, Replica<typeof tally>>(
  ids.map((id) => [id, createReplica({ definition: tally, transport: connection.transport(id, undefined, {}) })]),
);

function find(thread: string): Replica<typeof tally> {
  const replica = replicas.get(thread);
  if (replica === undefined) throw new Error(`There is no thread "${thread}" here.`);
  return replica;
}

const statuses = () => [...replicas.values()].map(({ sync }) => sync.getState().status);
const isOnline = () => statuses().every((status) => status === "online");

function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const check = (): void => {
      if (!holds()) return;
      for (const stop of stops) stop();
      resolve();
    };
    for (const { sync } of replicas.values()) stops.push(sync.subscribe(check));
    check();
  });
}

let typed: Promise<string | undefined>[] = [];
const typing = { isOn: false };

async function typeOn(prefix: string): Promise<void> {
  for (let count = 0; typing.isOn; count++) {
    const name = `${prefix} ${count}`;
    const verdict = find(ids[count % ids.length] ?? "").dispatch(tally.op.name({ name }));
    typed.push(verdict.then(({ accepted }) => (accepted ? name : undefined)));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const page: TestedPage = {
  get actor() {
    return actor;
  },
  get isLeading() {
    return isLeading;
  },
  statuses,
  online: () => until(isOnline),
  async backOnline() {
    await until(() => !isOnline());
    await until(isOnline);
    return Date.now();
  },
  async edit(thread, name) {
    const start = performance.now();
    const { accepted } = await find(thread).dispatch(tally.op.name({ name }));
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
  async save(id) {
    const scope = { url: "/api", actor: { kind: "user", id: actor ?? "" } };
    const operation = tally.op.name({ name: id });
    const at = new Date().toISOString();
    await storage.saveEdit(scope, "t0", { id, operation, at, definition: "tally", definitionVersion: 1 });
  },
  async stored(of) {
    const { edits } = await storage.load({ url: "/api", actor: { kind: "user", id: of } }, "t0");
    return edits.map(({ id }) => id);
  },
};

Object.assign(globalThis, { page });
