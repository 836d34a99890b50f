// Who loses the right to write and keeps that to read: their page is told and sends no edits then,
// what they may do follows, and an edit that was under way is refused with words. All over HTTP.

import { createClient } from "@opstate/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Access, Right } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { follow, openJoint } from "../support/joint.ts";
import { as } from "../support/rights/owners.ts";
import { createBoard, send, start } from "../support/server.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 60_000 });

/** Ada has the rights that are named; root has all. */
async function serve() {
  const says = { rights: ["read", "write"] as readonly Right[] };
  const running = await start({
    authorize(request): Access {
      const id = request.headers.get("authorization") ?? "";
      return { actor: { kind: "user", id }, allows: (_, right) => id === "root" || says.rights.includes(right) };
    },
  });
  await send(`${running.url}/threads/a`, "PUT", { definition: "board" }, as("root"));
  async function change(rights: readonly Right[]) {
    says.rights = rights;
    await running.server.revoke({ threadId: "a" });
  }
  return { ...running, says, change };
}

/** `edits`: gets the addresses that the page sends edits to. */
function page(url: string, polling: boolean, edits: string[] = []) {
  const client = createClient({
    url,
    headers: as("ada"),
    polling,
    fetch(input, init) {
      const { pathname } = new URL(new Request(input).url);
      if (pathname !== "/events") edits.push(pathname);
      return fetch(input, init);
    },
  });
  onTestFinished(() => client.close());
  const thread = client.thread(board, "a");
  onTestFinished(thread.subscribe(() => {}));
  return thread;
}

const operation = addCard("c1");
const readOnly = { code: "forbidden", reason: "not_allowed", message: "You may only read this." };

describe.each([
  ["with a stream", false],
  ["that polls", true],
])("a page %s", (_, polling) => {
  it("that may read only knows so from the beginning, and sends nothing", async () => {
    const { url, change } = await serve();
    const edits: string[] = [];
    await change(["read"]);
    const thread = page(url, polling, edits);
    await thread.ready();
    expect(thread.sync.getState().isReadOnly).toBe(true);
    const rejection = { ...readOnly, operation: { type: "addCard" } };
    expect(thread.can(operation)).toEqual(rejection);

    expect(await thread.dispatch(operation)).toMatchObject({ accepted: false, rejection });
    expect(JSON.stringify(thread.getState())).not.toContain("c1");
    expect(thread.sync.getState()).toMatchObject({ pending: [], rejections: [{ operation, verdict: { rejection } }] });
    expect(edits).toEqual([]);
  });

  it("that loses the right to write learns so, goes on reading, and learns when it has it again", async () => {
    const { url, change } = await serve();
    const thread = page(url, polling);
    await thread.ready();
    expect([thread.sync.getState().isReadOnly ?? false, thread.can(operation)]).toEqual([false, undefined]);

    await change(["read"]);
    await until(() => thread.sync.getState().isReadOnly);
    expect(thread.can(operation)).toMatchObject(readOnly);
    await send(`${url}/threads/a/operations`, "POST", addCard("of root"), as("root"));
    await until(() => JSON.stringify(thread.getState()).includes("of root"));
    expect(thread.sync.getState().status).toBe("online");

    await change(["read", "write"]);
    await until(() => thread.sync.getState().isReadOnly !== true);
    expect(thread.can(operation)).toBeUndefined();
    expect((await thread.dispatch(operation)).accepted).toBe(true);
  });

  it("whose edit comes before it knows gets it refused with words, and shows it no more", async () => {
    const { url, change, says } = await serve();
    const thread = page(url, polling);
    await thread.ready();
    // Nobody was asked again yet.
    says.rights = ["read"];
    const verdict = thread.dispatch(operation);
    expect(JSON.stringify(thread.getState())).toContain("c1");
    expect(await verdict).toMatchObject({
      accepted: false,
      rejection: {
        code: "forbidden",
        reason: "not_allowed",
        message: 'This request needs the right "write" on thread "a".',
      },
    });
    expect(JSON.stringify(thread.getState())).not.toContain("c1");
    expect(thread.sync.getState()).toMatchObject({
      pending: [],
      rejections: [{ operation, verdict: { rejection: { code: "forbidden" } } }],
    });
    // Another one is not in the way.
    await change(["read", "write"]);
    await until(() => thread.sync.getState().isReadOnly !== true);
    expect((await thread.dispatch(addCard("c2"))).accepted).toBe(true);
  });
});

describe("a stream of many threads", () => {
  it("says nothing to who may write, and in each welcome to who may not", async () => {
    const { url, change } = await serve();
    await createBoard(url, "b");
    const reader = await openJoint(url, follow(["a"]), as("ada"));
    await reader.of("snapshot", "a");
    expect(reader.text()).not.toContain("readOnly");
    await change(["read"]);
    expect(await reader.of("rights", "a")).toEqual({ thread: "a", type: "rights", readOnly: true });
    await reader.change({ follow: { a: {} } });
    expect(await reader.of("welcome", "a")).toMatchObject({ readOnly: true });
    await change(["read", "write"]);
    expect(await reader.of("rights", "a")).toMatchObject({ readOnly: false });
  });
});
