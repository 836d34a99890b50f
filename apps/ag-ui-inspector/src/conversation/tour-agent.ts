// A scripted agent in the page, without model and server. It sends one of every kind of event, to
// show every part of the page. One patch is wrong on purpose, and one event is unknown to this
// protocol.

import type { AgentTransport } from "@opstate/ag-ui";

const PAUSE_MS = 24;

export const tourAgent: AgentTransport = async function* tour({ threadId, runId, resume, messages }) {
  const id = (name: string) => `${runId}-${name}`;
  yield { type: "RUN_STARTED", threadId, runId };
  const events = resume === undefined ? firstHalf(id, messages.length) : secondHalf(id, resume[0]?.payload);
  for (const event of events) {
    await pause();
    yield event;
  }
  const outcome = resume === undefined ? { type: "interrupt", interrupts: [question(id("ask"))] } : { type: "success" };
  yield { type: "RUN_FINISHED", threadId, runId, outcome };
};

type Id = (name: string) => string;

function* firstHalf(id: Id, turn: number) {
  yield { type: "STEP_STARTED", stepName: "think" };
  yield* reasoning(
    id("reasoning"),
    "Four guests, one of them vegetarian. A soup, a risotto, and something sweet that can wait.",
  );
  yield { type: "STEP_FINISHED", stepName: "think" };
  yield { type: "STEP_STARTED", stepName: "plan the dinner" };
  const plan = id("plan");
  yield {
    type: "ACTIVITY_SNAPSHOT",
    messageId: plan,
    activityType: "PLAN",
    content: { done: [], next: ["soup", "risotto", "dessert"] },
  };
  yield { type: "STATE_SNAPSHOT", snapshot: { guests: 4, menu: [], shopping: { bread: 1 }, note: "" } };
  yield* text(
    id("intro"),
    `Let me plan a dinner for four${turn > 1 ? ", once more" : ""}. I start with what is in season.`,
  );
  yield* toolCall(id("search"), id("intro"), "searchRecipes", '{"season":"autumn","vegetarian":true,"limit":3}');
  const found = JSON.stringify({ recipes: ["Pumpkin soup", "Mushroom risotto", "Baked pears"] });
  yield { type: "TOOL_CALL_RESULT", messageId: id("found"), toolCallId: id("search"), content: found };
  yield {
    type: "STATE_DELTA",
    delta: [
      { op: "add", path: "/menu/-", value: { dish: "Pumpkin soup", minutes: 35 } },
      { op: "add", path: "/menu/-", value: { dish: "Mushroom risotto", minutes: 40 } },
    ],
  };
  yield {
    type: "ACTIVITY_DELTA",
    messageId: plan,
    activityType: "PLAN",
    patch: planned("soup", ["risotto", "dessert"]),
  };
  const helper = {
    subagentRunId: id("helper"),
    name: "shopping list",
    description: "Counts what is missing in the kitchen",
  };
  yield { type: "SUBAGENT_STARTED", ...helper };
  yield { type: "STATE_DELTA", delta: [{ op: "add", path: "/shopping/pumpkin", value: 2 }] };
  yield { type: "SUBAGENT_FINISHED", subagentRunId: id("helper"), result: { items: 2 } };
  yield { type: "STATE_DELTA", delta: [{ op: "replace", path: "/wine/0", value: "Riesling" }] };
  yield { type: "CUSTOM", name: "estimate", value: { minutes: 75, cost: 38 } };
  yield { type: "WEATHER_REPORT", sky: "clear" };
  yield { type: "STEP_FINISHED", stepName: "plan the dinner" };
  yield* text(id("ask-text"), "Soup and risotto are set. Before I go on I need a decision from you.");
}

function* secondHalf(id: Id, answer: unknown) {
  const given: Readonly<Record<string, unknown>> = typeof answer === "object" && answer !== null ? { ...answer } : {};
  const dessert = typeof given["dessert"] === "string" ? given["dessert"] : "no dessert";
  const servings = typeof given["servings"] === "number" ? given["servings"] : 4;
  yield { type: "STATE_DELTA", delta: [{ op: "add", path: "/menu/-", value: { dish: dessert, servings } }] };
  yield {
    type: "STATE_DELTA",
    delta: [{ op: "replace", path: "/note", value: "Start the pears before the risotto." }],
  };
  yield* text(
    id("done"),
    `Good: ${dessert}, for ${servings}. The menu is complete, and the shopping list is in the state.`,
  );
}

function* text(messageId: string, words: string) {
  yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
  for (const delta of words.split(/(?<= )/)) yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
  yield { type: "TEXT_MESSAGE_END", messageId };
}

function* reasoning(messageId: string, words: string) {
  yield { type: "REASONING_START", messageId };
  yield { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" };
  for (const delta of words.split(/(?<= )/)) yield { type: "REASONING_MESSAGE_CONTENT", messageId, delta };
  yield { type: "REASONING_MESSAGE_END", messageId };
  yield { type: "REASONING_END", messageId };
}

function* toolCall(toolCallId: string, parentMessageId: string, toolCallName: string, json: string) {
  yield { type: "TOOL_CALL_START", toolCallId, toolCallName, parentMessageId };
  for (const delta of json.match(/.{1,9}/g) ?? []) yield { type: "TOOL_CALL_ARGS", toolCallId, delta };
  yield { type: "TOOL_CALL_END", toolCallId };
}

const planned = (done: string, next: readonly string[]) => [
  { op: "add", path: "/done/-", value: done },
  { op: "replace", path: "/next", value: next },
];

const question = (id: string) => ({
  id,
  reason: "confirmation",
  message: "Which dessert, and for how many?",
  responseSchema: {
    type: "object",
    properties: {
      dessert: { type: "string", enum: ["Baked pears", "Chocolate mousse", "Cheese"], title: "Dessert" },
      servings: { type: "integer", title: "Servings" },
      coffee: { type: "boolean", title: "Coffee afterwards" },
    },
    required: ["dessert", "servings"],
  },
});

/** A stopped session does not wait for it. */
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
