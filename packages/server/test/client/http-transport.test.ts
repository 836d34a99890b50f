// The HTTP transport keeps the transport contract, over a real server and a bad network.

import { type Commit, createReplica, memoryLog, type Replica, type Verdict } from "@opstate/core";
import { transportContract } from "@opstate/core/testing";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { httpTransport, type HttpTransportOptions } from "../../src/client/index.ts";
import { createServer } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { badNetwork } from "../support/proxy.ts";
import { ada, authorize, createBoard, send, start } from "../support/server.ts";

const credentials = ({ kind, id }: { kind: string; id: string }) => ({ authorization: `${kind} ${id} read,write` });

describe("the transport contract", () => {
  const cases = transportContract({
    async open(definition) {
      const server = createServer({ definitions: [definition], log: memoryLog(), authorize });
      const { url } = await server.listen();
      await send(`${url}/threads/t`, "PUT", { definition: definition.name });
      const network = await badNetwork(url);
      return {
        transport: (actor) => httpTransport({ url: network.url, threadId: "t", headers: credentials(actor) }),
        interrupt: async () => network.cut(),
        async replace() {
          await send(`${url}/threads/t`, "DELETE");
          await send(`${url}/threads/t`, "PUT", { definition: definition.name });
        },
        async dispose() {
          network.close();
          await server.close();
        },
      };
    },
  });
  it.each(cases)("$name", ({ run }) => run());
});

function isStream(input: Parameters<typeof fetch>[0]): boolean {
  return new Request(input).url.endsWith("/events");
}

function boardReplica(url: string, options: Partial<HttpTransportOptions> = {}): Replica<typeof board> {
  const replica = createReplica({
    definition: board,
    transport: httpTransport({ url, threadId: "launch", headers: ada, ...options }),
  });
  onTestFinished(() => replica.close());
  return replica;
}

function when(replica: Replica<typeof board>, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      for (const end of ends) end();
      resolve();
    };
    const ends = [replica.subscribe(look), replica.sync.subscribe(look)];
    look();
  });
}

async function network(target: string) {
  const bad = await badNetwork(target);
  onTestFinished(() => bad.close());
  return bad;
}

describe("a replica over HTTP", () => {
  it("starts again when its thread was deleted and created again, at whatever versions", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const replica = boardReplica(url);
    for (const id of ["a", "b", "c"]) await replica.dispatch(addCard(id));
    await when(replica, () => replica.sync.getState().version === 3);
    await send(thread, "DELETE");
    await createBoard(url);
    await send(`${thread}/operations`, "POST", addCard("new"));
    const verdict = replica.dispatch(addCard("mine"));
    await when(replica, () => replica.sync.getState().version === 2);
    expect(await verdict).toMatchObject({ accepted: true, version: 2 });
    const ids = () => replica.getState().columns[0]?.cards.map(({ cardId }) => cardId);
    expect(ids()).toEqual(["new", "mine"]);
    for (const id of ["d", "e", "f"]) await send(`${thread}/operations`, "POST", addCard(id));
    await when(replica, () => replica.sync.getState().version === 5);
    expect(ids()).toEqual(["new", "mine", "d", "e", "f"]);
  });

  it("shows an edit at once, gets its verdict when it is durable, and another replica shows it", async () => {
    const { url } = await start();
    await createBoard(url);
    const [mine, other] = [boardReplica(url), boardReplica(url, { headers: { authorization: "user bob read" } })];
    await Promise.all([mine.ready(), other.ready()]);
    const verdict = mine.dispatch(addCard("c1"));
    expect(mine.getState().columns[0]?.cards).toEqual([{ cardId: "c1", title: "Card c1" }]);
    expect(await verdict).toMatchObject({ accepted: true, version: 1, commit: { actor: { kind: "user", id: "ada" } } });
    await when(other, () => other.sync.getState().version === 1);
    expect(other.getState()).toEqual(mine.getState());
  });

  it("gets a rejection when it may not write", async () => {
    const { url } = await start();
    await createBoard(url);
    const reader = boardReplica(url, { headers: { authorization: "user bob read" } });
    await reader.ready();
    expect(await reader.dispatch(addCard("c1"))).toMatchObject({
      accepted: false,
      rejection: { code: "forbidden", reason: "not_allowed" },
    });
    expect(reader.getState()).toEqual(board.initial);
  });

  it("gets a rejection for one edit that is too large, and the others of its list are accepted", async () => {
    const { url } = await start({ limits: { operations: 20_000 } });
    await createBoard(url);
    const replica = boardReplica(url);
    await replica.ready();
    const edits = [
      addCard("c1"),
      addCard("c2"),
      board.op.annotate({ cardId: "c1", note: "x".repeat(30_000) }),
      addCard("c3"),
    ];
    const verdicts = await Promise.all(edits.map((edit) => replica.dispatch(edit)));
    expect(verdicts.map((verdict) => (verdict.accepted ? verdict.version : verdict.rejection.code))).toEqual([
      1,
      2,
      "too_large",
      3,
    ]);
    await when(replica, () => replica.sync.getState().pending.length === 0);
  });

  it("sends many edits in few requests, in order", async () => {
    const { url } = await start();
    await createBoard(url);
    let posts = 0;
    const replica = boardReplica(url, {
      fetch: (input, init) => {
        if (init?.method === "POST") posts += 1;
        return fetch(input, init);
      },
    });
    await replica.ready();
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, (_, index) => replica.dispatch(addCard(`c${index}`))),
    );
    expect(verdicts.map(({ version }) => version)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(posts).toBeLessThanOrEqual(5);
  });

  it("calls the headers function for every request", async () => {
    const { url } = await start();
    await createBoard(url);
    let asked = 0;
    const replica = boardReplica(url, {
      headers: async () => {
        asked += 1;
        return { authorization: asked === 1 ? "expired" : ada.authorization };
      },
    });
    await replica.ready();
    expect(await replica.dispatch(addCard("c1"))).toMatchObject({ accepted: true });
    expect(asked).toBeGreaterThanOrEqual(3);
  });
});

describe("when the server refuses the connection", () => {
  /** How often the stream was requested. */
  const counted = () => {
    const asked = { streams: 0 };
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (isStream(input)) asked.streams += 1;
      return globalThis.fetch(input, init);
    };
    return { asked, fetch };
  };

  it.each([
    [401, "unauthenticated", "launch", { authorization: "" }],
    [403, "forbidden", "secret", ada],
    [404, "not_found", "nowhere", ada],
  ] as const)(
    "%i is reported as %s, by status and by ready(), and is not requested again",
    async (code, status, threadId, headers) => {
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const { url } = await start();
      await createBoard(url);
      const { asked, fetch } = counted();
      const replica = boardReplica(url, { threadId, headers, fetch });
      await expect(replica.ready()).rejects.toMatchObject({ name: "RequestError", status: code });
      expect(replica.sync.getState()).toMatchObject({
        status,
        ready: false,
        error: { status: code, message: expect.any(String) },
      });
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(asked.streams).toBe(1);
    },
  );

  it("a headers function is called once more for a fresh token, and then not again", async () => {
    const { url } = await start();
    await createBoard(url);
    const { asked, fetch } = counted();
    const replica = boardReplica(url, { headers: () => ({ authorization: "" }), fetch });
    await expect(replica.ready()).rejects.toMatchObject({ status: 401 });
    expect(asked.streams).toBe(2);
  });

  it("a dispatch connects again, and pending edits are sent once the server accepts the connection", async () => {
    const { url } = await start();
    await createBoard(url);
    let authorization = "";
    const { asked, fetch } = counted();
    const replica = boardReplica(url, { headers: async () => ({ authorization }), fetch });
    await expect(replica.ready()).rejects.toMatchObject({ status: 401 });
    const first = replica.dispatch(addCard("waits"));
    await when(replica, () => asked.streams > 2 && replica.sync.getState().status === "unauthenticated");
    ({ authorization } = ada);
    const second = replica.dispatch(addCard("sent"));
    expect(await Promise.all([first, second])).toMatchObject([{ accepted: true }, { accepted: true }]);
    await when(replica, () => replica.sync.getState().pending.length === 0);
    expect(replica.sync.getState()).toMatchObject({ status: "online", ready: true });
    expect(replica.sync.getState()).not.toHaveProperty("error");
    await replica.ready();
  });

  it("a refusal in the middle of a session has its own status, and the edit stays pending", async () => {
    const { url } = await start();
    await createBoard(url);
    let authorization = ada.authorization;
    const replica = boardReplica(url, { headers: () => ({ authorization }) });
    await replica.ready();
    await when(replica, () => replica.sync.getState().status === "online");
    authorization = "";
    const verdict = replica.dispatch(addCard("kept"));
    await when(replica, () => replica.sync.getState().status === "unauthenticated");
    expect(replica.sync.getState()).toMatchObject({ ready: true, pending: [{}], error: { status: 401 } });
    expect(replica.getState().columns[0]?.cards).toHaveLength(1);
    ({ authorization } = ada);
    expect(await replica.dispatch(addCard("next"))).toMatchObject({ accepted: true });
    expect(await verdict).toMatchObject({ accepted: true });
  });
});

describe("when the network breaks", () => {
  it("edits made offline are queued and delivered once, in order, when it is back", async () => {
    const { url } = await start();
    await createBoard(url);
    const bad = await network(url);
    const replica = boardReplica(bad.url);
    await replica.ready();
    await when(replica, () => replica.sync.getState().status === "online");
    bad.target = "";
    bad.cut();
    await when(replica, () => replica.sync.getState().status === "offline");
    const verdicts = ["c1", "c2", "c3"].map((id) => replica.dispatch(addCard(id)));
    expect(replica.getState().columns[0]?.cardCount).toBe(3);
    expect(replica.sync.getState().pending).toHaveLength(3);
    await send(`${url}/threads/launch/operations`, "POST", addCard("theirs"));
    bad.target = url;
    expect((await Promise.all(verdicts)).map(({ version }) => version)).toEqual([2, 3, 4]);
    expect(replica.getState().columns[0]?.cards.map(({ cardId }) => cardId)).toEqual(["theirs", "c1", "c2", "c3"]);
  });

  it("an edit whose response was lost is sent again and has one effect", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    let lost = 0;
    const replica = boardReplica(url, {
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (isStream(input) || lost >= 2) return response;
        lost += 1;
        await response.arrayBuffer();
        throw new TypeError("network error");
      },
    });
    await replica.ready();
    expect(await replica.dispatch(addCard("c1"))).toMatchObject({ accepted: true, version: 1 });
    expect((await send(thread, "GET")).body).toMatchObject({ version: 1, state: { columns: [{ cardCount: 1 }, {}] } });
    // The verdict came from the response to the resend, or from the stream. No resend had another
    // effect.
    expect(lost).toBeGreaterThanOrEqual(1);
  });

  it("a server that answers 5xx counts as offline: no edit is rejected or lost", async () => {
    const { url } = await start();
    await createBoard(url);
    let failures = 2;
    const replica = boardReplica(url, {
      fetch: (input, init) =>
        !isStream(input) && (failures -= 1) >= 0
          ? Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 }))
          : fetch(input, init),
    });
    await replica.ready();
    expect(await replica.dispatch(addCard("c1"))).toMatchObject({ accepted: true, version: 1 });
    expect(failures).toBeLessThan(1);
  });

  it("it resumes from its version, without a snapshot, on one stream at a time", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const bad = await network(url);
    const streams: { readonly after?: number; readonly incarnation?: string }[] = [];
    let open = 0;
    let most = 0;
    const replica = boardReplica(bad.url, {
      async fetch(input, init) {
        if (!isStream(input)) return fetch(input, init);
        streams.push(JSON.parse(init?.body as string).threads.launch);
        most = Math.max(most, (open += 1));
        const left = () => (open -= 1);
        const response = await fetch(input, init).catch((error: unknown) => {
          left();
          throw error;
        });
        const [counted, given] = response.body?.tee() ?? [];
        void (async () => {
          const reader = counted?.getReader();
          while (!(await reader?.read().catch(() => ({ done: true })))?.done);
          left();
        })();
        return new Response(given ?? null, response);
      },
    });
    const commits: Commit[] = [];
    replica.onCommit((commit) => commits.push(commit));
    await replica.ready();
    for (let round = 1; round <= 3; round += 1) {
      await when(replica, () => replica.sync.getState().status === "online");
      bad.cut();
      await when(replica, () => replica.sync.getState().status !== "online");
      await send(`${thread}/operations`, "POST", addCard(`c${round}`));
      await when(replica, () => replica.sync.getState().version === round);
    }
    expect(commits.map(({ version }) => version)).toEqual([1, 2, 3]);
    const { incarnation } = streams[1] ?? {};
    expect(streams).toEqual([{}, ...[0, 1, 2].map((after) => ({ after, incarnation }))]);
    expect(most).toBe(1);
  });

  it("many edits on a network that breaks again and again arrive, each once", async () => {
    const { url } = await start();
    const thread = await createBoard(url);
    const bad = await network(url);
    const replica = boardReplica(bad.url);
    await replica.ready();
    const verdicts: Promise<Verdict>[] = [];
    for (let index = 0; index < 120; index += 1) {
      verdicts.push(replica.dispatch(addCard(`c${index}`)));
      if (index % 30 === 29) {
        bad.cut();
        await when(replica, () => replica.sync.getState().status !== "online");
      }
    }
    const versions = (await Promise.all(verdicts)).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    const { body } = await send(thread, "GET");
    expect(body.state.columns[0].cards.map(({ cardId }: { cardId: string }) => cardId)).toEqual(
      Array.from({ length: 120 }, (_, index) => `c${index}`),
    );
  });

  it("a stream that breaks in the middle of an event delivers nothing of it, and resumes", async () => {
    const event = (message: object) => `data: ${JSON.stringify({ thread: "a b", ...message })}\n\n`;
    const frame = (version: number) => event({ type: "commits", commits: [{ version }] });
    const start = event({ type: "hello", stream: "s" }) + event({ type: "welcome", incarnation: "one" });
    const asked: unknown[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      asked.push(JSON.parse((await request.toArray()).join("")));
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (asked.length === 1)
        response.write(start + frame(4) + frame(5) + frame(6).slice(0, -3), () => response.destroy());
      else response.write(start + frame(6));
    };
    const http = createHttpServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      http.close();
      http.closeAllConnections();
    });
    const versions = await new Promise<number[]>((resolve) => {
      const seen: number[] = [];
      const connection = httpTransport({
        url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
        threadId: "a b",
      }).connect({
        after: 3,
        onStatus: () => {},
        onMessage(message) {
          if (message.type === "commits") seen.push(...message.commits.map(({ version }) => version));
          if (seen.at(-1) === 6) resolve(seen);
        },
      });
      onTestFinished(() => connection.close());
    });
    expect(versions).toEqual([4, 5, 6]);
    expect(asked).toEqual([
      { threads: { "a b": { after: 3 } } },
      { threads: { "a b": { after: 5, incarnation: "one" } } },
    ]);
  });
});
