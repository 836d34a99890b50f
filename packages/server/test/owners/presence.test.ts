// Who is here, on several servers of one log: on real servers and a real Postgres.

import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../src/index.ts";
import { SharedPresence } from "../../src/owners/shared-presence.ts";
import { follow, type JointReader, type Message, openJoint } from "../support/joint.ts";
import { cluster, SECRET, type TestNode } from "../support/nodes/nodes.ts";
import { startPostgres } from "../support/postgres.ts";
import { ada, asUser, createBoard, send } from "../support/server.ts";

const postgres = startPostgres();
afterAll(() => postgres?.stop());

const bob = asUser("bob", "read", "write");
const cleo = asUser("cleo", "read", "write");
const PRESENCE = "/nodes/presence";

const nameOf = ({ actor }: Message): string => actor.id;

/** Resolves when these are here, and nobody else, as the reader is told. */
const sees = (reader: JointReader, ...names: readonly string[]) =>
  reader.find(
    ({ type, participants }) =>
      type === "presence" && JSON.stringify(participants.map(nameOf).toSorted()) === JSON.stringify(names.toSorted()),
  );

const show = ({ url }: TestNode, { stream }: JointReader, value: object | null, headers = ada) =>
  send(`${url}/presence`, "POST", { stream, threads: { launch: value } }, headers);

async function reader(node: TestNode, headers = ada): Promise<JointReader> {
  const opened = await openJoint(node.url, follow(["launch"]), headers);
  await opened.of("snapshot", "launch");
  return opened;
}

async function twoNodes({ lease = 1_000 } = {}) {
  const nodes = cluster(postgres?.config);
  const start = () => nodes.start({ lease });
  const [one, two] = [await start(), await start()];
  await createBoard(one.url);
  return { nodes, start, one, two };
}

describe.skipIf(!postgres)("who is here at another server", () => {
  it("is seen, with what they work on, until they go", async () => {
    const { one, two } = await twoNodes();
    const [mine, theirs] = [await reader(one), await reader(two, bob)];
    await show(one, mine, { focus: "/columns/0" });
    const { participants } = await sees(theirs, "ada");
    expect(participants).toEqual([{ session: mine.session, actor: { kind: "user", id: "ada" }, focus: "/columns/0" }]);
    await show(two, theirs, { typing: true }, bob);
    await sees(mine, "ada", "bob");
    await show(one, mine, { focus: "/columns/1" });
    await theirs.find(
      ({ type, participants: all = [] }) => type === "presence" && focusOf(all, "ada") === "/columns/1",
    );
    await show(one, mine, null);
    await sees(theirs, "bob");
    theirs.close();
    await sees(mine);
  });

  it("is told to a server that comes later, and to a thread that is opened later", async () => {
    const { start, one, two } = await twoNodes();
    const mine = await reader(one);
    await show(one, mine, { focus: "/columns/0" });
    await sees(mine, "ada");
    // Nobody has read the thread there.
    await vi.waitUntil(() => two.told.length > 0, { timeout: 60_000 });
    await sees(await reader(two, bob), "ada");
    const three = await start();
    await sees(await reader(three, cleo), "ada");
  });

  it("is gone when that server is gone", async () => {
    const { one, two } = await twoNodes({ lease: 500 });
    const [mine, theirs] = [await reader(one), await reader(two, bob)];
    await show(one, mine, { focus: "/columns/0" });
    await show(two, theirs, {}, bob);
    await sees(theirs, "ada", "bob");
    // What it says from now on does not come: as one that was killed.
    two.presenceFront = async () => new Response(null, { status: 503 });
    await one.server.close();
    await sees(theirs, "bob");
  });

  it("is told again when it could not be told", async () => {
    const { one, two } = await twoNodes();
    const [mine, theirs] = [await reader(one), await reader(two, bob)];
    let lost = 0;
    two.presenceFront = async () => {
      if (lost === 2) return undefined;
      lost += 1;
      return new Response(null, { status: 503 });
    };
    await show(one, mine, { focus: "/columns/0" });
    await sees(theirs, "ada");
    expect(lost).toBe(2);
  });

  it("is not on a thread that was created again under the name", async () => {
    const { one, two } = await twoNodes();
    const [mine, theirs] = [await reader(one), await reader(two, bob)];
    await show(one, mine, { focus: "/columns/0" });
    await sees(theirs, "ada");
    await send(`${two.url}/threads/launch`, "DELETE");
    await createBoard(two.url);
    const later = await reader(two, cleo);
    await show(two, later, {}, cleo);
    await sees(later, "cleo");
  });

  it("is told in one post for many changes", async () => {
    const { one, two } = await twoNodes();
    const [mine, theirs] = [await reader(one), await reader(two, bob)];
    await show(one, mine, { data: 0 });
    await sees(theirs, "ada");
    const before = two.told.length;
    await Promise.all(Array.from({ length: 100 }, (_, n) => show(one, mine, { data: n + 1 })));
    await show(one, mine, { data: "last" });
    await theirs.find(({ type, participants = [] }) => type === "presence" && participants[0]?.data === "last");
    expect(two.told.length - before).toBeLessThan(50);
  });

  it("is not taken from anybody but a server of the log", async () => {
    const { one } = await twoNodes();
    const body = { threads: [["anything", [{ session: "p", actor: { kind: "user", id: "eve" } }]]] };
    expect(await send(`${one.url}${PRESENCE}`, "POST", body)).toMatchObject({
      status: 403,
      body: { code: "node_refused" },
    });
  });
});

describe("two servers that tell each other", () => {
  it("know who is there when one of them was gone for the other, and came back", async () => {
    const [a, b] = await twoThatTell();
    a.here("ada");
    b.here("bob");
    await expect.poll(() => [a.sees(), b.sees()]).toEqual([["bob"], ["ada"]]);
    // Its lease was over for the other one. It saw the other all the time.
    b.look([]);
    expect(b.sees()).toEqual([]);
    b.here();
    b.look([a]);
    await expect.poll(() => [a.sees(), b.sees()]).toEqual([[], ["ada"]]);
  });

  it("are not misled by what comes late", async () => {
    const [a, b] = await twoThatTell();
    a.here("ada");
    await expect.poll(() => b.sees()).toEqual(["ada"]);
    const old = b.posts.at(-1);
    a.here();
    await expect.poll(() => b.sees()).toEqual([]);
    expect(b.shared.receive("a", old)).toBe(true);
    expect(b.sees()).toEqual([]);
  });

  it("refuse what is no such post", async () => {
    const [a] = await twoThatTell();
    for (const body of [null, 7, {}, { threads: [] }, { number: 1, first: 1, threads: [] }])
      expect(a.shared.receive("b", body)).toBe(false);
    for (const threads of [{}, [7], [["i"]], [["i", 7]], [["i", [7]]]])
      expect(a.shared.receive("b", { number: 1, first: false, threads })).toBe(false);
  });
});

interface Telling {
  readonly id: string;
  readonly url: string;
  readonly shared: SharedPresence;
  /** What the other one posted. */
  readonly posts: unknown[];
  look(others: readonly Telling[]): void;
  /** These are here, and nobody else. */
  here(...names: readonly string[]): void;
  /** Those at the other server. */
  sees(): readonly string[];
}

/** Two that serve one thread, and see each other. */
async function twoThatTell(): Promise<readonly [Telling, Telling]> {
  const [a, b] = [await telling("a"), await telling("b")];
  a.look([b]);
  b.look([a]);
  return [a, b];
}

async function telling(id: string): Promise<Telling> {
  const posts: unknown[] = [];
  const peer = await listen(async (request) => {
    const body: unknown = await request.json();
    posts.push(body);
    shared.receive(id === "a" ? "b" : "a", body);
    return new Response(null, { status: 204 });
  });
  onTestFinished(() => peer.close());
  const owners = {
    id,
    now: () => Date.now(),
    others: [] as { id: string; address: string; isDraining: boolean; left: number }[],
  };
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const shared = new SharedPresence({ owners, secrets: [SECRET], closing: closing.signal });
  let own: readonly object[] = [];
  let changed = (): void => {};
  const seen = new Map<string, readonly object[]>();
  const presence = {
    get own() {
      return own;
    },
    onOwn: (onOwn: () => void) => void (changed = onOwn),
    showOf: (node: string, participants: readonly object[]) => void seen.set(node, participants),
  };
  shared.serve({ incarnation: "i", onClose: () => () => undefined }, presence);
  return {
    id,
    url: peer.url,
    shared,
    posts,
    look(others) {
      owners.others = others.map((other) => ({ id: other.id, address: other.url, isDraining: false, left: 1_000 }));
      shared.look();
    },
    here(...names) {
      own = names.map((name) => ({ name }));
      changed();
    },
    sees: () => [...seen.values()].flat().map((participant) => (participant as { name: string }).name),
  };
}

describe.skipIf(!postgres)("a stream of many threads", () => {
  it("is spoken to through any server", async () => {
    const { one, two } = await twoNodes();
    await createBoard(one.url, "second");
    const [mine, theirs] = [await reader(one), await reader(one, bob)];
    expect((await show(two, mine, { focus: "/columns/0" })).status).toBe(204);
    await sees(theirs, "ada");
    const changed = await send(`${two.url}/events/${mine.stream}`, "POST", { follow: { second: {} } });
    expect(changed.status).toBe(204);
    await mine.of("snapshot", "second");
  });

  it("is its reader's through every one of them, and unknown where there is none", async () => {
    const { one, two } = await twoNodes();
    const mine = await reader(one);
    for (const node of [one, two]) {
      expect(await show(node, mine, {}, bob)).toMatchObject({ status: 404, body: { code: "unknown_stream" } });
      expect(await send(`${node.url}/events/${mine.stream}`, "POST", {}, bob)).toMatchObject({ status: 404 });
    }
    const gone = { stream: "s-gone", threads: {} };
    expect(await send(`${two.url}/presence`, "POST", gone)).toMatchObject({ body: { code: "unknown_stream" } });
    // A problem of one thread comes back as it is.
    const elsewhere = { stream: mine.stream, threads: { other: { typing: true } } };
    expect(await send(`${two.url}/presence`, "POST", elsewhere)).toMatchObject({
      status: 200,
      body: { problems: { other: { code: "not_followed" } } },
    });
  });
});

function focusOf(participants: readonly Message[], name: string): unknown {
  return participants.find((participant) => nameOf(participant) === name)?.["focus"];
}
