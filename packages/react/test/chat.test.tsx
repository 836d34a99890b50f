import { ChatSession, type ChatState } from "@opstate/ag-ui";
import { useChat } from "@opstate/react";
import { StrictMode } from "react";
import { render, renderHook } from "vitest-browser-react";
import { expect, expectTypeOf, test } from "vitest";

/** An agent that says a given text, word by word, and waits before the last one. */
function speaker(words: readonly string[]) {
  let go: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => (go = resolve));
  const session = new ChatSession({
    async *transport({ threadId, runId }) {
      yield { type: "RUN_STARTED", threadId, runId };
      yield { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" };
      for (const [index, delta] of words.entries()) {
        if (index === words.length - 1) await waits;
        yield { type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta };
      }
      yield { type: "TEXT_MESSAGE_END", messageId: "m1" };
      yield { type: "RUN_FINISHED", threadId, runId };
    },
  });
  return { session, go: () => go() };
}

const text = ({ messages }: Pick<ChatState, "messages">) =>
  messages
    .map((message) => ("content" in message && typeof message.content === "string" ? message.content : ""))
    .join(" | ");

test("shows a conversation while it grows", async () => {
  const { session, go } = speaker(["Hel", "lo"]);
  function Conversation() {
    const { messages, phase, send } = useChat(session);
    return <button onClick={() => void send("Hi")}>{[phase, text({ messages })].join(": ")}</button>;
  }
  const screen = await render(
    <StrictMode>
      <Conversation />
    </StrictMode>,
  );
  expect(screen.container.textContent).toBe("idle: ");
  await screen.getByRole("button").click();
  await expect.poll(() => screen.container.textContent).toBe("running: Hi | Hel");
  go();
  await expect.poll(() => screen.container.textContent).toBe("idle: Hi | Hello");
});

test("its functions are the same on each render, and a component renders for its slice only", async () => {
  const { session, go } = speaker(["a", "b"]);
  let renders = 0;
  const slice = await renderHook(() => {
    renders += 1;
    return useChat(session, (chat) => chat.interrupts.length);
  });
  const { result, rerender } = await renderHook(() => useChat(session));
  const first = result.current;
  await rerender();
  expect(result.current).toBe(first);
  const before = renders;
  go();
  const sent = first.send("Hi");
  await expect.poll(() => text(result.current)).toBe("Hi | ab");
  await sent;
  for (const call of ["send", "resume", "abort", "clear"] as const) expect(result.current[call]).toBe(first[call]);
  expect(slice.result.current).toBe(0);
  expect(renders).toBe(before);
  expectTypeOf(result.current.phase).toEqualTypeOf<ChatState["phase"]>();
});

test("follows another session when it is given one, and ends a run", async () => {
  const one = speaker(["one", "never"]);
  const two = speaker(["two"]);
  const { result, rerender } = await renderHook(({ session }: { session: ChatSession } = one) => useChat(session));
  void result.current.send("Hi");
  await expect.poll(() => text(result.current)).toBe("Hi | one");
  result.current.abort();
  await expect.poll(() => result.current.phase).not.toBe("running");
  await rerender(two);
  expect(result.current.messages).toEqual([]);
  two.go();
  await result.current.send("Ho");
  await expect.poll(() => text(result.current)).toBe("Ho | two");
  await result.current.clear();
  await expect.poll(() => result.current.messages).toEqual([]);
});

test("shows tokens that arrive within one frame together", async () => {
  const { session, go } = speaker(Array.from({ length: 500 }, (_, index) => `${index} `));
  let renders = 0;
  const { result } = await renderHook(() => {
    renders += 1;
    return useChat(session, text);
  });
  go();
  await session.send("Count");
  await expect.poll(() => result.current).toContain("499");
  expect(renders).toBeLessThan(250);
});
