// "Mount the server": the apps as printed, on a free port, called as programs and pages call them;
// and the functions of the Next route, called.

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server as HttpServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReplica, type AnyDefinition, type Log } from "@opstate/core";
import type { Server } from "@opstate/server";
import { httpTransport } from "@opstate/server/client";
import { sign } from "hono/jwt";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../../tools/free-port.ts";
import { writeGuide } from "../support/guide.ts";
import { typeErrors } from "../support/types.ts";

interface User {
  readonly id: string;
  readonly boards: readonly string[];
}
/** One of the guide's apps. */
interface Host {
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** What a request of a user carries. */
  as(user: User): Promise<Record<string, string>>;
  /** Credentials that are made up. */
  readonly forged: Record<string, string>;
}
interface Listening {
  readonly server: Server;
  readonly log: Log;
  readonly listening: HttpServer;
}

const secret = "of the test";
const ada: User = { id: "ada", boards: ["launch"] };
const eve: User = { id: "eve", boards: ["other"] };
const json = { "content-type": "application/json" };
const addCard = (name: string) => ({ type: "addCard", title: `Card ${name}` });

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const folder = writeGuide("mount-the-server", { ports: { 3000: port } });
const { board }: { board: AnyDefinition } = await import(join(folder, "board-server.ts"));
const { sessions }: { sessions: Map<string, User> } = await import(join(folder, "sessions.ts"));

const asBearer = async ({ id, boards }: User) => ({
  authorization: `Bearer ${await sign({ sub: id, boards }, secret, "HS256")}`,
});
const bySession = {
  async as(user: User) {
    sessions.set(`session of ${user.id}`, user);
    return { cookie: `theme=dark; session=session of ${user.id}` };
  },
  forged: { cookie: "session=session of nobody" },
};

/** The apps keep their log in the present folder. */
const start = process.cwd();
const data = mkdtempSync(join(tmpdir(), "opstate-mounted-"));
beforeAll(() => {
  process.chdir(data);
  vi.stubEnv("JWT_SECRET", secret);
});
afterAll(() => {
  process.chdir(start);
  vi.unstubAllEnvs();
  rmSync(data, { recursive: true, force: true });
});

function program(file: string): { app: () => Listening } {
  let app: Listening;
  beforeAll(async () => {
    app = await import(join(folder, file));
    if (!app.listening.listening) await once(app.listening, "listening");
  });
  afterAll(async () => {
    const closed = once(app.listening, "close");
    app.listening.close();
    await app.server.close();
    await app.log.close();
    app.listening.closeAllConnections();
    await closed;
    rmSync(join(data, "data"), { recursive: true });
  });
  return { app: () => app };
}

/** Reads a stream until it says so. */
async function until(response: Response, text: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes(text)) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) throw new Error(`The stream ended without "${text}": ${seen}`);
    seen += chunk.value;
  }
  return seen;
}

/** What every host must do. */
function behaves({ ask, as, forged }: Host): void {
  const send = (path: string, headers: Record<string, string>, body?: unknown, method = "POST") =>
    ask(`/opstate/threads/launch${path}`, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const history = async () => {
    const response = await ask("/opstate/threads/launch/history", { headers: await as(ada) });
    const entries: readonly { commit: { actor: unknown; operation: unknown } }[] = await response.json();
    return entries.map(({ commit }) => commit);
  };

  it("refuses who is not known, and what is not granted", async () => {
    for (const headers of [{}, forged]) {
      expect((await send("", headers, { definition: "board" }, "PUT")).status).toBe(401);
      expect((await send("/operations", headers, addCard("T-0"))).status).toBe(401);
      expect((await ask("/opstate/threads/launch/events", { headers })).status).toBe(401);
    }
    expect((await send("", await as(eve), { definition: "board" }, "PUT")).status).toBe(403);
    expect((await send("", await as(ada), { definition: "board" }, "PUT")).status).toBe(201);
    expect((await send("/operations", await as(eve), addCard("T-0"))).status).toBe(403);
    expect((await ask("/opstate/threads/launch", { method: "DELETE", headers: await as(ada) })).status).toBe(403);
    expect(
      (await send("/operations", { ...(await as(ada)), origin: "https://elsewhere.example" }, addCard("T-0"))).status,
    ).toBe(403);
    expect(await history()).toEqual([]);
  });

  it("writes in the name of the user, whatever a body or a header says", async () => {
    const headers = await as(ada);
    const actor = { kind: "user", id: "eve" };
    expect((await send("/operations", headers, { operation: addCard("T-1"), actor })).status).toBe(400);
    expect((await send("/operations", headers, { ...addCard("T-1"), actor })).status).toBe(400);
    expect((await send("/operations", { ...headers, "x-user": "eve" }, addCard("T-1"))).status).toBe(200);
    expect(await history()).toMatchObject([{ actor: { kind: "user", id: "ada" }, operation: addCard("T-1") }]);
  });

  it("streams what happens, as it happens", async () => {
    const headers = await as(ada);
    const events = await ask("/opstate/threads/launch/events?after=1", { headers });
    expect(events.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const seen = until(events, '"Card T-2"');
    expect((await send("/operations", headers, addCard("T-2"))).status).toBe(200);
    expect(await seen).toMatch(/event: welcome\ndata: .*"ada"[\s\S]*id: 2\nevent: commits\n/);
  });
}

/** What those must do that listen. */
function listens(app: () => Listening, as: Host["as"]): void {
  it("lets a stream end when its client leaves", async () => {
    const { server } = app();
    const { fetch: answer } = server;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    vi.spyOn(server, "fetch").mockImplementationOnce(async (request) => whoLeaves(await answer(request), leave));
    onTestFinished(() => void vi.restoreAllMocks());
    const leaving = new AbortController();
    const events = await fetch(`${origin}/opstate/threads/launch/events`, {
      headers: await as(ada),
      signal: leaving.signal,
    });
    await until(events, "event: snapshot");
    leaving.abort();
    await left;
  });

  it("serves a page's replica", async () => {
    const transport = httpTransport({ url: `${origin}/opstate`, threadId: "launch", headers: () => as(ada) });
    const replica = createReplica({ definition: board, transport });
    onTestFinished(() => replica.close());
    await replica.ready();
    expect(await replica.dispatch(addCard("T-3"))).toMatchObject({ accepted: true, version: 3 });
  });

  it("leaves the app's other paths alone", async () => {
    expect(await (await fetch(origin)).text()).toBe("My app");
  });
}

/** The same answer, which says when it is not read any more. */
function whoLeaves(response: Response, onLeft: () => void): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    async cancel(reason) {
      onLeft();
      await reader?.cancel(reason);
    },
  });
  return new Response(body, response);
}

describe("Hono", () => {
  const { app } = program("hono.ts");
  behaves({
    ask: (path, init) => fetch(origin + path, init),
    as: asBearer,
    forged: { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
  });
  listens(app, asBearer);
});

describe("Express", () => {
  const { app } = program("express.ts");
  behaves({ ask: (path, init) => fetch(origin + path, init), ...bySession });
  listens(app, bySession.as);
});

describe("the Next route", () => {
  type Handle = (request: Request) => Promise<Response>;
  let route: Readonly<Record<string, Handle>>;
  beforeAll(async () => {
    route = await import(join(folder, "app/opstate/[...path]/route.ts"));
  });
  afterAll(() => (globalThis as { boardServer?: Server }).boardServer?.close());
  const ask: Host["ask"] = async (path, init = {}) => {
    const handle = route[init.method ?? "GET"];
    if (handle === undefined) throw new Error(`The route exports no ${init.method}.`);
    return handle(new Request(`https://app.example${path}`, init));
  };
  behaves({ ask, ...bySession });

  it("keeps one server when the module is loaded again", async () => {
    vi.resetModules();
    const again: typeof route = await import(join(folder, "app/opstate/[...path]/route.ts"));
    const response = await again["GET"]?.(
      new Request("https://app.example/opstate/threads/launch", { headers: { cookie: "session=session of ada" } }),
    );
    expect(await response?.json()).toMatchObject({ version: 2 });
  });
});

describe("the code", () => {
  it("is right to the compiler", () => {
    // Express comes without types: @types/express are its readers' choice. This is what the guide
    // uses of it.
    const express = `
      import type { IncomingMessage, Server, ServerResponse } from "node:http";
      interface Outgoing extends ServerResponse { locals: Record<string, any>; send(body: string): void }
      type Handler = (incoming: IncomingMessage, outgoing: Outgoing, next: () => void) => unknown;
      interface Express {
        use(handler: Handler): void;
        all(path: string, handler: Handler): void;
        get(path: string, handler: Handler): void;
        listen(port: number, hostname: string): Server;
      }
      declare const express: { (): Express; json(): Handler };
      export default express;`;
    writeFileSync(join(folder, "express-types.d.ts"), `declare module "express" {${express}}`);
    expect(typeErrors(folder)).toBe("");
  });
});
