// What a token costs a list of 1,000 messages that renders each in a component of its own: one of
// them renders, whose text it is.

import { ChatSession, type ChatState, chatReducer, initialChatState } from "@opstate/ag-ui";
import { useChat } from "@opstate/react";
import { memo } from "react";
import { render } from "vitest-browser-react";
import { expect, test } from "vitest";

const LENGTH = 1_000;
const TOKENS = 50;

type Message = ChatState["messages"][number];

/**
 * A conversation of 1,000 messages, and an agent whose tokens come one by one, when they are
 * requested.
 */
function conversation() {
  const events = Array.from({ length: LENGTH }, (_, index) => [
    { type: "TEXT_MESSAGE_START", messageId: `m${index}`, role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: `m${index}`, delta: "hello" },
    { type: "TEXT_MESSAGE_END", messageId: `m${index}` },
  ]).flat();
  const start = { type: "RUN_STARTED", threadId: "t", runId: "r0" };
  const end = { type: "RUN_FINISHED", threadId: "t", runId: "r0" };
  const initial = [start, ...events, end].reduce<ChatState>(chatReducer, initialChatState());
  let next: () => void = () => undefined;
  const asked = () => new Promise<void>((resolve) => (next = resolve));
  const session = new ChatSession({
    initial,
    async *transport({ threadId, runId }) {
      yield { type: "RUN_STARTED", threadId, runId };
      yield { type: "TEXT_MESSAGE_START", messageId: "live", role: "assistant" };
      for (let token = 0; token < TOKENS; token++) {
        await asked();
        yield { type: "TEXT_MESSAGE_CONTENT", messageId: "live", delta: "x" };
      }
      await asked();
      yield { type: "TEXT_MESSAGE_END", messageId: "live" };
      yield { type: "RUN_FINISHED", threadId, runId };
    },
  });
  return { session, next: () => next() };
}

test("a token renders the list and one of 1,000 messages", async () => {
  const { session, next } = conversation();
  const renders = { list: 0, message: 0 };
  const Line = memo(function Line({ message }: { readonly message: Message }) {
    renders.message += 1;
    return <li>{"content" in message ? typeof message.content === "string" && message.content : ""}</li>;
  });
  function List() {
    const messages = useChat(session, (chat) => chat.messages);
    renders.list += 1;
    return (
      <ul>
        {messages.map((message) => (
          <Line key={message.id} message={message} />
        ))}
      </ul>
    );
  }
  const screen = await render(<List />);
  const last = () => screen.container.querySelector("li:last-child")?.textContent;
  void session.send("go");
  await expect.poll(() => screen.container.querySelectorAll("li").length).toBe(LENGTH + 2);
  Object.assign(renders, { list: 0, message: 0 });
  for (let token = 1; token <= TOKENS; token++) {
    next();
    await expect.poll(last, { interval: 1 }).toBe("x".repeat(token));
  }
  expect(renders).toEqual({ list: TOKENS, message: TOKENS });
});
