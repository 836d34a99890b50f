import { createClient } from "@opstate/client";
import { board } from "@opstate/kanban-domain";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConnection, switchClient } from "../../src/connection/connection.ts";
import { ada, openBoard as openThread } from "../board-thread.ts";

beforeEach(() => {
  const tab = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

async function openBoard() {
  const thread = await openThread();
  const connection = createConnection("cut");
  const client = createClient({ threads: [thread], actor: ada });
  switchClient(connection, client);
  const page = client.thread(board, "demo");
  page.subscribe(() => undefined);
  await page.ready();
  return { thread, connection, page };
}

describe("the connection's switch", () => {
  it("lets nothing through while it is cut, and all gets its verdict afterwards", async () => {
    const { thread, connection, page } = await openBoard();
    connection.set(true);
    expect(page.sync.getState().status).toBe("offline");
    const kept = page.dispatch(board.op.move({ cardId: "T-1", fromColumn: "backlog", toColumn: "done" }));
    const refused = page.dispatch(board.op.move({ cardId: "T-2", fromColumn: "backlog", toColumn: "done" }));
    await thread.dispatch(board.op.move({ cardId: "T-2", toColumn: "review" }), {
      actor: { kind: "user", id: "grace" },
    });
    expect(thread.version).toBe(2);
    expect(page.sync.getState()).toMatchObject({ version: 1, pending: [{}, {}] });
    connection.set(false);
    expect((await kept).accepted).toBe(true);
    expect(await refused).toMatchObject({ accepted: false, rejection: { reason: "card_elsewhere" } });
    await expect.poll(() => page.sync.getState()).toMatchObject({ status: "online", version: 3, pending: [] });
    expect(page.getState()).toEqual(thread.getState());
  });

  it("stays cut over a reload", () => {
    createConnection("cut").set(true);
    const reloaded = createConnection("cut");
    expect(reloaded.getState().cut).toBe(true);
    expect(createConnection("another page").getState().cut).toBe(false);
    reloaded.set(false);
    expect(createConnection("cut").getState().cut).toBe(false);
  });

  it("ends requests that are under way, and refuses new ones", async () => {
    const connection = createConnection("cut");
    vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
      const { promise, reject } = Promise.withResolvers<Response>();
      signal.addEventListener("abort", () => reject(signal.reason));
      return promise;
    });
    const asked = connection.fetch("/threads/demo");
    connection.set(true);
    await expect(asked).rejects.toThrow(TypeError);
    await expect(connection.fetch("/threads/demo")).rejects.toThrow("The connection is cut.");
    connection.set(false);
    vi.stubGlobal("fetch", async () => new Response("ok"));
    expect(await (await connection.fetch("/threads/demo")).text()).toBe("ok");
  });
});
