// An agent whose thread is over HTTP: the server decides, pages follow while it works, and
// the agent reads what they changed.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createClient } from "@opstate/client";
import { remoteThread, type RemoteThread } from "@opstate/client/remote";
import { memoryLog, type Thread } from "@opstate/core";
import { createServer } from "@opstate/server";
import { AIMessage, createAgent, fakeModel, ToolMessage } from "langchain";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApprovalRequest, type Approver, operationTools, opstateMiddleware } from "../../src/index.ts";
import { board, type Board } from "../support/board.ts";

const FULL: Board = {
  columns: [
    {
      columnId: "todo",
      cardCount: 2,
      cards: [
        { cardId: "c1", title: "One" },
        { cardId: "c2", title: "Two" },
      ],
    },
    { columnId: "done", cardCount: 0, cards: [] },
  ],
};
const headers = (actor: string) => ({ authorization: actor });
const ada = { kind: "user", id: "ada" };
const ADA = headers("user ada read,write,approve,undo");
const PLANNER = headers("agent planner read,write");

/** A server with a board, and a page of Ada's on it. Credentials are "kind id right,right". */
async function started() {
  const server = createServer({
    definitions: [board],
    log: memoryLog(),
    authorize(request) {
      const [kind = "", id = "", rights = ""] = (request.headers.get("authorization") ?? "").split(" ");
      if (id === "") return null;
      return { actor: { kind, id }, allows: (_, right) => rights.split(",").includes(right) };
    },
  });
  const { url } = await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const thread = await server.thread("b", board);
  await thread.dispatch(FULL, { actor: { kind: "system", id: "setup" } });
  const client = createClient({ url, headers: ADA });
  onTestFinished(() => client.close());
  const page = client.thread(board, "b");
  const states: number[] = [];
  onTestFinished(page.sync.subscribe(({ version }) => states.push(version)));
  await page.ready();
  return { url, thread, page, states };
}

async function connect(url: string, as = PLANNER): Promise<RemoteThread<typeof board>> {
  const thread = await remoteThread({ definition: board, url, threadId: "b", headers: as });
  onTestFinished(() => thread.close());
  return thread;
}

/** The first message after the call. */
async function answer<T>(child: ChildProcess, message: object | string): Promise<T> {
  const next = once(child, "message");
  child.send(message);
  return (await next)[0] as T;
}

describe("an agent in another process", { timeout: 240_000 }, () => {
  async function forked(url: string): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, "../support/remote-agent.ts"), [url, "b"], {
      execArgv: ["--conditions=@opstate/source"],
    });
    onTestFinished(() => void child.kill());
    await once(child, "message");
    return child;
  }

  it("works on the server's thread, gets its verdicts, and pages follow", async () => {
    const { url, thread, page } = await started();
    const first = await answer<{ told: string[]; field: number }>(await forked(url), [
      [
        { name: "move", args: { cardId: "c1", to: "done" } },
        { name: "move", args: { cardId: "c9", to: "done" } },
      ],
      [{ name: "rename", args: { cardId: "c1", title: "First" } }],
    ]);
    expect(first.told).toHaveLength(3);
    expect(first.told[0]).toMatch(/^Accepted: board is now at version 2/);
    expect(first.told[1]).toMatch(/No card "c9".*c1/s);
    expect(first.told[2]).toMatch(/^Accepted: board is now at version 3/);
    expect(first.field).toBe(3);
    expect(thread.version).toBe(3);
    expect((await thread.history()).slice(1)).toMatchObject([
      { commit: { actor: { kind: "agent", id: "planner" }, runId: expect.any(String) } },
      { commit: { actor: { kind: "agent", id: "planner" }, toolCallId: expect.any(String) } },
    ]);
    await expect.poll(() => page.getState()?.columns[1]?.cards[0]?.title).toBe("First");
  });

  it("is shown what a page changed since, and ends by itself", async () => {
    const { url, page } = await started();
    const child = await forked(url);
    await page.dispatch({ type: "rename", cardId: "c2", title: "Second" });
    const second = await answer<{ told: string[]; shown: string[] }>(child, [
      [{ name: "move", args: { cardId: "c2", to: "done" } }],
    ]);
    expect(second.shown[0]).toContain("Second");
    expect(second.told).toEqual([expect.stringMatching(/^Accepted/)]);
    await expect.poll(() => page.getState()?.columns[1]?.cardCount).toBe(1);
    child.send("end");
    await once(child, "exit");
  });
});

describe("a remote thread", () => {
  it("shows the model what a page changed while the agent works", async () => {
    const { url, page } = await started();
    const thread = await connect(url);
    const model = fakeModel()
      .respondWithTools([{ name: "move", args: { cardId: "c1", to: "done" } }])
      .respond(new AIMessage("Done"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [
        opstateMiddleware(board, { thread, field: "board" }),
        {
          name: "page",
          // A person edits between two calls of the model.
          afterModel: async () => {
            if (page.sync.getState().version < 2) {
              const { version } = await page.dispatch({ type: "rename", cardId: "c2", title: "Hers" });
              await expect.poll(() => thread.version).toBeGreaterThanOrEqual(version);
            }
            return undefined;
          },
        },
      ],
    });
    await agent.invoke({ messages: "Work" });
    const last = model.calls
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join("\n");
    expect(last).toMatch(/user "ada".*rename|rename.*Hers/is);
  });

  it("does nothing as another actor, and says so", async () => {
    const { url, thread: there } = await started();
    const thread = await connect(url);
    expect(thread.actor).toEqual({ kind: "agent", id: "planner" });
    const verdict = await thread.dispatch({ type: "remove", cardId: "c1" }, { actor: { kind: "user", id: "ada" } });
    expect(verdict).toMatchObject({
      accepted: false,
      rejection: {
        code: "forbidden",
        reason: "other_actor",
        message: expect.stringMatching(/that of agent "planner".*nothing as user "ada"/),
      },
    });
    expect(there.version).toBe(1);
  });

  it("gives the server's verdicts, and has its states", async () => {
    const { url, thread: there } = await started();
    const thread = await connect(url, ADA);
    const moved = await thread.dispatch({ type: "move", cardId: "c1", to: "done" }, { actor: ada, id: "m" });
    expect(moved).toEqual(await there.dispatch({ type: "move", cardId: "c1", to: "done" }, { actor: ada, id: "m" }));
    expect(thread.version).toBe(2);
    expect(thread.getState()).toEqual(there.getState());
  });

  it.each<
    [string, (thread: Pick<Thread<typeof board>, "history" | "stateAt" | "explain" | "digest">) => Promise<unknown>]
  >([
    ["history", (thread) => thread.history({ after: 1 })],
    ["past states", (thread) => thread.stateAt(2)],
    ["explanations", (thread) => thread.explain("/columns/0")],
    ["digests", (thread) => thread.digest({ since: 0, for: { kind: "agent", id: "reader" } })],
  ])("gives the server's %s", async (_, read) => {
    const { url, thread: there } = await started();
    const thread = await connect(url, ADA);
    await thread.dispatch({ type: "move", cardId: "c1", to: "done" }, { actor: ada, id: "m" });
    expect(await thread.undo({ ids: ["m"] }, { actor: ada })).toMatchObject({ accepted: true, version: 3 });
    expect(await read(thread)).toEqual(await read(there));
  });

  it("proposes, lists what is open, and declines", async () => {
    const { url, thread: there } = await started();
    const thread = await connect(url, ADA);
    const proposed = await thread.propose({ type: "remove", cardId: "c2" }, { actor: ada, id: "p" });
    expect(proposed).toMatchObject({ accepted: true, commit: { id: "p" } });
    expect(await thread.proposals()).toEqual(await there.proposals());
    expect(await thread.proposal("p")).toEqual(await there.proposal("p"));
    expect(await thread.proposal("nothing")).toBeUndefined();
    expect(await thread.decline("p", { actor: ada })).toMatchObject({ accepted: true });
  });

  it("has branches, which are merged and discarded", async () => {
    const { url } = await started();
    const thread = await connect(url, ADA);
    const branch = await thread.branch(undefined, { id: "b~try" });
    await branch.dispatch({ type: "rename", cardId: "c1", title: "Tried" }, { actor: ada });
    expect(await branch.diff()).toHaveLength(1);
    expect(await branch.merge({ actor: ada })).toMatchObject([{ verdict: { accepted: true } }]);
    await expect.poll(() => thread.getState()?.columns[0]?.cards[0]?.title).toBe("Tried");
    await branch.discard();
    expect(await thread.openBranch("b~try")).toBeUndefined();
  });

  it("gives its history entry by entry, beyond the end of the server's pages", async () => {
    const { url, thread: there } = await started();
    const title = "x".repeat(200_000);
    const actor = { kind: "user", id: "ada" };
    for (const cardId of ["c1", "c2", "c1", "c2", "c1"])
      expect(
        await there.dispatch({ type: "rename", cardId, title: `${title} ${there.version}` }, { actor }),
      ).toMatchObject({ accepted: true });
    const thread = await connect(url, ADA);
    const versions = async (range: Parameters<typeof thread.entries>[0]): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for await (const entry of thread.entries(range)) found.push(entry.kind === "commit" && entry.commit.version);
      return found;
    };
    expect((await thread.history()).length).toBeLessThan(6);
    expect(await versions({})).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await versions({ order: "descending", limit: 5 })).toEqual([6, 5, 4, 3, 2]);
    expect(await versions({ after: 1, before: 4 })).toEqual([2, 3]);
    await expect(versions({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });

  it("is created when the server does not have it, and refuses another definition", async () => {
    const { url } = await started();
    const fresh = await remoteThread({ definition: board, url, threadId: "new", headers: PLANNER });
    onTestFinished(() => fresh.close());
    expect(fresh).toMatchObject({ version: 0, threadId: "new" });
    await expect(
      remoteThread({ definition: board, url, threadId: "b", headers: headers("agent nobody write") }),
    ).rejects.toMatchObject({ status: 403 });
  });

  describe("whose call needs approval", () => {
    async function asked(url: string, approver?: Approver | (() => Approver)) {
      const thread = await connect(url);
      const model = fakeModel()
        .respondWithTools([{ name: "remove", args: { cardId: "c1" } }])
        .respond(new AIMessage("Done"));
      const agent = createAgent({
        model,
        tools: operationTools(board, { thread, ask: "always", ...(approver && { approver }) }),
        middleware: [opstateMiddleware(board, { thread, field: "board" })],
        checkpointer: new MemorySaver(),
      });
      const config = { configurable: { thread_id: "1" } };
      await agent.invoke({ messages: "Work" }, config);
      return async (resume: object) => {
        const result = await agent.invoke(new Command({ resume }), config);
        const [text] = result.messages.filter((message) => ToolMessage.isInstance(message)).map((told) => told.text);
        // Where the answer was not used: the words of the interrupt that comes again.
        const [again] = result.__interrupt__ ?? [];
        return text ?? (again?.value as ApprovalRequest | undefined)?.problem;
      };
    }

    it("is approved by the actor of the credentials", async () => {
      const { url, thread, page } = await started();
      const resume = await asked(url, () => ({ headers: ADA }));
      expect(thread.version).toBe(2);
      expect(await resume({ type: "accept" })).toMatch(/^Accepted.*Approved by user "ada"/s);
      await expect.poll(() => page.getState()?.columns[0]?.cardCount).toBe(1);
    });

    it("may be edited by them", async () => {
      const { url, thread } = await started();
      const resume = await asked(url, () => ({ headers: ADA }));
      expect(await resume({ type: "edit", operation: { type: "remove", cardId: "c2" } })).toMatch(/edited to/);
      expect(thread.getState()?.columns[0]?.cards.map(({ cardId }) => cardId)).toEqual(["c1"]);
    });

    it.each([
      ["no approver", undefined, /the thread is on a server.*`approver` gave none.*is open until a person/],
      ["an actor", { kind: "user", id: "ada" }, /the thread is on a server.*`approver` gave none/],
      ["credentials that the server does not know", () => ({ headers: {} }), /refused the credentials/],
      [
        "those of a person who may not approve",
        () => ({ headers: headers("user eve read,write") }),
        /^The answer was not allowed.*with the right to approve, must decide it/,
      ],
    ])("waits for a page with %s", async (_, approver, words) => {
      const { url, page } = await started();
      const resume = await asked(url, approver);
      expect(await resume({ type: "accept" })).toMatch(words);
      expect(page.getState()?.columns[0]?.cardCount).toBe(2);
      const [open] = await (await connect(url, ADA)).proposals();
      expect(open).toMatchObject({ operation: { type: "remove" }, actor: { id: "planner" } });
      await page.proposals.approve(open?.id ?? "");
      await expect.poll(() => page.getState()?.columns[0]?.cardCount).toBe(1);
    });

    it("may be declined without, when its proposer withdraws it", async () => {
      const { url, thread } = await started();
      const resume = await asked(url);
      expect(await resume({ type: "decline", message: "not now" })).toMatch(/not now/);
      expect(await thread.proposals()).toEqual([]);
    });
  });
});
