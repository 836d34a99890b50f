// The connection over HTTP: what it asks for, what it tries again, and when.

import { createClient, type ServerOptions } from "@opstate/client";
import type { Submission } from "@opstate/core/transport";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Answer,
  fakeServer,
  hello,
  type OpenStream,
  problem,
  snapshot,
  stream,
  welcome,
} from "../../fake-server.ts";
import { ada, add, bob, tally, turns, until } from "../../tally.ts";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.useRealTimers();
});

/** A client, and a server that gives a stream for each thread that is asked for. */
function bench(options: Partial<ServerOptions> = {}, answer: Answer = () => Response.json({})) {
  const streams: OpenStream[] = [];
  const server = fakeServer((request) => {
    if (request.path !== "/events") return answer(request);
    const opened = stream(request.init.signal);
    streams.push(opened);
    opened.send(hello, ...Object.keys(request.body.threads).flatMap((id) => [welcome(id), snapshot(id)]));
    return opened.response;
  });
  const client = createClient({ url: "", fetch: server.fetch, ...options });
  ends.push(() => client.close());
  const follow = (id: string) => {
    const thread = client.thread(tally, id);
    const end = thread.subscribe(() => undefined);
    return { thread, end };
  };
  const paths = () => server.requests.map(({ method, path }) => `${method} ${path}`);
  return { ...server, client, streams, follow, paths };
}

const isOnline = (thread: { readonly sync: { getState(): { readonly status: string } } }) => () =>
  thread.sync.getState().status === "online";

describe("one connection", () => {
  it("is opened by nothing but a thread that is watched or edited", async () => {
    const { client, requests } = bench();
    const thread = client.thread(tally, "a");
    thread.getState();
    thread.can(add(1));
    thread.history.getState();
    await Promise.resolve();
    expect(requests).toEqual([]);
  });

  it("carries all threads that are followed in one turn, and others by changes", async () => {
    const { follow, requests, paths } = bench({}, () => new Response(null, { status: 204 }));
    const threads = ["a", "b", "c"].map((id) => follow(id));
    await until("all are online", () => threads.every(({ thread }) => isOnline(thread)()));
    expect(paths()).toEqual(["POST /events"]);
    expect(requests[0]?.body).toEqual({ threads: { a: {}, b: {}, c: {} } });
    follow("d");
    threads[0]?.end();
    const changes = () => requests.filter(({ path }) => path === "/events/s-1").map(({ body }) => body);
    await until("the change", () => changes().some(({ unfollow }) => unfollow.includes("a")));
    expect(changes().flatMap(({ follow: added }) => Object.entries(added))).toEqual([["d", {}]]);
  });

  it("ends with its last thread", async () => {
    const { follow, requests } = bench();
    const { thread, end } = follow("a");
    await until("it is online", isOnline(thread));
    end();
    await until("the end", () => requests[0]?.init.signal?.aborted === true);
    expect(requests).toHaveLength(1);
    follow("b");
    await until("the next one", () => requests.length === 2);
  });

  it("begins again with all threads when its stream is unknown", async () => {
    const { follow, paths, requests, streams } = bench({}, ({ path }) =>
      path.startsWith("/events/") ? problem(404, "unknown_stream") : Response.json([]),
    );
    const { thread: a } = follow("a");
    await until("it is online", isOnline(a));
    const { thread: b } = follow("b");
    await until("both are online", () => isOnline(a)() && isOnline(b)());
    expect(streams).toHaveLength(2);
    expect(paths()).toEqual(["POST /events", "POST /events/s-1", "POST /events"]);
    expect(requests[2]?.body.threads).toEqual({ a: { after: 0, incarnation: "i" }, b: {} });
  });

  it("is not online while the request waits for a free connection", async () => {
    let opened: OpenStream | undefined;
    const server = fakeServer(() => {
      opened = stream();
      return opened.response;
    });
    const client = createClient({ url: "", fetch: server.fetch });
    ends.push(() => client.close());
    const thread = client.thread(tally, "a");
    const verdict = thread.dispatch(add(1));
    await until("the response", () => opened !== undefined);
    await turns(10);
    expect(thread.sync.getState().status).toBe("connecting");
    expect(server.requests).toHaveLength(1);
    opened?.send(hello, welcome("a"), snapshot("a"));
    await until("it is online", isOnline(thread));
    await until("the submission", () => server.requests.length === 2);
    void verdict.catch(() => undefined);
  });

  it("gives commits that arrive together as one message", async () => {
    const { follow, streams } = bench();
    const { thread } = follow("a");
    await until("it is online", isOnline(thread));
    const counts: number[] = [];
    thread.subscribe(({ count }) => counts.push(count));
    const commit = (version: number) => ({
      thread: "a",
      type: "commits",
      commits: [
        {
          version,
          id: `n${version}`,
          actor: { kind: "user", id: "bob" },
          at: "2026-01-01T00:00:00.000Z",
          operation: add(1),
          patches: [{ op: "replace", path: "/count", value: version }],
          inverse: [],
          definitionVersion: 1,
        },
      ],
    });
    streams[0]?.send(...Array.from({ length: 40 }, (_, index) => commit(index + 1)));
    await until("the last commit", () => thread.getState().count === 40);
    expect(counts).toEqual([40]);
  });
});

describe("credentials", () => {
  it("are sent with every request, and cookies as it is said", async () => {
    const { follow, requests } = bench({ headers: { authorization: "me" }, credentials: "include" }, ({ body }) =>
      Response.json(body.map(() => ({ accepted: true, version: 0 }))),
    );
    const { thread } = follow("a");
    await until("it is online", isOnline(thread));
    await thread.dispatch(add(1));
    expect(requests).toHaveLength(2);
    for (const { init, headers } of requests)
      expect([init.credentials, headers["authorization"]]).toEqual(["include", "me"]);
  });

  it("are requested once by all requests that are refused together, which are then sent again", async () => {
    let asked = 0;
    let authorization = "";
    const server = fakeServer(({ headers, path, init }) => {
      if (headers["authorization"] !== "new") return problem(401, "unauthenticated");
      if (path !== "/events") return Response.json([]);
      const opened = stream(init.signal);
      opened.send(hello, welcome("a"), snapshot("a"));
      return opened.response;
    });
    const client = createClient({
      url: "",
      fetch: server.fetch,
      headers: { authorization: "old" },
      async onUnauthenticated(error) {
        expect(error).toMatchObject({ status: 401, message: "This is unauthenticated." });
        asked += 1;
        authorization = "new";
        return { authorization };
      },
    });
    ends.push(() => client.close());
    const thread = client.thread(tally, "a");
    thread.subscribe(() => undefined);
    expect(await Promise.all([thread.history.read(), thread.branches.list()])).toEqual([[], []]);
    await until("it is online", isOnline(thread));
    expect(asked).toBe(1);
  });

  it("that no one has are reported as unauthenticated to every thread, and one retry brings all back", async () => {
    let isSignedIn = false;
    const server = fakeServer(({ path, body, init }) => {
      if (!isSignedIn) return problem(401, "unauthenticated");
      if (path !== "/events") return Response.json([{ accepted: true, version: 0 }]);
      const opened = stream(init.signal);
      opened.send(hello, ...Object.keys(body.threads).flatMap((id) => [welcome(id), snapshot(id)]));
      return opened.response;
    });
    const signedOut = createClient({ url: "", fetch: server.fetch, onUnauthenticated: () => undefined });
    ends.push(() => signedOut.close());
    const [a, b] = [signedOut.thread(tally, "a"), signedOut.thread(tally, "b")];
    for (const thread of [a, b]) thread.subscribe(() => undefined);
    await expect(a.ready()).rejects.toMatchObject({ name: "RequestError", status: 401 });
    expect([a.sync.getState().status, b.sync.getState().status]).toEqual(["unauthenticated", "unauthenticated"]);
    expect(server.requests).toHaveLength(1);
    isSignedIn = true;
    void a.dispatch(add(1));
    await until("both are online", () => isOnline(a)() && isOnline(b)());
  });
});

describe("what is tried again", () => {
  it.each([
    ["a stream that ended, after the time that it said", "retry: 5000\n\n", 0],
    ["a server that is busy, after the time of its answer", undefined, 503],
    ["a server that failed, after the time of its answer", undefined, 500],
    ["a server that forbids it for a time", undefined, 403],
  ])("is %s", async (_, retry, status) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const server = fakeServer(({ init }) => {
      if (status > 0) return problem(status, "closing", { "retry-after": "5" });
      const opened = stream(init.signal);
      opened.text(retry ?? "");
      opened.send(hello);
      opened.end();
      return opened.response;
    });
    const client = createClient({ url: "", fetch: server.fetch });
    ends.push(() => client.close());
    const thread = client.thread(tally, "a");
    thread.subscribe(() => undefined);
    for (let turn = 0; turn < 50; turn++) await vi.advanceTimersByTimeAsync(0);
    await vi.waitFor(() => expect(thread.sync.getState().status).toBe("offline"));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(server.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it("is not what a retry would not change", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const server = fakeServer(() => problem(403, "forbidden"));
    const refused = createClient({ url: "", fetch: server.fetch });
    ends.push(() => refused.close());
    const thread = refused.thread(tally, "a");
    thread.subscribe(() => undefined);
    await vi.waitFor(() => expect(thread.sync.getState().status).toBe("forbidden"));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(server.requests).toHaveLength(1);
    expect(thread.sync.getState().error).toMatchObject({ code: "forbidden" });
  });
});

describe("an edit that the server says to send later", () => {
  it.each([429, 423, 403])("is kept, and sent again then (%i)", async (status) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let refusals = 1;
    const { follow, requests } = bench({}, ({ body }) =>
      refusals-- > 0
        ? problem(status, "later", { "retry-after": "5" })
        : Response.json((body as readonly Submission[]).map(() => ({ accepted: true, version: 1 }))),
    );
    const { thread } = follow("a");
    await vi.waitFor(() => expect(isOnline(thread)()).toBe(true));
    const sent = () => requests.filter(({ path }) => path === "/operations");
    const verdict = thread.dispatch(add(1));
    await vi.waitFor(() => expect(thread.sync.getState().status).toBe("offline"));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sent()).toHaveLength(1);
    expect(thread.getState().count).toBe(1);
    await vi.advanceTimersByTimeAsync(1_500);
    await expect(verdict).resolves.toMatchObject({ accepted: true });
    expect(sent()).toHaveLength(2);
  });
});

describe("a call that fails", () => {
  it("rejects for its caller, is in the state, and is no unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    const client = createClient({ url: "", fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
    ends.push(() => client.close());
    const thread = client.thread(tally, "a");
    void thread.undo({ ids: ["x"] });
    void thread.proposals.approve("p");
    void thread.history.stateAt(1);
    void thread.branches.list();
    await expect(thread.undo({ ids: ["x"] })).rejects.toThrow("Failed to fetch");
    await thread.history.older();
    await thread.proposals.refresh();
    for (const part of [thread.undo, thread.history, thread.proposals])
      expect(part.getState()).toMatchObject({ error: { message: "Failed to fetch" } });
    await turns(10);
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });
});

describe("a host without body streams", () => {
  it("is served by polling from the first response without a body on", async () => {
    let version = 0;
    let arrive = () => {};
    const news = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const server = fakeServer(async ({ body, init }) => {
      if (body.wait === undefined) return Object.defineProperty(Response.json([]), "body", { value: null });
      if (body.threads.a.after === version) {
        await new Promise((resolve, reject) => {
          init.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
          void news.then(resolve);
        });
        version = 1;
      }
      return Response.json([
        hello,
        welcome("a"),
        ...(body.threads.a.after === version ? [] : [snapshot("a", version, version)]),
      ]);
    });
    const client = createClient({ url: "", fetch: server.fetch });
    ends.push(() => client.close());
    const thread = client.thread(tally, "a");
    thread.subscribe(() => undefined);
    await until("it is online", isOnline(thread));
    arrive();
    await until("news", () => thread.getState().count === 1);
    expect(server.requests.map(({ body }) => body.wait).slice(0, 3)).toEqual([undefined, 0, 25]);
    expect(server.requests[2]?.body.threads).toEqual({ a: { after: 0, incarnation: "i" } });
    expect(thread.sync.getState().actor).toEqual(ada);
  });
});

describe("another actor who is connected", () => {
  it("between two polls sends nothing of what waits", async () => {
    let person = ada;
    const answers: (() => void)[] = [];
    const server = fakeServer(async ({ path, body, init }) => {
      const { signal } = init;
      if (path === "/operations" || body.wait !== 0)
        await new Promise<void>((resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
          answers.push(resolve);
        });
      if (path === "/operations")
        return Response.json(body.map((_: unknown, index: number) => ({ accepted: true, version: index })));
      const news = body.wait === 0 ? [snapshot("a")] : [];
      return Response.json([{ ...hello, actor: person }, { ...welcome("a"), actor: person }, ...news]);
    });
    const client = createClient({ url: "", fetch: server.fetch, polling: true });
    ends.push(() => client.close());
    const thread = client.thread(tally, "a");
    thread.subscribe(() => undefined);
    await until("the poll that waits", () => answers.length === 1);
    void thread.dispatch(add(1));
    await until("the first edit is sent", () => answers.length === 2);
    const second = thread.dispatch(add(2));
    person = bob;
    answers.shift()?.();
    expect(await second).toMatchObject({ accepted: false, rejection: { reason: "other_actor" } });
    for (const answer of answers.splice(0)) answer();
    await until("it is online", isOnline(thread));
    const third = thread.dispatch(add(3));
    const sent = () => server.requests.filter(({ path }) => path === "/operations");
    await until("the next edit is sent", () => sent().length === 2);
    for (const answer of answers.splice(0)) answer();
    expect(await third).toMatchObject({ accepted: true });
    expect(sent().map(({ as, body }) => [as, body.map(({ operation }: Submission) => operation)])).toEqual([
      [ada, [add(1)]],
      [bob, [add(3)]],
    ]);
  });
});
