// A recording of a session: every state it had can be had again, from memory or from a file.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatSession, chatReducer, type ChatState } from "../../src/index.ts";

/** An agent that answers with the given events. */
const agent = (events: readonly object[]) =>
  async function* ({ threadId, runId }: { threadId: string; runId: string }) {
    yield { type: "RUN_STARTED", threadId, runId };
    yield* events;
    yield { type: "RUN_FINISHED", threadId, runId };
  };

const words = (count: number) => [
  { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" },
  ...Array.from({ length: count }, (_, index) => ({
    type: "TEXT_MESSAGE_CONTENT",
    messageId: "m1",
    delta: `${index} `,
  })),
  { type: "TEXT_MESSAGE_END", messageId: "m1" },
];

/**
 * The states of a session by the number of entries at the time. An entry that changes nothing
 * notifies no listener, so it has the state before it.
 */
function watch(session: ChatSession): (index: number) => ChatState | undefined {
  const states = new Map([[0, session.getState()]]);
  session.subscribe((state) => states.set(session.recording.length, state));
  return function at(index): ChatState | undefined {
    return index < 0 ? undefined : (states.get(index) ?? at(index - 1));
  };
}

describe("replayTo", () => {
  it("returns every state that the session had, and does not change the session", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constant({ type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta: "a" }),
            fc.constant({ type: "TOOL_CALL_CHUNK", toolCallId: "t1", toolCallName: "look", delta: "{}" }),
            fc.constant({ type: "STATE_SNAPSHOT", snapshot: { n: 0 } }),
            fc.constant({ type: "STATE_DELTA", delta: [{ op: "replace", path: "/n", value: 1 }] }),
            fc.constant({ type: "CUSTOM", name: "x", value: 1 }),
            fc.constant({ type: "NOT_AN_EVENT" }),
            fc.constant({ type: "TEXT_MESSAGE_CONTENT", messageId: "missing", delta: "x" }),
          ),
          { maxLength: 12 },
        ),
        async (events) => {
          let tick = 0;
          const session = new ChatSession({ transport: agent(events), clock: () => (tick += 1) });
          const states = watch(session);
          await session.send("Hi");
          await session.send("Again");
          const { length, entries } = session.recording;
          for (let index = 0; index <= length; index += 1) expect(session.replayTo(index)).toEqual(states(index));
          expect(entries.map(({ at }) => at)).toEqual(Array.from({ length }, (_, index) => index + 1));
          expect(session.getState()).toBe(states(length));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("throws for other states, and names those that it has", async () => {
    const session = new ChatSession({ transport: agent([]) });
    await session.send("Hi");
    for (const index of [-1, 4, 1.5, Number.NaN]) expect(() => session.replayTo(index)).toThrow(RangeError);
    expect(() => session.replayTo(4)).toThrow("knows the states 0 to 3, not 4");
  });

  async function longSession() {
    const session = new ChatSession({ transport: agent(words(3_000)), recordingLimit: 1_000 });
    const states = watch(session);
    await session.send("Hi");
    const { first, length } = session.recording;
    return { session, states, first, length };
  }

  it("of a long session has between half of its limit and one and a half", async () => {
    const { first, length } = await longSession();
    expect(length).toBe(3_005);
    expect(length - first).toBeLessThan(1_600);
    expect(length - first).toBeGreaterThanOrEqual(500);
  });

  it("of a long session goes back to the first state that it still has", async () => {
    const { session, states, first, length } = await longSession();
    for (const index of [first, first + 1, first + 499, first + 500, first + 501, length - 1, length])
      expect(session.replayTo(index)).toEqual(states(index));
    expect(() => session.replayTo(first - 1)).toThrow(RangeError);
  });

  it("of a long session is the same when it is read from its export", async () => {
    const { session, states, first } = await longSession();
    const again = ChatSession.fromRecording(session.exportRecording(), { url: "" });
    expect(again.recording.first).toBe(first);
    expect(again.replayTo(first + 7)).toEqual(states(first + 7));
    expect(again.getState()).toEqual(session.getState());
  });
});

describe("a recording that is read while it grows", () => {
  it("reports each entry, with the state of that moment, also when an entry changes nothing", async () => {
    const session = new ChatSession({
      transport: agent([{ type: "NEWER_THAN_THIS" }, { type: "NEWER_THAN_THIS" }, ...words(2)]),
    });
    const moments = [session.recording.getState()];
    session.recording.subscribe((next, previous) => {
      expect(previous).toBe(moments.at(-1));
      expect(next.state).toBe(session.getState());
      moments.push(next);
    });
    await session.send("Hi");
    expect(moments.map(({ length }) => length)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { state, length, entries } of moments) {
      expect(state).toEqual(session.replayTo(length));
      expect(entries).toEqual(session.recording.entries.slice(0, length));
    }
    expect(moments[3]?.state).toBe(moments[4]?.state);
  });

  it("keeps what it gave when its oldest entries are dropped, and when it begins again", async () => {
    const session = new ChatSession({ transport: agent(words(3_000)), recordingLimit: 1_000 });
    let early = session.recording.getState();
    session.recording.subscribe((next) => {
      if (next.length === 1_200) early = next;
    });
    await session.send("Hi");
    await session.clear();
    expect(session.recording.getState()).toMatchObject({ state: session.getState(), first: 0, length: 0, entries: [] });
    expect(early.entries).toHaveLength(early.length - early.first);
    expect(early.entries.at(-1)).toMatchObject({ event: { delta: "1196 " } });
  });

  it("goes on after a while without a listener, and a subscription ends once", async () => {
    const session = new ChatSession({ transport: agent(words(1)) });
    const lengths: (readonly [number, number])[] = [];
    const listen = () =>
      session.recording.subscribe((next, previous) => lengths.push([previous.length, next.length] as const));
    const [unsubscribe, other] = [listen(), listen()];
    unsubscribe();
    unsubscribe();
    other();
    await session.send("Hi");
    expect(lengths).toEqual([]);
    const { length } = session.recording.getState();
    listen();
    await session.send("Again");
    expect(lengths[0]).toEqual([length, length + 1]);
    expect(session.recording.getState()).toBe(session.recording.getState());
  });

  it("has its new value before any listener of the session is called, and an error of one stops none", async () => {
    const errors: unknown[] = [];
    const session = new ChatSession({ transport: agent(words(1)), onError: (error) => errors.push(error) });
    const broken = new Error("A listener that throws");
    const seen: (readonly [ChatState, ChatState])[] = [];
    session.subscribe((state) => seen.push([state, session.recording.getState().state]));
    session.recording.subscribe(() => {
      throw broken;
    });
    await session.send("Hi");
    expect(seen.length).toBeGreaterThan(3);
    for (const [state, recorded] of seen) expect(recorded).toBe(state);
    expect(errors).toEqual(session.recording.entries.map(() => broken));
  });
});

describe("a recording as JSON Lines", () => {
  /** A session with one run that ended and one whose stream failed. */
  async function recorded() {
    let broken = false;
    const session = new ChatSession({
      threadId: "launch",
      transport: async function* (input) {
        if (broken) throw new Error("The line is dead");
        yield* agent(words(3))(input);
      },
    });
    await session.send("Hi");
    broken = true;
    await session.send("There?");
    expect(session.getState()).toMatchObject({
      phase: "error",
      error: { kind: "transport", message: "The line is dead" },
    });
    return { session, text: session.exportRecording() };
  }

  it("is a header and a line for each entry", async () => {
    const { session, text } = await recorded();
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(session.recording.length + 1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      format: "opstate.recording",
      version: 1,
      threadId: "launch",
      first: 0,
    });
    expect(Object.keys(JSON.parse(lines[1] ?? ""))).toEqual(["at", "send"]);
  });

  it("has every state when it is read again, errors of the stream included, and the session goes on", async () => {
    const { session, text } = await recorded();
    const again = ChatSession.fromRecording(text, { transport: agent([]) });
    expect(again.threadId).toBe("launch");
    for (let index = 0; index <= session.recording.length; index += 1)
      expect(again.replayTo(index)).toEqual(session.replayTo(index));
    expect((await again.send("Now?")).phase).toBe("idle");
  });

  it("replays with the reducer of the application", async () => {
    type Counting = ChatState & { readonly seen: number };
    const reducer = (state: Counting, event: unknown): Counting => ({
      ...chatReducer(state, event),
      seen: state.seen + 1,
    });
    const initial: Counting = { ...new ChatSession({ url: "" }).getState(), seen: 0 };
    const session = new ChatSession<Counting>({ transport: agent(words(2)), reducer, initial });
    const { seen } = await session.send("Hi");
    expect(seen).toBe(6);
    expect(session.replayTo(3).seen).toBe(2);
    expect(
      ChatSession.fromRecording<Counting>(session.exportRecording(), { transport: agent([]), reducer }).getState().seen,
    ).toBe(6);
  });

  it.each([
    ["", "Line 1 is not the head"],
    ["{}\n", "Line 1 is not the head"],
    ["{oops\n", "Line 1 of the recording is not JSON"],
  ])("says which line is none of it: %j", (text, message) => {
    expect(() => ChatSession.fromRecording(text, { url: "" })).toThrow(message);
  });

  it("names the line of an invalid entry", async () => {
    const session = new ChatSession({ transport: agent([]) });
    await session.send("Hi");
    expect(() => ChatSession.fromRecording(`${session.exportRecording()}{"at":1}\n`, { url: "" })).toThrow(
      "Line 5 is not an entry",
    );
  });
});
