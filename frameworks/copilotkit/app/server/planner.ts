// An agent without a model: it does what the message says, step by step. "add Tea; until Milk;
// remove Tea" adds a card, waits until there is a card "Milk", and asks whether it may remove one.

import { AgentSession } from "@opstate/agent";
import type { StateOf, Thread } from "@opstate/core";
import type { Agent, AgentEvent, AgentRun } from "@opstate/server";
import { randomUUID } from "node:crypto";
import type { board } from "../board.ts";

const actor = { kind: "agent", id: "planner" };

/** Ids are of their own: after an interrupt CopilotKit sends the id of the run before. */
export const planner: Agent = async function* (run) {
  const { thread, input, decisions, signal } = run;
  if (decisions.length > 0) {
    const words = decisions.map(({ approved, verdict }) =>
      verdict.accepted ? `It was ${approved ? "approved" : "declined"}.` : verdict.rejection.message,
    );
    return yield says(words.join(" "));
  }
  const session = new AgentSession({ thread, actor, runId: input.runId });
  for (const [word = "", text = ""] of stepsOf(input)) {
    signal.throwIfAborted();
    const { cards } = stateOf(thread);
    const cardId = cards.find(({ title }) => title === text)?.cardId ?? text;
    if (word === "until") await cardThere(thread, text, signal);
    else if (word === "add") yield* calls(session, "add", { cardId: `T-${cards.length + 1}`, title: text });
    else if (word === "agree") yield* calls(session, "agree", { isAgreed: true });
    else if (word === "remove") yield* calls(session, "remove", { cardId });
    else if (word === "rename") yield* renames(run, session, text);
  }
  yield says("Done.");
};

function stepsOf({ messages }: AgentRun["input"]): readonly (readonly string[])[] {
  const { content } = messages.findLast(({ role }) => role === "user") ?? {};
  const steps = typeof content === "string" ? content.split("; ") : [];
  return steps.map((step) => [step.split(" ", 1)[0] ?? "", step.slice(step.indexOf(" ") + 1)]);
}

const says = (delta: string): AgentEvent => ({
  type: "TEXT_MESSAGE_CHUNK",
  messageId: randomUUID(),
  role: "assistant",
  delta,
});

async function* calls(session: AgentSession, name: string, input: object, pieces = piecesOf(input)) {
  const toolCallId = randomUUID();
  yield { type: "TOOL_CALL_START", toolCallId, toolCallName: name } as const;
  for await (const delta of pieces) yield { type: "TOOL_CALL_ARGS", toolCallId, delta } as const;
  yield { type: "TOOL_CALL_END", toolCallId } as const;
  const { text } = await session.execute(name, input, { callId: toolCallId });
  yield { type: "TOOL_CALL_RESULT", messageId: randomUUID(), toolCallId, content: text } as const;
}

async function* piecesOf(input: object) {
  yield JSON.stringify(input);
}

/**
 * "rename Ha|lf when Go|way" writes the title in three pieces, the last when there is a card "Go".
 */
async function* renames({ thread, signal }: AgentRun, session: AgentSession, text: string) {
  const pieces = text.split("|").map((piece) => piece.split(" when "));
  async function* written() {
    yield '{"title":"';
    for (const [piece = "", card] of pieces) {
      yield piece;
      if (card !== undefined) await cardThere(thread, card, signal);
    }
    yield '"}';
  }
  const prediction = { state_key: "title", tool: "rename", tool_argument: "title" };
  yield { type: "CUSTOM", name: "PredictState", value: [prediction] } as const;
  yield* calls(session, "rename", { title: pieces.map(([piece]) => piece).join("") }, written());
}

function cardThere(thread: Thread, title: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (stateOf(thread).cards.some((card) => card.title === title)) end(resolve);
    };
    const end = (then: () => void) => {
      stop();
      then();
    };
    const stop = thread.onCommit(look);
    signal.addEventListener("abort", () => end(() => reject(signal.reason)), { once: true });
    look();
  });
}

const stateOf = (thread: Thread) => thread.getState() as StateOf<typeof board>;
