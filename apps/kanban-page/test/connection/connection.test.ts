import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { board, sampleBoard } from "@opstate/kanban-domain";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createConnection, switchable } from "../../src/connection/connection.ts";

const ada = { kind: "user", id: "ada" };

async function openBoard() {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: { kind: "system", id: "demo" } });
  const connection = createConnection();
  const replica = createReplica({
    definition: board,
    transport: switchable(threadTransport(thread, { actor: ada }), connection),
  });
  await replica.ready();
  return { thread, connection, replica };
}

describe("the connection's switch", () => {
  it("lets nothing through while it is cut, and everything settles afterwards", async () => {
    const { thread, connection, replica } = await openBoard();
    connection.set(true);
    expect(replica.sync.getState().status).toBe("offline");
    const kept = replica.dispatch(board.op.move({ cardId: "T-1", fromColumn: "backlog", toColumn: "done" }));
    const refused = replica.dispatch(board.op.move({ cardId: "T-2", fromColumn: "backlog", toColumn: "done" }));
    await thread.dispatch(board.op.move({ cardId: "T-2", toColumn: "review" }), {
      actor: { kind: "user", id: "grace" },
    });
    expect(thread.version).toBe(2);
    expect(replica.sync.getState()).toMatchObject({ version: 1, pending: [{}, {}] });
    connection.set(false);
    expect((await kept).accepted).toBe(true);
    expect(await refused).toMatchObject({ accepted: false, rejection: { reason: "card_elsewhere" } });
    await expect.poll(() => replica.sync.getState()).toMatchObject({ status: "online", version: 3, pending: [] });
    expect(replica.getState()).toEqual(thread.getState());
    replica.close();
  });

  it("may be cut before anything connects", async () => {
    const { thread, connection, replica } = await openBoard();
    replica.close();
    connection.set(true);
    const late = createReplica({
      definition: board,
      transport: switchable(threadTransport(thread, { actor: ada }), connection),
    });
    await expect.poll(() => late.sync.getState().status).toBe("offline");
    connection.set(false);
    await late.ready();
    expect(late.getState()).toEqual(thread.getState());
    late.close();
  });

  afterEach(() => vi.unstubAllGlobals());

  it("ends requests that are under way, and refuses new ones", async () => {
    const connection = createConnection();
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
