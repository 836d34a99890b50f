// What a page shows of an agent's calls before they have a verdict.

import { intentsReader } from "@opstate/client/binding";
import { intentsOf } from "@opstate/client/intents";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../tally.ts";
import { desk, openDesk } from "./desk.ts";

let page: Awaited<ReturnType<typeof openDesk>>;
beforeEach(async () => void (page = await openDesk()));
afterEach(() => page.close());

const titles = (list = 0) =>
  intentsOf(page.thread)
    .getState()
    .view.lists[list]?.cards.map(({ title }) => title);
const begin = (type: string, id = "call_1", runId = "run_1") => intentsOf(page.thread).open({ id, type, runId });

describe("an intent", () => {
  it("shows a card while its title is still written, and leaves the thread as it is", () => {
    const before = page.thread.getState();
    const call = begin("add");
    const seen = ['{"list":"todo","ti', 'tle":"Wri', "te do", 'cs"', "}"].map((text) => {
      call.write(text);
      return titles()?.[2];
    });
    expect(seen).toEqual([undefined, "Wri", "Write do", "Write docs", "Write docs"]);
    expect(page.thread.getState()).toBe(before);
    expect(page.authority.version).toBe(0);
  });

  it("says whose it is, what it would change, and how far it is", () => {
    const intents = intentsOf(page.thread);
    const call = begin("add");
    call.write('{"list":"todo","title":"Wri');
    const [intent] = intents.getState().intents;
    expect(intent).toMatchObject({
      id: "call_1",
      runId: "run_1",
      actor: { kind: "agent", id: "agent" },
      type: "add",
      input: { list: "todo", title: "Wri" },
      status: "writing",
    });
    expect(intent?.changes).toContainEqual({
      what: "add",
      pointer: "/lists/0/cards/2",
      value: expect.objectContaining({ title: "Wri" }),
    });
    call.write('te"}');
    expect(intents.getState().intents[0]?.status).toBe("waiting");
  });

  it("points at nothing by the beginning of an id", () => {
    const call = begin("retitle");
    call.write('{"title":"New","card":"T-4');
    expect(titles()).toEqual(["Plan", "Sing"]);
    call.write("2");
    expect(titles()).toEqual(["Plan", "Sing"]);
    call.write('"');
    expect(titles()).toEqual(["Plan", "New"]);
  });

  it("without a free text is shown when all of it is there: what comes may change its meaning", () => {
    const call = begin("move");
    call.write('{"to":"done","card":"T-4"');
    expect(titles(1)).toEqual([]);
    call.write("}");
    expect(titles(1)).toEqual(["Plan"]);
    expect(intentsOf(page.thread).getState().intents[0]?.changes).toContainEqual({
      what: "move",
      pointer: "/lists/1/cards/0",
      value: page.thread.getState().lists[0]?.cards[0],
    });
  });

  it("that removes something is there, and never previewed", () => {
    const { view } = intentsOf(page.thread).getState();
    begin("remove").write('{"card":"T-4","why":"Old"}');
    begin("swap", "call_2").write('{"card":"T-4","title":"Other"}');
    const state = intentsOf(page.thread).getState();
    expect(state.view).toBe(view);
    expect(state.intents.map(({ type, changes }) => [type, changes])).toEqual([
      ["remove", []],
      ["swap", []],
    ]);
  });

  it("that would be refused is not previewed", () => {
    const call = begin("add");
    call.write('{"list":"nowhere","title":"Wri');
    expect(titles(0)).toEqual(["Plan", "Sing"]);
    call.end();
    begin("add").write(`{"list":"todo","title":"${"long ".repeat(20)}`);
    expect(titles(0)).toEqual(["Plan", "Sing"]);
  });

  it("of arguments that are no JSON is not previewed", () => {
    const call = begin("add");
    call.write('{"list":"todo","title":"Wri');
    expect(titles()).toHaveLength(3);
    call.write('te" oops');
    expect(titles()).toHaveLength(2);
  });

  it("of a tool that is no operation is none", () => {
    begin("searchTheWeb").write('{"query":"x"}');
    expect(intentsOf(page.thread).getState().intents).toEqual([]);
  });

  it("is shown on top of what others commit meanwhile", async () => {
    const intents = intentsOf(page.thread);
    begin("add").write('{"list":"todo","title":"Wri');
    await page.authority.submit(desk.op.add({ list: "todo", title: "Theirs" }), { actor: { kind: "user", id: "bob" } });
    await until("their card", () => page.thread.getState().lists[0]?.cards.length === 3);
    expect(titles()).toEqual(["Plan", "Sing", "Theirs", "Wri"]);
    expect(intents.getState().intents).toHaveLength(1);
  });

  it("keeps what it does not change, so that nothing else is drawn again", () => {
    const before = page.thread.getState();
    const call = begin("add");
    for (const text of ['{"list":"todo","title":"W', "r", "i", "t"]) {
      call.write(text);
      const { view } = intentsOf(page.thread).getState();
      expect(view.lists[1]).toBe(before.lists[1]);
      expect(view.lists[0]?.cards[0]).toBe(before.lists[0]?.cards[0]);
    }
  });
});

describe("the end of an intent", () => {
  it("is its commit: in that moment every reader finds it gone", async () => {
    const seen: unknown[] = [];
    const look = (by: string) => () => {
      const { view, intents } = intentsOf(page.thread).getState();
      seen.push([by, view.lists[0]?.cards.length, intents.length]);
    };
    // Before and after the intents themselves learn of it.
    page.thread.subscribe(look("state"));
    page.thread.onCommit(look("early"));
    begin("add").write('{"list":"todo","title":"Write"}');
    page.thread.onCommit(look("late"));
    look("before")();
    await page.submit(desk.op.add({ list: "todo", title: "Write" }), { toolCallId: "call_1", runId: "run_1" });
    await until("the commit", () => seen.length === 4);
    expect(seen).toEqual([
      ["before", 3, 1],
      ["state", 3, 0],
      ["early", 3, 0],
      ["late", 3, 0],
    ]);
  });

  it("is a refusal, which stays to be shown until it is forgotten", async () => {
    const intents = intentsOf(page.thread);
    begin("retitle").write('{"card":"T-4","title":"Wri');
    await page.submit({ type: "retitle", card: "T-5", title: "Write" }, { toolCallId: "call_1", runId: "run_1" });
    await until("the refusal", () => intents.getState().refused.length === 1);
    const { view, intents: open, refused } = intents.getState();
    expect([view, open]).toEqual([page.thread.getState(), []]);
    expect(refused[0]).toMatchObject({
      id: "call_1",
      status: "refused",
      rejection: { reason: "card_not_found", message: 'No card "T-5"' },
    });
    expect(refused[0]?.changes).toContainEqual({ what: "change", pointer: "/lists/0/cards/0/title", value: "Wri" });
    intents.forget("call_1");
    expect(intents.getState().refused).toEqual([]);
  });

  it("is what its feed says of it", () => {
    const intents = intentsOf(page.thread);
    const call = begin("add");
    call.write('{"list":"todo","title":"Write"}');
    call.end({ accepted: false, rejection: { message: "Not now" } });
    call.write("more");
    expect(intents.getState().intents).toEqual([]);
    expect(intents.getState().refused[0]?.rejection.message).toBe("Not now");
  });

  it("waits for the version in which it was accepted, so that the card does not vanish in between", async () => {
    const intents = intentsOf(page.thread);
    const counts: unknown[] = [];
    const call = begin("add");
    call.write('{"list":"todo","title":"Write"}');
    call.end({ accepted: true, version: 1 });
    call.end();
    expect(titles()).toEqual(["Plan", "Sing", "Write"]);
    intents.subscribe(({ view }) => counts.push(view.lists[0]?.cards.length));
    await page.submit(desk.op.add({ list: "todo", title: "Write" }), { toolCallId: "another", runId: "run_1" });
    await until("the commit", () => intents.getState().intents.length === 0);
    expect(titles()).toEqual(["Plan", "Sing", "Write"]);
    expect(counts.filter((count) => count !== 3)).toEqual([]);
  });

  it("came before its beginning when the feed is slower than the thread", async () => {
    const intents = intentsOf(page.thread);
    const stop = intents.watch();
    await page.submit(desk.op.add({ list: "todo", title: "Write" }), { toolCallId: "call_1", runId: "run_1" });
    await until("the commit", () => page.thread.getState().lists[0]?.cards.length === 3);
    begin("add").write('{"list":"todo","title":"Write"}');
    expect(titles()).toEqual(["Plan", "Sing", "Write"]);
    begin("add", "call_1", "run_2").write('{"list":"todo","title":"Again"}');
    expect(titles()).toEqual(["Plan", "Sing", "Write", "Again"]);
    stop();
  });
});

describe("two agents", () => {
  it("are shown at once, and end one by one", async () => {
    const intents = intentsOf(page.thread);
    const [first, second] = [begin("add", "a", "run_a"), begin("add", "b", "run_b")];
    first.write('{"list":"todo","title":"On');
    second.write('{"list":"todo","title":"Tw');
    expect(titles()).toEqual(["Plan", "Sing", "On", "Tw"]);
    first.write("e");
    second.write("o");
    expect(titles()).toEqual(["Plan", "Sing", "One", "Two"]);
    await page.submit(desk.op.add({ list: "todo", title: "One" }), { toolCallId: "a", runId: "run_a" });
    await until("the first", () => intents.getState().intents.length === 1);
    second.write("!");
    expect(titles()).toEqual(["Plan", "Sing", "One", "Two!"]);
  });
});

describe("a reader of intents", () => {
  it("has the state of the thread until something feeds them, and then what is fed", async () => {
    const reader = intentsReader(page.thread);
    const seen: (readonly [number, string | undefined])[] = [];
    const stop = reader.subscribe(({ intents, view }) => seen.push([intents.length, view.lists[0]?.cards[2]?.title]));
    expect(reader.getState()).toEqual({ view: page.thread.getState(), intents: [], refused: [] });
    void page.thread.dispatch(desk.op.add({ list: "todo", title: "Own" }));
    expect(seen.at(-1)).toEqual([0, "Own"]);
    await until("the verdict", () => page.thread.sync.getState().pending.length === 0);

    const call = begin("add");
    call.write('{"list":"todo","position":2,"title":"Wri');
    expect(seen.at(-1)).toEqual([1, "Wri"]);
    expect(reader.getState()).toBe(intentsOf(page.thread).getState());
    stop();
    call.end();
    expect(seen.at(-1)).toEqual([1, "Wri"]);
  });

  it("is one object for a thread, and gives one state while nothing changes", () => {
    const reader = intentsReader(page.thread);
    expect(intentsReader(page.thread)).toBe(reader);
    expect(reader.getState()).toBe(reader.getState());
  });
});
