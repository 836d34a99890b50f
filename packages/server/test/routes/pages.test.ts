// Lists in pages: branches, open proposals and a diff, by number and by size. Clients read all.

import { memoryLog } from "@opstate/core";
import { remoteThread } from "@opstate/client/remote";
import { describe, expect, it, onTestFinished } from "vitest";
import { threadClient } from "../../src/client/index.ts";
import { board } from "../support/board.ts";
import { ada, createBoard, send, start } from "../support/server.ts";

const card = (cardId: string) => ({ type: "addCard", columnId: "todo", cardId, title: cardId });
const named = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);

/** The items of each page, from one `Link` to the next. */
async function pages(address: string, query = ""): Promise<Record<string, unknown>[][]> {
  const found: Record<string, unknown>[][] = [];
  for (let next: string | undefined = query; next !== undefined;) {
    const response: Response = await fetch(address + next, { headers: ada });
    expect(response.status).toBe(200);
    found.push((await response.json()) as Record<string, unknown>[]);
    [, next] = /<(.*)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
  }
  return found;
}

/** A board with seven branches, seven open proposals, and seven changes on the first branch. */
async function bench() {
  const { url } = await start({ log: memoryLog() });
  const at = await createBoard(url);
  const names = named(7);
  for (const name of names) {
    await send(`${at}/branches`, "POST", { name });
    await send(`${at}/proposals`, "POST", { operation: card(name), id: name });
  }
  const branch = `${url}/threads/launch~n0`;
  for (const name of names) await send(`${branch}/operations`, "POST", { operation: card(name), id: name });
  const diff = `${at}/branches/launch~n0/diff`;
  return { url, at, names, branch, diff };
}

describe("a list of the server", () => {
  it("is given in pages of as many as are wanted, each item once", async () => {
    const { at, names, diff } = await bench();
    for (const [address, of] of [
      [`${at}/branches`, ({ threadId }: Record<string, unknown>) => String(threadId).slice("launch~".length)],
      [`${at}/proposals`, ({ id }: Record<string, unknown>) => id],
      [diff, ({ id }: Record<string, unknown>) => id],
    ] as const) {
      const found = await pages(address, "?limit=3");
      expect(found.map(({ length }) => length)).toEqual([3, 3, 1]);
      expect(found.flat().map(of)).toEqual(names);
      expect((await pages(address)).flat().map(of)).toEqual(names);
    }
  });

  it("ends a page at its size, with one item at least", async () => {
    const { url, at, branch, diff } = await bench();
    await send(`${at}/operations`, "POST", card("n0"));
    const note = "x".repeat(100_000);
    for (let index = 0; index < 12; index++) {
      const operation = { type: "annotate", cardId: "n0", note: `${index} ${note.slice(10)}` };
      await send(`${url}/threads/launch/proposals`, "POST", { operation, id: `large ${index}` });
      await send(`${branch}/operations`, "POST", { operation, id: `large ${index}` });
    }
    const proposals = await pages(`${at}/proposals`);
    expect(proposals.length).toBeGreaterThan(1);
    expect(Math.max(...proposals.map((page) => JSON.stringify(page).length))).toBeLessThan(2 * 1024 * 1024);
    expect(proposals.flat()).toHaveLength(7 + 12);
    expect((await pages(diff)).flat()).toHaveLength(7 + 12);
  });

  it("goes on where it was when what a page ended with is gone", async () => {
    const { at, names } = await bench();
    const first = await fetch(`${at}/branches?limit=3`, { headers: ada });
    const [, next = ""] = /<(.*)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    await send(`${at}/branches/launch~n2`, "DELETE");
    const rest = (await pages(`${at}/branches`, next)).flat();
    expect(rest.map(({ threadId }) => threadId)).toEqual(names.slice(3).map((name) => `launch~${name}`));
  });

  it.each([
    ["branches", "?after=none"],
    ["proposals", "?after=none"],
    ["branches/launch~n0/diff", "?after=-1"],
    ["proposals", "?limit=all"],
  ])("refuses what is no page of it: %s%s", async (path, query) => {
    const { at } = await bench();
    expect(await send(`${at}/${path}${query}`, "GET")).toMatchObject({ status: 400, body: { code: "invalid_query" } });
  });

  it("is read whole by clients and remote threads", async () => {
    const { url, names } = await bench();
    // As if pages were small.
    const small = (input: RequestInfo | URL, init?: RequestInit) => {
      const address = new URL(input instanceof Request ? input.url : input);
      if (/\/(branches|proposals|diff)$/.test(address.pathname)) address.searchParams.set("limit", "3");
      return fetch(input instanceof Request ? new Request(address, input) : address, init);
    };
    const client = threadClient({ url, threadId: "launch", headers: ada, fetch: small });
    expect((await client.proposals()).map(({ id }) => id)).toEqual(names);
    expect((await client.branches()).map(({ threadId }) => threadId)).toEqual(names.map((name) => `launch~${name}`));
    expect((await client.openBranch("launch~n0").diff()).map(({ id }) => id)).toEqual(names);
    const thread = await remoteThread({ url, headers: ada, definition: board, threadId: "launch", fetch: small });
    onTestFinished(() => thread.close());
    const third = (await thread.proposals())[2]?.version ?? 0;
    expect((await thread.proposals({ after: third, limit: 2 })).map(({ id }) => id)).toEqual(names.slice(3, 5));
  });
});

describe("a thread's own lists", () => {
  it("have parts", async () => {
    const { server } = await start();
    const thread = await server.thread("launch", board);
    onTestFinished(() => thread.close());
    const actor = { kind: "user", id: "ada" };
    const branch = await thread.branch();
    for (const id of named(4)) {
      await thread.propose(board.op.addCard(card(id)), { actor, id });
      await branch.dispatch(board.op.addCard(card(id)), { actor, id });
    }
    expect((await thread.proposals({ after: 1, limit: 2 })).map(({ id }) => id)).toEqual(["n1", "n2"]);
    expect((await branch.diff({ after: 1, limit: 2 })).map(({ id }) => id)).toEqual(["n1", "n2"]);
    expect((await branch.diff({ after: 3 })).map(({ id, holds }) => [id, holds])).toEqual([["n3", true]]);
  });
});
