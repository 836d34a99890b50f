// The calls of a host: in their order, with one effect, approved by a person alone.

import { HostCalls, lastCommitOf } from "@opstate/agent";
import { memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, planner, board, openBoard } from "../support/board.ts";

const card = (id: string) => ({ id, title: `Card ${id}` });
const call = (callId: string, message = "1") => ({ callId, message });

describe("calls of one message", () => {
  it("reach the thread in their order, however long each takes", async () => {
    const thread = await openBoard();
    const submit = thread.submit.bind(thread);
    const late: (() => void)[] = [];
    const slow = new Proxy(thread, {
      get: (target, key) =>
        key === "submit"
          ? async (...given: Parameters<typeof submit>) => {
              if (late.length === 0) await new Promise<void>((resolve) => late.push(resolve));
              return submit(...given);
            }
          : Reflect.get(target, key),
    });
    const calls = new HostCalls({ thread: slow, actor: planner });
    const made = Promise.all(["a", "b", "c"].map((id) => calls.run("add", card(id), call(id))));
    await expect.poll(() => late).toHaveLength(1);
    late[0]?.();
    await made;
    expect(thread.getState().cards.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("were chosen on one state, whatever others do between them", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.add(card("T-1")), { actor: ada });
    await thread.dispatch(board.op.add(card("T-2")), { actor: ada });
    const calls = new HostCalls({ thread, actor: planner });
    await calls.run("add", card("T-3"), call("1"));
    const [entry] = await thread.history({ limit: 1 });
    await thread.undo({ ids: [entry?.kind === "commit" ? entry.commit.id : ""] }, { actor: ada });
    await calls.run("add", card("T-4"), call("2"));
    const same = await calls.run("rename", { index: 0, title: "First" }, call("3"));
    expect(same.verdict).toMatchObject({ accepted: false, rejection: { reason: "other_thing" } });
    const next = await calls.run("rename", { index: 0, title: "First" }, call("4", "2"));
    expect(next.verdict?.accepted).toBe(true);
  });

  it("were chosen anew in another attempt, on what the model was shown since", async () => {
    const thread = await openBoard();
    const first = await thread.dispatch(board.op.add(card("T-1")), { actor: ada });
    await thread.dispatch(board.op.add(card("T-2")), { actor: ada });
    const calls = new HostCalls({ thread, actor: planner });
    await thread.undo({ ids: [first.accepted ? (first.commit?.id ?? "") : ""] }, { actor: ada });
    const rename = (callId: string, attempt: number) =>
      calls.run("rename", { index: 0, title: "First" }, { ...call(callId), attempt });
    const { verdict } = await rename("1", 1);
    expect(verdict).toMatchObject({ accepted: false, rejection: { reason: "other_thing" } });
    expect((await rename("1", 2)).verdict?.accepted).toBe(true);
  });

  it("fail alone", async () => {
    const thread = await openBoard();
    const calls = new HostCalls({ thread, actor: planner });
    const stopped = calls.run("add", card("T-1"), { ...call("1"), signal: AbortSignal.abort(new Error("stopped")) });
    const other = calls.run("add", card("T-2"), call("2"));
    await expect(stopped).rejects.toThrow("stopped");
    expect((await other).verdict?.accepted).toBe(true);
  });
});

describe("a question to a person", () => {
  const asking = async (log = memoryLog()) => {
    const thread = await openBoard(log);
    if (thread.version === 0) await thread.dispatch(board.op.add(card("T-1")), { actor: ada });
    return { thread, calls: new HostCalls({ thread, actor: planner, conversation: "chat", approver: ada }) };
  };

  it("is in words, and found again in another process", async () => {
    const log = memoryLog();
    const first = await asking(log);
    const open = await first.calls.ask("clear", {}, call("1"));
    expect(open?.question).toMatch(/^The agent asks for approval: .*\nIt would change: removed \/cards\/0/s);
    await first.thread.close();
    const { calls, thread } = await asking(log);
    expect((await calls.ask("clear", {}, call("1", "7")))?.proposal.id).toBe(open?.proposal.id);
    const { text, verdict } = await calls.run("clear", {}, call("1", "7"));
    expect(verdict?.accepted).toBe(true);
    expect(text).toContain('Approved by user "ada".');
    expect(thread.getState().cards).toEqual([]);
  });

  it("is not put for what needs none, is refused, or was decided", async () => {
    const { calls, thread } = await asking();
    expect(await calls.ask("add", card("T-2"), call("1"))).toBeUndefined();
    expect(await calls.ask("fly", {}, call("2"))).toBeUndefined();
    const open = await calls.ask("clear", {}, call("3"));
    await thread.decline(open?.proposal.id ?? "", { actor: ada, allows: () => true });
    expect(await calls.ask("clear", {}, call("3"))).toBeUndefined();
    expect((await calls.run("clear", {}, call("3"))).text).toContain("Refused (declined)");
  });

  it("is answered by a yes only where it was put", async () => {
    const { calls, thread } = await asking();
    const { proposal, text } = await calls.run("clear", {}, call("1"));
    expect(proposal).toBeDefined();
    expect(text).toContain("waits for a person's approval");
    expect(thread.getState().cards).toHaveLength(1);
  });

  it("of another call is not answered by this one's approval", async () => {
    const { calls, thread } = await asking();
    await calls.ask("clear", {}, call("1"));
    const { verdict } = await calls.run("add", card("T-2"), call("1"));
    expect(verdict).toMatchObject({ accepted: false, rejection: { code: "conflict", reason: "same_id" } });
    expect(thread.getState().cards).toHaveLength(1);
  });

  it("that was declined is answered the same again, without news", async () => {
    const { calls, thread } = await asking();
    await calls.ask("clear", {}, call("1"));
    const first = await calls.declined("clear", {}, call("1"), "Keep it");
    await thread.dispatch(board.op.add(card("T-9")), { actor: ada });
    const again = await calls.declined("clear", {}, call("1"), "Keep it");
    expect(first?.text).toContain('said: "Keep it"');
    expect(again?.text).toBe(first?.text);
    expect(again?.news).toBe("");
  });

  it("is not put by a no: the thread has no proposal then", async () => {
    const { calls, thread } = await asking();
    expect(await calls.declined("clear", {}, call("1"))).toBeUndefined();
    expect(await thread.proposals()).toEqual([]);
  });

  it("is never answered by the agent itself", async () => {
    const thread = await openBoard();
    const calls = new HostCalls({ thread, actor: planner, conversation: "chat", approver: planner });
    await calls.ask("clear", {}, call("1"));
    const { text } = await calls.run("clear", {}, call("1"));
    expect(text).toContain("The answer was not allowed (forbidden)");
  });
});

it("an agent's last commit is what it knows at least", async () => {
  const thread = await openBoard();
  await thread.dispatch(board.op.add(card("T-1")), { actor: planner });
  await thread.dispatch(board.op.add(card("T-2")), { actor: ada });
  expect(await lastCommitOf(thread, planner)).toBe(1);
  expect(await lastCommitOf(thread, { kind: "agent", id: "new" })).toBe(2);
});
