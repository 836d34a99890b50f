// The rights on a branch hold while its parent is the thread that the branch was made from. This is
// tested on every route, for each fate of the parent, with the branch open in the server or not.

import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { addCard, board } from "../support/board.ts";
import { as, branchOf, owners } from "../support/rights/owners.ts";
import { agents, type Route, routes } from "../support/rights/routes.ts";
import { type Answer, send, start } from "../support/server.ts";

const secret = "SECRET";
const branches = ["launch~b", "launch~b~c"];

/** Ada's thread with a branch, and a branch of that; open in the server or not. */
async function withBranches(isOpen: boolean) {
  const log = memoryLog();
  const names = owners();
  names.give("launch", "ada");
  names.give("*", "root");
  const options = { log, agents, authorize: names.authorize };
  const first = await start(options);
  const thread = `${first.url}/threads/launch`;
  await send(thread, "PUT", { definition: "board" }, as("ada"));
  await send(`${thread}/operations`, "POST", addCard("c0", secret), as("ada"));
  await send(`${thread}/branches`, "POST", { name: "b" }, as("ada"));
  await send(`${thread}~b/operations`, "POST", addCard("c9", secret), as("ada"));
  await branchOf(log, "launch~b", "launch~b~c");
  for (const id of ["launch", ...branches]) {
    const read = await send(`${first.url}/threads/${id}`, "GET", undefined, as("ada"));
    expect([read.status, JSON.stringify(read.body)]).toEqual([200, expect.stringContaining(secret)]);
  }
  if (!isOpen) await first.server.close();
  const { url } = isOpen ? first : await start(options);
  return { url, log, names };
}

const createAnew = (log: ReturnType<typeof memoryLog>) =>
  log.create({ threadId: "launch", definition: "board", definitionVersion: 1, state: board.initial, at: "" });

interface Lifecycle {
  /** What another process does to the parent. */
  happens(log: ReturnType<typeof memoryLog>, names: ReturnType<typeof owners>): Promise<unknown>;
  readonly user: string;
  readonly status: number;
}

const lifecycles: Record<string, Lifecycle> = {
  "rights were removed": { happens: async (_, names) => names.revoke("ada"), user: "ada", status: 403 },
  "the parent was deleted, requested by who had it": {
    happens: (log) => log.delete("launch"),
    user: "ada",
    status: 403,
  },
  "the parent was deleted, requested by who may do all": {
    happens: (log) => log.delete("launch"),
    user: "root",
    status: 404,
  },
  "the parent was made again, requested by its next owner": {
    async happens(log, names) {
      await log.delete("launch");
      await createAnew(log);
      names.give("launch", "eve");
    },
    user: "eve",
    status: 403,
  },
  "the parent was made again, requested by who may do all": {
    async happens(log) {
      await log.delete("launch");
      await createAnew(log);
    },
    user: "root",
    status: 404,
  },
};

/** With the right to write, this creates the thread. */
const makes = ([, method, path]: Route) => method === "PUT" || path("").startsWith("/ag-ui/");

const name = ([right, method, path]: Route, id: string) => `${method} ${path(id)} with "${right}"`;

/** Sends again what got a 503 while the server found out. */
async function settled(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  return answer.status === 503 ? ask() : answer;
}

describe.each([
  ["open in the server", true],
  ["not open", false],
])("a branch that was %s", (_, isOpen) => {
  for (const [when, { happens, user, status }] of Object.entries(lifecycles))
    it(`answers ${status} on every route when ${when}`, async () => {
      const { url, log, names } = await withBranches(isOpen);
      await happens(log, names);
      // Children first, since the last route deletes.
      for (const id of [...branches.toReversed(), ...(when === "rights were removed" ? ["launch"] : [])])
        for (const route of routes) {
          if (status === 404 && makes(route)) continue;
          const [, method, path, body] = route;
          const answer = await settled(() => send(url + path(id), method, body(id), as(user)));
          expect(answer, name(route, id)).toMatchObject({ status, type: "application/problem+json" });
          expect(JSON.stringify(answer.body), name(route, id)).not.toContain(secret);
        }
    });

  it("is invisible to an actor who creates a thread with its name", async () => {
    for (const id of branches)
      for (const route of routes.filter(makes))
        for (const when of ["the parent was deleted", "the parent was made again"]) {
          const { url, log, names } = await withBranches(isOpen);
          await lifecycles[`${when}, requested by who may do all`]?.happens(log, names);
          const [, method, path, body] = route;
          const made = await fetch(url + path(id), {
            method,
            headers: { ...as("root"), "content-type": "application/json" },
            body: JSON.stringify(body(id)),
          });
          expect([200, 201], name(route, id)).toContain(made.status);
          expect(await made.text(), name(route, id)).not.toContain(secret);
          const read = await send(`${url}/threads/${id}`, "GET", undefined, as("root"));
          expect(read.body, name(route, id)).toMatchObject({ version: 0, state: board.initial });
          expect(read.body.parent).toBeUndefined();
        }
  });

  async function withNextOwner() {
    const { url, log, names } = await withBranches(isOpen);
    await lifecycles["the parent was made again, requested by its next owner"]?.happens(log, names);
    const ask = (method: string, path: string, body?: unknown) =>
      settled(() => send(`${url}/threads/launch${path}`, method, body, as("eve")));
    return { url, ask };
  }

  it("is not a branch of the next thread with its parent's name", async () => {
    const { ask } = await withNextOwner();
    expect(await ask("GET", "/branches")).toMatchObject({ status: 200, body: [] });
    for (const id of branches) {
      expect(await ask("GET", `/branches/${id}/diff`)).toMatchObject({ status: 404, body: { code: "unknown_branch" } });
      expect(await ask("POST", `/branches/${id}/merge`, {})).toMatchObject({
        status: 404,
        body: { code: "unknown_branch" },
      });
      expect(await ask("DELETE", `/branches/${id}`)).toMatchObject({ status: 404, body: { code: "unknown_branch" } });
    }
  });

  it("is not in the list of threads", async () => {
    const { url } = await withNextOwner();
    expect((await send(`${url}/threads`, "GET", undefined, as("root"))).body).toMatchObject([
      { threadId: "launch", version: 0 },
    ]);
  });

  it("leaves its name free for a branch of the next thread", async () => {
    const { url, ask } = await withNextOwner();
    expect(await ask("POST", "/branches", { name: "b" })).toMatchObject({
      status: 201,
      body: { threadId: "launch~b", version: 0 },
    });
    const made = await settled(() => send(`${url}/threads/launch~b`, "GET", undefined, as("eve")));
    expect(made).toMatchObject({ status: 200, body: { state: board.initial } });
    expect(await settled(() => send(`${url}/threads/launch~b~c`, "GET", undefined, as("eve")))).toMatchObject({
      status: 403,
    });
  });

  it("is not confused with a new thread that the server does not know yet", async () => {
    const { url, log, names } = await withBranches(isOpen);
    await lifecycles["the parent was made again, requested by its next owner"]?.happens(log, names);
    for (const route of routes.filter(([, method]) => method === "GET")) {
      const [, method, path] = route;
      if (path("").endsWith("/events")) continue;
      const answer = await send(url + path("launch"), method, undefined, as("eve"));
      expect(JSON.stringify(answer.body), name(route, "launch")).not.toContain(secret);
    }
  });

  it("that was stored without the incarnation of its parent is an orphan", async () => {
    const { url, log } = await withBranches(isOpen);
    const stored = await log.load("launch");
    const { incarnation: _, ...parent } = {
      threadId: "launch",
      version: 1,
      incarnation: stored?.info.incarnation ?? "",
    };
    const old = { threadId: "old", definition: "board", definitionVersion: 1, state: stored?.snapshot.state, at: "" };
    // No release stored it like this.
    await log.create({ ...old, parent: parent as never });
    expect(await send(`${url}/threads/old`, "GET", undefined, as("ada"))).toMatchObject({ status: 403 });
    expect(await send(`${url}/threads/old`, "GET", undefined, as("root"))).toMatchObject({ status: 404 });
    expect((await send(`${url}/threads/launch/branches`, "GET", undefined, as("ada"))).body).toHaveLength(1);
  });
});
