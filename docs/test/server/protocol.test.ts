// "The protocol": the page and a server, in both directions. What the server has is in the page,
// and what the page says is what the server answers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CarrierMessage } from "@opstate/client/carriers";
import { memoryLog } from "@opstate/core";
import { createServer } from "@opstate/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { REJECTION_PROBLEMS, REQUEST_PROBLEMS } from "../../../packages/server/src/http/problem.ts";
import { addCard, board } from "../../../packages/server/test/support/board.ts";
import { rightsTable } from "../../../packages/server/test/support/rights/rights-table.ts";
import { agents } from "../../../packages/server/test/support/rights/routes.ts";
import { membersFault, pageRows, type Shape, shapeOf } from "../support/protocol-page.ts";

const page = readFileSync(join(import.meta.dirname, "../../protocol.md"), "utf8");
const routes = pageRows(page, "Routes").map(([route = "", right = "", answer = ""]) => ({ route, right, answer }));
const events = new Map(pageRows(page, "Events").map(([name = "", data = ""]) => [name, shapeOf(data)]));

const json = { "content-type": "application/json" };
const ADMIN = ["read", "write", "undo", "approve", "admin"];

/** A server with a thread, a branch, proposals and a run to name in a request. */
async function createWorld() {
  const server = createServer({
    definitions: [board],
    log: memoryLog(),
    agents,
    authorize(request) {
      const [id = "", ...rights] = (request.headers.get("authorization") ?? "").split(" ");
      const has = rights.length > 0 ? rights : ADMIN;
      return id === "" ? null : { actor: { kind: "user", id }, allows: (_, right) => has.includes(right) };
    },
  });
  onTestFinished(() => server.close());
  const send = (method: string, path: string, body?: unknown, who = "ada") =>
    server.fetch(
      new Request(`http://x${path}`, {
        method,
        headers: { ...json, authorization: who },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  await send("PUT", "/threads/t", { definition: "board" });
  await send("POST", "/threads/t/operations", { id: "planted", operation: addCard("planted") });
  await send("POST", "/threads/t/operations", { type: "rename", cardId: "none", title: "" });
  await send("POST", "/threads/t/branches", { name: "b" });
  await send("POST", "/threads/t~b/operations", addCard("on-branch"));
  for (const id of ["to-approve", "to-decline", "open"])
    await send("POST", "/threads/t/proposals", { id, operation: addCard(id) }, "bob");
  return { server, send };
}

type World = Awaited<ReturnType<typeof createWorld>>;

type Message = Readonly<Record<string, unknown>>;

/** Reads a stream as far as is wanted. */
function readStream(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const messages = () => [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = ""]) => JSON.parse(data) as Message);
  return {
    /** All messages up to the one that is meant. */
    async until(isMeant: (message: Message) => boolean): Promise<readonly Message[]> {
      while (!messages().some(isMeant)) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) throw new Error(`The stream ended too early:\n${text}`);
        text += chunk.value;
      }
      return messages();
    },
    leave: () => reader?.cancel(),
  };
}

const typed = (type: string) => (message: Message) => message["type"] === type;

async function messagesUntil(response: Response, type: string): Promise<readonly Message[]> {
  const stream = readStream(response);
  const messages = await stream.until(typed(type));
  await stream.leave();
  return messages;
}

async function openMany({ send }: World, threads: object) {
  const events = readStream(await send("POST", "/events", { threads }));
  const [hello] = await events.until(typed("hello"));
  return { events, stream: hello?.["stream"] as string };
}

function namedFor(route: string) {
  const proposal = route.endsWith("/approve") ? "to-approve" : route.endsWith("/decline") ? "to-decline" : "open";
  return { threadId: "t", branchId: "t~b", proposal, stream: "s-none" };
}

const VERDICT: Shape = shapeOf("{ accepted, version, commit?, rejection?, attempt? }");

/** What is wrong with an answer, by the page's words for it. */
async function answerFault(response: Response, answer: string): Promise<string | undefined> {
  const statuses = [...answer.matchAll(/\b([2345]\d\d)\b/g)].map(([status]) => Number(status));
  if (!statuses.includes(response.status)) return `answered ${response.status}, not ${statuses.join(" or ")}`;
  if (response.status === 204) return undefined;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (isStream !== /^\d+ events\b/.test(answer)) return `is ${isStream ? "a" : "no"} stream`;
  if (isStream) return void (await response.body?.cancel());
  const body: unknown = await response.json();
  if (/^\d+ (verdict|list of verdicts)/.test(answer))
    return [body]
      .flat()
      .map((one) => membersFault(one, VERDICT))
      .find(Boolean);
  const [, list = "", shape = "{ }"] = /^\d+ (list of )?`(\{.*?\})`/.exec(answer) ?? [];
  if (list === "") return body === null && answer.includes("null") ? undefined : membersFault(body, shapeOf(shape));
  if (!Array.isArray(body) || body.length === 0) return "is no list with items";
  return body.map((item) => membersFault(item, shapeOf(shape))).find(Boolean);
}

describe("the routes", () => {
  // `rights/lifecycles.test.ts` holds this table against the router.
  it("are those of the server, and no others", () =>
    expect(routes.map(({ route }) => route).toSorted()).toEqual(Object.keys(rightsTable).toSorted()));

  it("need the rights that the page says", () => {
    for (const { route, right } of routes) {
      const { needs, mayNeed = [] } = rightsTable[route]!;
      const named = ADMIN.filter((one) => new RegExp(`\\b${one}\\b`).test(right.replace("none, no", "")));
      expect(named, route).toEqual(expect.arrayContaining([...needs]));
      expect([...needs, ...mayNeed], route).toEqual(
        expect.arrayContaining(named.filter((one) => one !== "write" || !route.endsWith("/decline"))),
      );
    }
  });

  it("answer with the status and the members that the page names", async () => {
    const { send } = await createWorld();
    const faults: string[] = [];
    for (const [route, { path, body }] of Object.entries(rightsTable)) {
      const [method = ""] = route.split(" ");
      const named = namedFor(route);
      const response = await send(method, path(named), body?.(named));
      // What names a stream that is not there is shown below.
      if (route === "POST /events/:stream" || route === "POST /presence") continue;
      const { answer = "" } = routes.find((one) => one.route === route) ?? {};
      const fault = route === "POST /events" ? undefined : await answerFault(response, answer);
      if (fault !== undefined) faults.push(`${route} ${fault}`);
    }
    expect(faults).toEqual([]);
  });
});

describe("the events", () => {
  /** The compiler refuses it when a message is missing here, or is none. */
  const MESSAGES: { readonly [Type in CarrierMessage["type"]]: boolean } = {
    welcome: true,
    snapshot: true,
    commits: true,
    refusal: true,
    presence: true,
    rights: true,
    // In process only: over HTTP a verdict is the answer to its request.
    verdict: false,
  };

  it("are those that the server sends", () => {
    const sent = Object.entries(MESSAGES).flatMap(([type, isSent]) => (isSent ? [type] : []));
    expect([...events.keys()].toSorted()).toEqual([...sent, "hello", "problem"].toSorted());
  });

  /** Every event, from a server: of one thread, of many, live and as a list. */
  async function allMessages(world: World) {
    const { send } = world;
    const one = send("GET", "/threads/t/events", undefined, "rita read");
    const resumed = send("GET", "/threads/t/events?after=0", undefined, "rita read");
    const { events, stream } = await openMany(world, { t: { after: 99 } });
    const followed = await send("POST", `/events/${stream}`, { follow: { "t~b": {}, missing: {} } });
    const shown = await send("POST", "/presence", {
      stream,
      tab: "one",
      threads: { t: { focus: "/columns/0", typing: true, data: { at: 1 } }, missing: null, "t~b": { typing: true } },
    });
    expect([followed.status, shown.status]).toEqual([204, 204]);
    const notFollowed = await send("POST", "/presence", { stream, threads: { other: { typing: true } } });
    expect(membersFault(await notFollowed.json(), shapeOf("{ problems }"))).toBeUndefined();
    // Who is shown who is here is caught up, and gets refusals from then on.
    await events.until((message) => message["type"] === "presence" && message["thread"] === "t");
    await send("POST", "/threads/t/operations", { type: "rename", cardId: "none", title: "" });
    const live = await events.until(typed("refusal"));
    await events.leave();
    const polled = await send(
      "POST",
      "/events",
      { threads: { t: { after: 0, readOnly: false } }, wait: 0 },
      "rita read",
    );
    const renewed = await send("POST", "/events", { threads: { t: { readOnly: true } }, wait: 0 });
    return [
      ...(await messagesUntil(await one, "snapshot")),
      ...(await messagesUntil(await resumed, "commits")),
      ...live,
      ...((await polled.json()) as Message[]),
      ...((await renewed.json()) as Message[]),
    ];
  }

  it("have the members that the page names", async () => {
    const messages = await allMessages(await createWorld());
    const faults = messages.map((message) => {
      const { type } = message as { readonly type: string };
      const fault = membersFault(message, events.get(type) ?? shapeOf("{ }"));
      return fault && `${type} ${fault}`;
    });
    expect(faults.filter(Boolean)).toEqual([]);
    const seen = new Set(messages.map(({ type }) => type));
    // Rights that change while a stream is open: `rights/read-only.test.ts` of the server.
    expect([...events.keys()].filter((type) => !seen.has(type) && type !== "rights")).toEqual([]);
  });

  it("hold participants with the members that the page names", async () => {
    const messages = await allMessages(await createWorld());
    const participants = messages.flatMap((message) =>
      message["type"] === "presence" ? (message["participants"] as readonly object[]) : [],
    );
    expect(participants.length).toBeGreaterThan(0);
    const shape = shapeOf("{ session, actor, focus?, typing?, data? }");
    expect(page).toContain("`{ session, actor, focus?, typing?, data? }`");
    expect(participants.map((one) => membersFault(one, shape)).filter(Boolean)).toEqual([]);
  });
});

describe("commits, refusals and rejections", () => {
  const [commit, refusal] = ["commit", "refusal"].map((word) => {
    const [, about = ""] = pageRows(page, "Words").find(([name]) => name === word) ?? [];
    return shapeOf(about);
  });
  const [, rejection = ""] = /`rejection` is `(\{.*?\})`/.exec(page) ?? [];

  it("have the members that the page names", async () => {
    const { send } = await createWorld();
    const entries = (await (await send("GET", "/threads/t/history?rejections=true")).json()) as readonly {
      readonly commit?: object;
      readonly refusal?: { readonly rejection: object };
    }[];
    const faults = entries.flatMap((entry) =>
      entry.refusal === undefined
        ? [membersFault(entry.commit, commit!)]
        : [membersFault(entry.refusal, refusal!), membersFault(entry.refusal.rejection, shapeOf(rejection))],
    );
    expect(entries.some((entry) => entry.refusal !== undefined)).toBe(true);
    expect(faults.filter(Boolean)).toEqual([]);
  });
});

describe("the errors", () => {
  const rows = pageRows(page, "Errors").map(([code = "", status = ""]) => [code, Number(status)] as const);
  const statuses = Object.entries({ ...REQUEST_PROBLEMS, ...REJECTION_PROBLEMS });

  it("are those of the server, with their status", () => {
    expect(rows).toHaveLength(statuses.length);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(statuses.map(([code, [status]]) => [code, status])));
  });

  it("have the members that the page names", async () => {
    const { send } = await createWorld();
    const [, members = ""] = /problem document \(RFC 9457[^)]*\): `(\{.*?\})`/.exec(page) ?? [];
    const response = await send("GET", "/threads/missing");
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(membersFault(await response.json(), shapeOf(members))).toBeUndefined();
  });
});

describe("the limits", () => {
  const limits = new Map(
    pageRows(page, "Limits").map(([what = "", most = "", beyond = ""]) => [
      what,
      { most: Number(most.replaceAll(",", "")), code: beyond },
    ]),
  );
  const at = "/threads/t/operations";
  const list = <Item>(length: number, item: (index: number) => Item) =>
    Array.from({ length }, (_, index) => item(index));

  /** A request at the limit, for `length` of what the page counts. */
  const requests: Readonly<
    Record<string, (length: number) => readonly [method: string, path: string, body?: unknown]>
  > = {
    "submissions in one request": (length) => ["POST", at, list(length, () => addCard("c"))],
    "bytes of a body with operations, unless configured": (length) => {
      const frame = JSON.stringify({ type: "none", text: "" }).length;
      return ["POST", at, { type: "none", text: "x".repeat(length - frame) }];
    },
    "characters of a thread id, and of any other id": (length) => ["GET", `/threads/${"t".repeat(length)}`],
    "threads on one stream": (length) => [
      "POST",
      "/events",
      { wait: 0, threads: Object.fromEntries(list(length, (index) => [`t${index}`, {}])) },
    ],
    "seconds of `wait`": (length) => ["POST", "/events", { threads: { missing: {} }, wait: length }],
    "ids in an undo or a merge": (length) => ["POST", "/threads/t/branches/t~b/merge", { ids: list(length, String) }],
    "`things` of a submission": (length) => [
      "POST",
      at,
      { operation: addCard("c"), basedOn: 0, things: list(length, () => "/columns/0") },
    ],
  };

  it.each(Object.keys(requests))("%s: the page's number is accepted, and one more is not", async (what) => {
    const { send, server } = await createWorld();
    const { most, code } = limits.get(what)!;
    const codeOf = async (length: number) => {
      const answer = send(...requests[what]!(length));
      // A request that is accepted may wait for news.
      if (what.includes("wait") && length === most) await server.drain({ notice: 0 });
      const body: unknown = await (await answer).json();
      return typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
    };
    expect(await codeOf(most + 1)).toBe(code);
    expect(await codeOf(most)).not.toBe(code);
  });

  it("of pages give fewer, and refuse nothing", async () => {
    const { send } = await createWorld();
    for (const path of ["/threads", "/threads/t/history"])
      expect((await send("GET", `${path}?limit=1001`)).status).toBe(200);
  });

  it("of presence: a larger value is a problem of its thread", async () => {
    const world = await createWorld();
    const { send } = world;
    const { events, stream } = await openMany(world, { t: {} });
    const { most, code } = limits.get("characters of a presence value")!;
    const show = async (length: number) => {
      const value = { data: "x".repeat(length - JSON.stringify({ data: "" }).length) };
      const response = await send("POST", "/presence", { stream, threads: { t: value } });
      return response.status === 204 ? undefined : JSON.stringify(await response.json());
    };
    expect(await show(most)).toBeUndefined();
    expect(await show(most + 1)).toContain(`"${code}"`);
    await events.leave();
  });
});
