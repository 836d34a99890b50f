// Every route of the router x every kind of sender x everything that may become of a thread: who is
// answered what, and that a secret of the thread before reaches nobody. Two leaks that there once
// were are planted again, and must be found.

import { memoryLog, openThread } from "@opstate/core";
import type { Hono } from "hono";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Access, createServer, type Right, type Server } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { type Named, rightsTable, type TableRoute } from "../support/rights/rights-table.ts";

const planted = vi.hoisted(() => ({ streamsGoOn: false, anyParent: false }));
const routers = vi.hoisted(() => [] as Hono[]);

vi.mock("hono", async (load) => {
  const real = await load<typeof import("hono")>();
  class Noted extends real.Hono {
    constructor(...given: ConstructorParameters<typeof real.Hono>) {
      super(...given);
      routers.push(this);
    }
  }
  return { ...real, Hono: Noted };
});

vi.mock("../../src/http/rechecks.ts", async (load) => {
  const real = await load<typeof import("../../src/http/rechecks.ts")>();
  class Planted extends real.Rechecks {
    override ask(revoked: Parameters<InstanceType<typeof real.Rechecks>["ask"]>[0]): void {
      if (!planted.streamsGoOn) super.ask(revoked);
    }
  }
  return { ...real, Rechecks: Planted };
});

vi.mock("../../src/threads/thread-tree.ts", async (load) => {
  const real = await load<typeof import("../../src/threads/thread-tree.ts")>();
  const rootOf: typeof real.rootOf = async (log, thread) =>
    planted.anyParent ? (thread.parent?.threadId ?? thread.threadId) : real.rootOf(log, thread);
  return { ...real, rootOf };
});

afterEach(() => void Object.assign(planted, { streamsGoOn: false, anyParent: false }));

const SECRET = "SECRET-OF-BEFORE";
const LATER = "SECRET-OF-LATER";
const THREAD = "launch";
const BRANCH = "launch~b";
const ALL: readonly Right[] = ["read", "write", "undo", "approve", "admin"];

interface Identity {
  /** Undefined: sends no credentials. */
  readonly name?: string;
  readonly rights: readonly Right[];
  /** The thread that the rights are on; undefined: on every one. */
  readonly on?: string;
}

const identities: Readonly<Record<string, Identity>> = {
  "an unknown sender": { rights: [] },
  "an actor without rights": { name: "nora", rights: [], on: THREAD },
  "a reader": { name: "rita", rights: ["read"], on: THREAD },
  "a writer": { name: "walt", rights: ["write"], on: THREAD },
  "an editor": { name: "edith", rights: ["read", "write"], on: THREAD },
  "an admin": { name: "adam", rights: ALL, on: THREAD },
  "another thread's owner": { name: "otto", rights: ALL, on: "other" },
  "who may do all": { name: "ally", rights: ALL },
};

const byName = new Map(Object.values(identities).map((identity) => [identity.name, identity]));

interface World {
  readonly server: Server;
  readonly log: ReturnType<typeof memoryLog>;
  readonly named: Named;
  /** What the application says. */
  readonly says: { revoked: boolean; expired: boolean; asked: number };
  send(method: string, path: string, body: unknown, name: string | undefined): Promise<Response>;
}

const json = { "content-type": "application/json" };

async function createWorld(): Promise<World> {
  const log = memoryLog();
  const says = { revoked: false, expired: false, asked: 0 };
  const server = createServer({
    definitions: [board],
    log,
    agents: {
      echo: { definition: "board", async *run() {} },
      wait: {
        definition: "board",
        // oxlint-disable-next-line require-yield -- it has nothing to say
        async *run({ signal }) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      },
    },
    onError: () => {},
    authorize(request): Access | null {
      const id = request.headers.get("authorization") ?? "";
      if (id === "root") return { actor: { kind: "user", id }, allows: () => true };
      const identity = byName.get(id);
      if (identity === undefined || id === "") return null;
      says.asked += 1;
      return {
        actor: { kind: "user", id },
        ...(says.expired && { expiresAt: new Date(0) }),
        allows: (threadId, right) =>
          !says.revoked && (identity.on ?? threadId) === threadId && identity.rights.includes(right),
      };
    },
  });
  onTestFinished(() => server.close());
  const send: World["send"] = async (method, path, body, name) => {
    const ask = () =>
      server.fetch(
        new Request(`http://x${path}`, {
          method,
          headers: { ...json, ...(name !== undefined && { authorization: name }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
    const response = await ask();
    // While the server finds out that the thread is another one now.
    return response.status === 503 ? ask() : response;
  };
  const root = async (method: string, path: string, body?: unknown) => {
    const response = await send(method, path, body, "root");
    expect(response.status, `${method} ${path}`).toBeLessThan(300);
  };
  for (const id of ["other", THREAD]) await root("PUT", `/threads/${id}`, { definition: "board" });
  const at = `/threads/${THREAD}`;
  await root("POST", `${at}/operations`, { id: "planted", operation: addCard("c1", SECRET) });
  // A refusal that holds it too.
  await send("POST", `${at}/operations`, { type: "rename", cardId: "none", title: SECRET }, "root");
  await root("POST", `${at}/branches`, { name: "b" });
  await root("POST", `/threads/${BRANCH}/operations`, addCard("c2", SECRET));
  await root("POST", `${at}/proposals`, { id: "proposed", operation: addCard("c3", SECRET) });
  return {
    server,
    log,
    says,
    send,
    named: { threadId: THREAD, branchId: BRANCH, proposal: "proposed", stream: "s-none" },
  };
}

interface Lifecycle {
  happens(world: World): Promise<unknown>;
  /** What is asked for afterwards. */
  readonly threadId: string;
  /** The rights that the identity has on it afterwards, as the application says. */
  rights(identity: Identity): readonly Right[];
  /** What the name leads to. */
  readonly is: "the thread" | "another thread" | "nothing";
  readonly hasExpired?: true;
}

const createAgain = ({ log }: World) =>
  log.create({ threadId: THREAD, definition: "board", definitionVersion: 1, state: board.initial, at: "" });
const rightsOn = (threadId: string) => (identity: Identity) =>
  (identity.on ?? threadId) === threadId ? identity.rights : [];

const lifecycles: Readonly<Record<string, Lifecycle>> = {
  "is there": { happens: async () => {}, threadId: THREAD, rights: rightsOn(THREAD), is: "the thread" },
  "was removed from them": {
    async happens({ says, server }) {
      says.revoked = true;
      await server.revoke({ threadId: THREAD });
    },
    threadId: THREAD,
    rights: () => [],
    is: "the thread",
  },
  "is there, and their credentials have expired": {
    async happens({ says, server }) {
      says.expired = true;
      await server.revoke();
    },
    threadId: THREAD,
    rights: () => [],
    is: "the thread",
    hasExpired: true,
  },
  "was deleted": {
    happens: ({ send }) => send("DELETE", `/threads/${THREAD}`, undefined, "root"),
    threadId: THREAD,
    rights: rightsOn(THREAD),
    is: "nothing",
  },
  "was created again under its name, by another process that left its branches": {
    async happens(world) {
      await world.log.delete(THREAD);
      await createAgain(world);
    },
    threadId: THREAD,
    rights: rightsOn(THREAD),
    is: "another thread",
  },
  "is a branch of a deleted one": {
    happens: ({ log }) => log.delete(THREAD),
    threadId: BRANCH,
    rights: rightsOn(BRANCH),
    is: "nothing",
  },
  "is a branch of one that was created again under its name": {
    async happens(world) {
      await world.log.delete(THREAD);
      await createAgain(world);
    },
    threadId: BRANCH,
    rights: rightsOn(BRANCH),
    is: "nothing",
  },
};

/** The answer's text; of a stream, up to its first snapshot or problem. */
async function textOf(response: Response): Promise<string> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!isStream) return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/"type":"(snapshot|problem|RUN_FINISHED|RUN_ERROR)"/.test(text)) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    text += chunk.value;
  }
  await reader?.cancel();
  return text;
}

/** What is wrong with an answer: nothing, or in words. */
function faultOf(
  route: TableRoute,
  identity: Identity,
  lifecycle: Lifecycle,
  status: number,
  text: string,
): string | undefined {
  const rights = lifecycle.rights(identity);
  const mayRead = lifecycle.is === "the thread" && rights.includes("read");
  if (text.includes(SECRET) && !mayRead) return "the secret is in the answer";
  if (status >= 500) return `failed with ${status}`;
  if (route.kind === "everybody") return status === 200 ? undefined : `${status}, not 200`;
  if (identity.name === undefined || lifecycle.hasExpired) return status === 401 ? undefined : `${status}, not 401`;
  const has = route.needs.every((right) => rights.includes(right));
  switch (route.kind) {
    case "list":
      return status === 200 ? undefined : `${status}, not 200`;
    case "stream":
      // It names a stream that is nobody's.
      return status === 404 ? undefined : `${status}, not 404`;
    case "many": {
      const code = has ? (lifecycle.is === "nothing" ? "unknown_thread" : undefined) : "not_allowed";
      if (status !== 200) return `${status}, not 200`;
      const found = /"code":"(not_allowed|unknown_thread)"/.exec(text)?.[1];
      return found === code ? undefined : `${found ?? "no problem"}, not ${code ?? "one"}`;
    }
    case "thread": {
      if (!has) return status === 403 ? undefined : `${status}, not 403`;
      if (lifecycle.is === "nothing" && !route.creates) return status === 404 ? undefined : `${status}, not 404`;
      const mayBeRefused = route.mayNeed?.some((right) => !rights.includes(right)) ?? false;
      return status === 401 || (status === 403 && !mayBeRefused) ? `${status}, though it has the rights` : undefined;
    }
  }
}

/** Every route, asked in a world of its own for this identity and lifecycle. */
async function faultsOf(identity: Identity, lifecycle: Lifecycle): Promise<readonly string[]> {
  const world = await createWorld();
  await lifecycle.happens(world);
  const named = { ...world.named, threadId: lifecycle.threadId };
  const faults: string[] = [];
  let isMade = false;
  for (const [name, route] of Object.entries(rightsTable)) {
    const [method = ""] = name.split(" ");
    const response = await world.send(method, route.path(named), route.body?.(named), identity.name);
    // What a route created is another thread from then on.
    const now: Lifecycle = isMade ? { ...lifecycle, is: "another thread" } : lifecycle;
    const fault = faultOf(route, identity, now, response.status, await textOf(response));
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
    isMade ||= lifecycle.is === "nothing" && route.creates === true && response.status < 300;
  }
  return faults;
}

/** What a stream that was opened before has shown. */
function watch(response: Response) {
  const seen = { text: "", hasEnded: false };
  void (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) seen.text += chunk;
  })()
    .catch(() => undefined)
    .finally(() => (seen.hasEnded = true));
  return seen;
}

const until = (condition: () => boolean, timeout = 20_000) => vi.waitUntil(condition, { interval: 5, timeout });

const opening: Readonly<
  Record<string, (threadId: string) => readonly [path: string, body: unknown, begins: string, method: string]>
> = {
  "GET /threads/:id/events": (id) => [`/threads/${id}/events`, undefined, '"type":"snapshot"', "GET"],
  "POST /events": (id) => ["/events", { threads: { [id]: {} } }, '"type":"snapshot"', "POST"],
  "POST /ag-ui/:agent": (id) => [
    "/ag-ui/wait",
    { threadId: id, runId: "r1", messages: [], tools: [], context: [] },
    "RUN_STARTED",
    "POST",
  ],
};

/**
 * What was open when the lifecycle happened, and went on: it shows what the thread's next owner, or
 * whoever still has the rights, writes from then on. `patience`: milliseconds until a stream that
 * nobody asks again counts as one that goes on.
 */
async function streamFaults(lifecycle: Lifecycle, patience: number): Promise<readonly string[]> {
  const world = await createWorld();
  const { threadId } = lifecycle;
  const streams = await Promise.all(
    Object.entries(opening).map(async ([name, open]) => {
      const [path, body, begins, method] = open(threadId);
      const seen = watch(await world.send(method, path, body, "edith"));
      await until(() => seen.text.includes(begins));
      return [name, seen] as const;
    }),
  );
  const isOver = ({ text, hasEnded }: ReturnType<typeof watch>) => hasEnded || text.includes('"type":"problem"');
  await lifecycle.happens(world);
  // The name is another owner's from now on.
  world.says.revoked = true;
  await world.server.revoke({ threadId: THREAD });
  await until(() => streams.every(([, seen]) => isOver(seen)), patience).catch(() => false);
  if (lifecycle.is !== "nothing")
    await world.send("POST", `/threads/${threadId}/operations`, addCard("later", LATER), "root");
  else if ((await world.log.info(threadId)) !== undefined) {
    const orphan = await openThread({ definition: board, log: world.log, threadId });
    await orphan.dispatch(addCard("later", LATER), { actor: { kind: "user", id: "root" } });
    await orphan.close();
  }
  const control = watch(await world.send("GET", "/threads/other/events", undefined, "root"));
  await until(() => control.text.includes("snapshot"));
  return streams.flatMap(([name, seen]) => {
    if (seen.text.includes(LATER)) return [`${name}: shows what was written later`];
    return isOver(seen) ? [] : [`${name}: goes on`];
  });
}

/** The routes that the server really has. */
async function routesOfRouter(): Promise<readonly string[]> {
  routers.length = 0;
  const server = createServer({ definitions: [board], log: memoryLog(), authorize: () => null });
  onTestFinished(() => server.close());
  const all = routers.flatMap((router) => router.routes).filter(({ method }) => method !== "ALL");
  return [...new Set(all.map(({ method, path }) => `${method} ${path}`))];
}

describe("the table of rights", () => {
  it("has every route of the router, and no other", async () => {
    expect((await routesOfRouter()).toSorted()).toEqual(Object.keys(rightsTable).toSorted());
  });
});

describe.each(Object.entries(lifecycles))("when the thread %s", (_when, lifecycle) => {
  it.each(Object.entries(identities))("%s gets from every route what the table says, and no secret", async (_, who) => {
    expect(await faultsOf(who, lifecycle)).toEqual([]);
  });
});

const ends = Object.entries(lifecycles).filter(([when]) => when !== "is there");

describe("what was open before", () => {
  it.each(ends)("shows nothing of later when the thread %s", async (_when, lifecycle) => {
    expect(await streamFaults(lifecycle, 20_000)).toEqual([]);
  });
});

describe("a leak that is planted again is found", () => {
  it("streams that go on after `revoke`", async () => {
    planted.streamsGoOn = true;
    const faults = await streamFaults(lifecycles["was removed from them"]!, 500);
    expect(faults.map((fault) => fault.split(": ")[0])).toEqual(Object.keys(opening));
    expect(faults.join()).toContain("shows what was written later");
  });

  it("the next owner of a name reads the branches of the one before", async () => {
    planted.anyParent = true;
    const lifecycle = lifecycles["is a branch of one that was created again under its name"]!;
    const faults = await faultsOf(identities["a reader"]!, lifecycle);
    expect(faults).toContain("GET /threads/:id: the secret is in the answer");
    expect(faults).toContain("GET /threads/:id/events: the secret is in the answer");
    expect(faults.filter((fault) => fault.includes("the secret")).length).toBeGreaterThan(3);
  });
});
