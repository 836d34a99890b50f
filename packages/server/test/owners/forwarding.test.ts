// Writes go to the owner of their thread, in one hop, signed: on real servers and a real Postgres.

import { afterAll, describe, expect, it } from "vitest";
import { createServer } from "../../src/index.ts";
import { memoryLog } from "@opstate/core";
import { SIGNED_HEADERS } from "../../src/owners/signature.ts";
import { addCard, board } from "../support/board.ts";
import { cluster, type Cluster, posted, SECRET, type TestNode } from "../support/nodes/nodes.ts";
import { startPostgres } from "../support/postgres.ts";
import { ada, asUser, authorize, createBoard, send } from "../support/server.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

const card = (cardId: string) => ({ type: "addCard", columnId: "todo", cardId, title: cardId });
const bob = asUser("bob", "read", "write");

/** Two nodes, and a thread that `owner` owns. */
async function twoNodes(): Promise<{ nodes: Cluster; owner: TestNode; other: TestNode }> {
  const nodes = cluster(postgres?.config);
  const [owner, other] = [await nodes.start(), await nodes.start()];
  await createBoard(owner.url);
  await nodes.give("launch", owner);
  return { nodes, owner, other };
}

const cardsOf = async ({ url }: TestNode) => {
  const { body } = await send(`${url}/threads/launch`, "GET");
  return body.state.columns[0].cards.map(({ cardId }: { cardId: string }) => cardId);
};

describe.skipIf(!postgres)("writes to a thread that another node owns", () => {
  it("are judged by its owner, and answered as if they had been sent there", async () => {
    const { nodes, owner, other } = await twoNodes();
    const epoch = (await nodes.owner("launch"))?.epoch;
    const accepted = await send(`${other.url}/threads/launch/operations`, "POST", { operation: card("a"), id: "1" });
    expect(accepted).toMatchObject({ status: 200, body: { accepted: true, version: 1 } });
    expect(owner.forwarded).toHaveLength(1);
    const refused = await send(`${other.url}/threads/launch/operations`, "POST", {
      operation: { ...card("b"), columnId: "none" },
      id: "2",
    });
    const directly = await send(`${owner.url}/threads/launch/operations`, "POST", {
      operation: { ...card("b"), columnId: "none" },
      id: "2",
    });
    expect(refused).toMatchObject({ status: 422, body: { accepted: false, code: "refused" } });
    expect(refused).toEqual(directly);
    expect(await nodes.owner("launch")).toMatchObject({ address: owner.url, epoch });
    expect(other.forwarded).toHaveLength(0);
    expect([...owner.errors, ...other.errors]).toEqual([]);
  });

  it("have one effect for one id, through whichever node they come", async () => {
    const { owner, other } = await twoNodes();
    const post = (node: TestNode) =>
      send(`${node.url}/threads/launch/operations`, "POST", { operation: card("a"), id: "same" });
    const answers = await Promise.all([post(owner), post(other), post(other), post(owner)]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await cardsOf(owner)).toEqual(["a"]);
  });

  it("that wait together share a request, and keep their order", async () => {
    const { owner, other } = await twoNodes();
    const list = Array.from({ length: 40 }, (_, index) => ({ operation: card(`c${index}`), id: `${index}` }));
    const { body } = await send(`${other.url}/threads/launch/operations`, "POST", list);
    expect(body.map(({ version }: { version: number }) => version)).toEqual(list.map((_, index) => index + 1));
    expect(owner.forwarded).toHaveLength(1);
    const joint = list.map(({ operation }, index) => ({ thread: "launch", operation, id: `joint ${index}` }));
    const answer = await send(`${other.url}/operations`, "POST", joint);
    expect(answer.body.map(({ version }: { version: number }) => version)).toEqual(list.map((_, index) => index + 41));
  });

  it("may be an undo, a proposal, its decision, or a merge", async () => {
    const { owner, other } = await twoNodes();
    const at = `${other.url}/threads/launch`;
    await send(`${at}/operations`, "POST", { operation: card("a"), id: "a", runId: "run" }, bob);
    const undone = await send(`${at}/undo`, "POST", { target: { runId: "run" }, id: "undo" });
    expect(undone).toMatchObject({ status: 200, body: { accepted: true, version: 2 } });
    await send(`${at}/proposals`, "POST", { operation: card("b"), id: "proposed" }, bob);
    const approved = await send(`${at}/proposals/proposed/approve`, "POST", { id: "yes" });
    expect(approved).toMatchObject({ status: 200, body: { accepted: true, version: 4 } });
    await send(`${at}/proposals`, "POST", { operation: card("c"), id: "second" }, bob);
    expect((await send(`${at}/proposals/second/decline`, "POST", { reason: "no" })).body).toMatchObject({
      accepted: true,
    });
    const { body: branch } = await send(`${at}/branches`, "POST", { name: "plan" });
    await send(`${other.url}/threads/${encodeURIComponent(branch.threadId)}/operations`, "POST", card("d"));
    const merged = await send(`${at}/branches/${encodeURIComponent(branch.threadId)}/merge`, "POST", {});
    expect(merged.body).toMatchObject([{ verdict: { accepted: true, version: 7 } }]);
    expect(await cardsOf(owner)).toEqual(["b", "d"]);
    const calls = owner.forwarded.flatMap(({ body }) =>
      JSON.parse(body).calls.map(({ call }: { call: string }) => call),
    );
    expect(new Set(calls)).toEqual(new Set(["submit", "undo", "propose", "approve", "decline", "merge"]));
    // What was merged again, by another node, is what was merged.
    expect(
      (await send(`${owner.url}/threads/launch/branches/${encodeURIComponent(branch.threadId)}/merge`, "POST", {}))
        .body,
    ).toEqual(merged.body);
  });

  it("have the rights that the node decided which called the application", async () => {
    const { owner, other } = await twoNodes();
    await send(`${owner.url}/threads/launch/operations`, "POST", { operation: card("a"), id: "a" });
    // Bob may not take back what Ada did, nor approve, wherever the thread is written.
    const undone = await send(`${other.url}/threads/launch/undo`, "POST", { target: { ids: ["a"] } }, bob);
    expect(undone).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(owner.forwarded.map(({ body }) => JSON.parse(body).calls[0].rights)).toEqual([[]]);
    expect(
      (await send(`${other.url}/threads/launch/operations`, "POST", card("b"), asUser("eve", "read"))).status,
    ).toBe(403);
    expect((await send(`${other.url}/threads/launch/operations`, "POST", card("b"), {})).status).toBe(401);
    expect(owner.forwarded).toHaveLength(1);
    expect(JSON.parse(owner.forwarded[0]?.body ?? "").calls[0].actor).toEqual({ kind: "user", id: "bob" });
  });

  it("of an agent or a job in this process go there too, and are shown here when they resolve", async () => {
    const { owner, other } = await twoNodes();
    const thread = await other.server.thread("launch", board);
    const robot = { kind: "agent", id: "robot" };
    for (const id of ["a", "b", "c"]) {
      const verdict = await thread.dispatch(addCard(id), { actor: robot, id });
      expect(verdict).toMatchObject({ accepted: true, version: thread.version });
    }
    expect(owner.forwarded).toHaveLength(3);
    expect(thread.getState().columns[0]?.cards.map(({ cardId }) => cardId)).toEqual(["a", "b", "c"]);
    // What is no JSON is refused in the same words as ever.
    const refused = await thread.submit({ type: "addCard", columnId: () => 1 }, { actor: robot });
    expect(refused).toMatchObject({ accepted: false, rejection: { code: "invalid_operation" } });
    await thread.close();
  });

  it("follow their thread to a new owner, with the same ids", async () => {
    const { nodes, owner, other } = await twoNodes();
    for (let round = 0; round < 10; round += 1) {
      const [from, to] = round % 2 === 0 ? [owner, other] : [other, owner];
      const posts = Array.from({ length: 20 }, (_, index) =>
        send(`${(index % 2 === 0 ? from : to).url}/threads/launch/operations`, "POST", {
          operation: card(`${round}-${index}`),
          id: `${round}-${index}`,
        }),
      );
      await nodes.give("launch", to);
      for (const { status, body } of await Promise.all(posts)) expect([status, body.accepted]).toEqual([200, true]);
    }
    const cards = await cardsOf(owner);
    expect(cards).toHaveLength(200);
    expect(new Set(cards).size).toBe(200);
    expect([...owner.errors, ...other.errors]).toEqual([]);
  });

  it("end at the first node: one that owns the thread no more does not send them on", async () => {
    const { nodes, owner, other } = await twoNodes();
    await send(`${other.url}/threads/launch/operations`, "POST", card("a"));
    const third = await nodes.start();
    await nodes.give("launch", third);
    const [passing] = owner.forwarded;
    if (passing === undefined) throw new Error("a request");
    await send(`${other.url}/threads/launch/operations`, "POST", card("b"));
    expect(third.forwarded).toHaveLength(1);
    // The old owner was asked, and answered itself that it is not.
    const [, second] = owner.forwarded;
    expect(second && (await owner.again(second)).status).toBe(403);
    expect(other.forwarded).toHaveLength(0);
    expect(third.forwarded.map(({ request }) => request.headers.get(SIGNED_HEADERS.from))).toEqual([
      passing.request.headers.get(SIGNED_HEADERS.from),
    ]);
  });

  it("go to the owner's next life after it could not be reached", async () => {
    const { owner, other } = await twoNodes();
    let failures = 0;
    // It takes the request, and its answer is lost; then it is away for a moment.
    owner.front = async (passing) => {
      failures += 1;
      if (failures > 3) return undefined;
      if (failures === 1) await owner.server.fetch(posted(passing));
      return new Response("no", { status: 502 });
    };
    const answer = await send(`${other.url}/threads/launch/operations`, "POST", { operation: card("a"), id: "1" });
    expect(answer).toMatchObject({ status: 200, body: { accepted: true, version: 1 } });
    expect(await cardsOf(owner)).toEqual(["a"]);
  });

  it("fail with an error when the owner stays away, and may be sent again", async () => {
    const nodes = cluster(postgres?.config);
    const [owner, other] = [await nodes.start({ lease: 60_000 }), await nodes.start({ lease: 100 })];
    await createBoard(owner.url);
    await nodes.give("launch", owner);
    owner.front = async () => new Response("no", { status: 502 });
    const post = () => send(`${other.url}/threads/launch/operations`, "POST", { operation: card("a"), id: "1" });
    expect(await post()).toMatchObject({ status: 503, body: { code: "log_unavailable" } });
    owner.front = undefined;
    expect(await post()).toMatchObject({ status: 200, body: { version: 1 } });
  });
});

describe.skipIf(!postgres)("what another node forwards", () => {
  /** A request that was signed and has not arrived yet. */
  async function underWay() {
    const { nodes, owner, other } = await twoNodes();
    owner.front = async () => new Response("no", { status: 502 });
    const answered = send(`${other.url}/threads/launch/operations`, "POST", { operation: card("a"), id: "1" }, bob);
    await expect.poll(() => owner.forwarded.length, { timeout: 60_000 }).toBeGreaterThan(0);
    const [passing] = owner.forwarded;
    if (passing === undefined) throw new Error("a request");
    const finish = async () => {
      owner.front = undefined;
      await answered;
    };
    return { nodes, owner, other, passing, finish };
  }

  const code = async (response: Response) => ((await response.json()) as { code?: string }).code;

  it("is accepted once", async () => {
    const { owner, passing, finish } = await underWay();
    const taken = await owner.again(passing);
    expect(taken.status).toBe(200);
    expect(await taken.json()).toMatchObject([{ result: { accepted: true, version: 1 } }]);
    expect(await code(await owner.again(passing))).toBe("node_refused");
    await finish();
    expect(await cardsOf(owner)).toEqual(["a"]);
  });

  it("is refused when any part of it is another", async () => {
    const { owner, passing, finish } = await underWay();
    const body = JSON.parse(passing.body);
    const [call] = body.calls;
    const altered: Readonly<Record<string, Parameters<TestNode["again"]>[1]>> = {
      thread: { path: "/nodes/threads/other" },
      query: { path: "/nodes/threads/launch?a=1" },
      actor: { body: JSON.stringify({ ...body, calls: [{ ...call, actor: { kind: "user", id: "ada" } }] }) },
      rights: { body: JSON.stringify({ ...body, calls: [{ ...call, rights: ["undo", "approve"] }] }) },
      update: { body: JSON.stringify({ ...body, calls: [{ ...call, about: card("evil") }] }) },
      id: { body: JSON.stringify({ ...body, calls: [{ ...call, options: { ...call.options, id: "2" } }] }) },
      incarnation: { body: JSON.stringify({ ...body, incarnation: "other" }) },
      "one call more": { body: JSON.stringify({ ...body, calls: [call, call] }) },
      "a byte": { body: `${passing.body} ` },
      target: { headers: { [SIGNED_HEADERS.target]: "other" } },
      sender: { headers: { [SIGNED_HEADERS.from]: "other" } },
      epoch: { headers: { [SIGNED_HEADERS.epoch]: "2000" } },
      time: { headers: { [SIGNED_HEADERS.time]: `${Number(passing.request.headers.get(SIGNED_HEADERS.time)) + 1}` } },
      nonce: { headers: { [SIGNED_HEADERS.nonce]: "other" } },
      digest: { headers: { [SIGNED_HEADERS.digest]: "0".repeat(64) } },
      signature: { headers: { [SIGNED_HEADERS.signature]: "0".repeat(64) } },
    };
    for (const [what, changed] of Object.entries(altered)) {
      const response = await owner.again(passing, changed);
      expect([what, response.status, await code(response)]).toEqual([what, 403, "node_refused"]);
    }
    expect(await cardsOf(owner)).toEqual([]);
    await finish();
  });

  it("is refused by another node than the one that it was signed for", async () => {
    const { nodes, owner, other, passing, finish } = await underWay();
    const third = await nodes.start();
    // The sender tries again all the time, and finds nobody meanwhile.
    third.front = owner.front;
    await nodes.give("launch", third);
    for (const node of [other, third]) expect(await code(await node.again(passing))).toBe("wrong_node");
    expect(await cardsOf(owner)).toEqual([]);
    third.front = undefined;
    await finish();
  });

  it("is refused in another epoch than its own, also when the node owns the thread again", async () => {
    const { nodes, owner, passing, finish } = await underWay();
    const third = await nodes.start();
    third.front = owner.front;
    await nodes.give("launch", third);
    await nodes.give("launch", owner);
    const response = await owner.again(passing);
    expect([response.status, await code(response)]).toEqual([409, "not_owner"]);
    expect(await cardsOf(owner)).toEqual([]);
    await finish();
    expect(await cardsOf(owner)).toEqual(["a"]);
  });

  it("is all that its route accepts: no credentials, no unsigned call, and nothing large is read for a stranger", async () => {
    const { owner } = await twoNodes();
    const calls = { incarnation: "x", calls: [] };
    for (const headers of [ada, {}, { [SIGNED_HEADERS.target]: "x" }])
      expect(await send(`${owner.url}/nodes/threads/launch`, "POST", calls, headers)).toMatchObject({
        status: 403,
        body: { code: "node_refused" },
      });
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(64 * 1024));
        if (pulled > 1_000) controller.close();
      },
    });
    const request = new Request(`${owner.url}/nodes/threads/launch`, {
      method: "POST",
      body,
      duplex: "half",
    } as RequestInit);
    expect((await owner.server.fetch(request)).status).toBe(403);
    expect(pulled).toBeLessThan(10);
  });

  it("is accepted under two secrets while one is exchanged, and under a foreign one never", async () => {
    const nodes = cluster(postgres?.config);
    const next = "the next secret, which is also long enough";
    const owner = await nodes.start({ secrets: [SECRET, next] });
    const [old, renewed, foreign] = [
      await nodes.start(),
      await nodes.start({ secrets: [next, SECRET] }),
      await nodes.start({ secrets: ["a secret that is of no server of this log"] }),
    ];
    await createBoard(owner.url);
    await nodes.give("launch", owner);
    for (const [index, node] of [old, renewed].entries()) {
      const answer = await send(`${node.url}/threads/launch/operations`, "POST", card(`${index}`));
      expect(answer).toMatchObject({ status: 200, body: { version: index + 1 } });
    }
    const refused = await send(`${foreign.url}/threads/launch/operations`, "POST", card("x"));
    expect(refused).toMatchObject({ status: 503, body: { code: "log_unavailable" } });
    expect(String(foreign.errors.at(-1))).toContain("node.secrets");
    expect(await cardsOf(owner)).toEqual(["0", "1"]);
  });
});

describe("a server of several", () => {
  const node = { address: "http://10.0.0.5:4310", secrets: [SECRET] };
  const create = (given: object, log: object = { ...memoryLog(), ownership: {} }) =>
    createServer({
      definitions: [board],
      log: log as ReturnType<typeof memoryLog>,
      authorize,
      node: { ...node, ...given },
    });

  it("says which of its options are none", () => {
    for (const address of ["10.0.0.5:4310", "ftp://a", "http://user:pass@a", "http://a?b", "http://a#b", ""])
      expect(() => create({ address })).toThrow("`node.address`");
    for (const secrets of [[], ["short"], [SECRET, "short"], [SECRET, SECRET, SECRET]])
      expect(() => create({ secrets })).toThrow("`node.secrets`");
    for (const lease of [0, 99, 60_001, Number.NaN]) expect(() => create({ lease })).toThrow("`node.lease`");
    expect(() => create({}, memoryLog())).toThrow("postgresLog");
  });
});
