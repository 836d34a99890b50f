// Who loses the right to write and keeps that to read: their page is told, what they may do
// follows, and an edit that was under way is refused with words. All over HTTP.

import { createClient } from "@opstate/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Access, Right } from "../../src/index.ts";
import { addCard, board } from "../support/board.ts";
import { follow, openJoint } from "../support/joint.ts";
import { as } from "../support/owners.ts";
import { createBoard, send, start } from "../support/server.ts";

const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 5, timeout: 20_000 });

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
  return { ...running, change };
}

function page(url: string, polling = false) {
  const client = createClient({ url, headers: as("ada"), polling });
  onTestFinished(() => client.close());
  const thread = client.thread(board, "a");
  onTestFinished(thread.subscribe(() => {}));
  return thread;
}

const operation = addCard("c1");
const readOnly = { code: "forbidden", reason: "not_allowed", message: "You may read this, and not change it." };

describe.each([
  ["with a stream", false],
  ["that polls", true],
])("a page %s", (_, polling) => {
  it("that may read only is told so at the beginning", async () => {
    const { url, change } = await serve();
    await change(["read"]);
    const thread = page(url, polling);
    await until(() => thread.sync.getState().isReadOnly);
    expect(thread.can(operation)).toEqual({ ...readOnly, operation: { type: "addCard" } });
  });

  it("that loses the right to write is told, goes on reading, and is told when it has it again", async () => {
    const { url, change } = await serve();
    const thread = page(url, polling);
    await thread.ready();
    expect([thread.sync.getState().isReadOnly, thread.can(operation)]).toEqual([undefined, undefined]);

    await change(["read"]);
    await until(() => thread.sync.getState().isReadOnly);
    expect(thread.can(operation)).toMatchObject(readOnly);
    await send(`${url}/threads/a/operations`, "POST", addCard("of root"), as("root"));
    await until(() => JSON.stringify(thread.getState()).includes("of root"));
    expect(thread.sync.getState().status).toBe("online");

    await change(["read", "write"]);
    await until(() => thread.sync.getState().isReadOnly === undefined);
    expect(thread.can(operation)).toBeUndefined();
    expect((await thread.dispatch(operation)).accepted).toBe(true);
  });

  it("whose edit comes too late gets it refused with words, and shows it no more", async () => {
    const { url, change } = await serve();
    const thread = page(url, polling);
    await thread.ready();
    await change(["read"]);
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
    expect((await thread.dispatch(addCard("c2"))).accepted).toBe(true);
  });
});

describe("a stream of many threads", () => {
  it("says nothing to who may write, and after each welcome to who may not", async () => {
    const { url, change } = await serve();
    await createBoard(url, "b");
    const reader = await openJoint(url, follow(["a"]), as("ada"));
    await reader.of("snapshot", "a");
    expect(reader.text()).not.toContain('"rights"');
    await change(["read"]);
    expect(await reader.of("rights", "a")).toEqual({ thread: "a", type: "rights", write: false });
    await reader.change({ follow: { a: {} } });
    expect([(await reader.of("welcome", "a")).type, await reader.message()]).toEqual([
      "welcome",
      { thread: "a", type: "rights", write: false },
    ]);
    await change(["read", "write"]);
    expect(await reader.of("rights", "a")).toMatchObject({ write: true });
  });
});
