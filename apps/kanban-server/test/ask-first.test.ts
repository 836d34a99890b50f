// "Ask me first": the agent's operations become proposals, and its answers about them are true.

import type { Thread } from "@opstate/core";
import { describe, expect, test, vi } from "vitest";
import { createKanbanAgent, kanbanRun } from "../src/agent.ts";
import { OfflineModel } from "../src/offline-model/offline-model.ts";
import { ada, ask, boardThread, said, short } from "./support/board-run.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const first = { askFirst: true };

describe("the setting to ask first", () => {
  test("nothing changes, and the answer says what waits", async () => {
    const thread = await boardThread();
    const before = thread.getState();
    const messages = await ask(
      thread,
      "move T-1 to Done, move T-2 to Done, remove T-15, add a card 'Write docs' to Backlog",
      first,
    );
    expect(said(messages).at(-1)).toBe(
      "I propose 4 changes: move 'Write the launch announcement' (T-1) to Done, move 'Dark mode for the settings page' (T-2) to Done, remove 'Keep edits made while offline' (T-15) and add 'Write docs' to Backlog. Nothing has changed yet: accept or decline them here or on the board.",
    );
    expect(thread.getState()).toEqual(before);
    const open = await thread.proposals();
    expect(open.map(({ operation }) => operation.type)).toEqual(["move", "move", "remove", "addCard"]);
    for (const { id, version, actor } of open) {
      const own = await thread.approve(id, { actor, proposedAt: version, allows: () => true });
      expect(own).toMatchObject({ accepted: false });
      expect((await thread.approve(id, { actor: ada, proposedAt: version })).accepted).toBe(true);
    }
    expect(short(thread.getState())[3]).toBe("done: T-8 T-11 T-19 T-1 T-2");
  });

  test("a whole new board waits too, and what is refused is refused", async () => {
    const thread = await boardThread();
    expect(said(await ask(thread, "build a board for launching a website", first)).at(-1)).toBe(
      "I propose 1 change: build a new board. Nothing has changed yet: accept or decline it here or on the board.",
    );
    expect(said(await ask(thread, "move T-999 to Done", first)).at(-1)).toMatch(/^Not moved: there is no card 'T-999'/);
    expect(await thread.proposals()).toHaveLength(1);
  });

  test("it reads what became of a proposal while it works", async () => {
    const thread = await boardThread();
    const watched = decided(thread, async () => {
      const [proposal] = await thread.proposals();
      if (proposal) await thread.decline(proposal.id, { actor: ada, reason: "We still need it" });
    });
    const heard = said(await ask(watched, "remove T-15, then move T-1 to Done", first));
    expect(heard.join(" ")).toContain("Meanwhile, ada declined a proposal: 'We still need it'.");
    expect(heard.at(-1)).toContain("I propose 1 change: move 'Write the launch announcement' (T-1) to Done.");
    expect(said(await ask(thread, "what changed?")).at(-1)).toContain("Decline a proposal: 'We still need it'");
  });
});

test("a client wishes it with each run", async () => {
  const run = kanbanRun(createKanbanAgent({ model: new OfflineModel({ delayMs: 0 }) }));
  const thread = await boardThread();
  const outcome = async (askFirst: boolean, runId: string) => {
    const messages = [{ id: runId, role: "user" as const, content: "move T-1 to Done" }];
    const input = {
      threadId: "demo",
      runId,
      messages,
      tools: [],
      context: [],
      forwardedProps: { conversationId: runId, askFirst },
    };
    for await (const _ of run({ input, thread, actor: ada, signal: AbortSignal.timeout(30_000) }));
    return [thread.version, (await thread.proposals()).length];
  };
  expect(await outcome(true, "r1")).toEqual([2, 1]);
  expect(await outcome(false, "r2")).toEqual([3, 1]);
});

/** The thread, with something done after its first proposal. */
function decided(thread: Awaited<ReturnType<typeof boardThread>>, then: () => Promise<void>) {
  let done = false;
  return new Proxy(thread, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (key !== "propose") return value;
      const propose: Thread["propose"] = async (update, options) => {
        const verdict = await target.propose(update, options);
        if (!done) await then();
        done = true;
        return verdict;
      };
      return propose;
    },
  });
}
