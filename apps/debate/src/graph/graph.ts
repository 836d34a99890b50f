// The debate as a graph.
//
//   open -> optimist -> skeptic -> fact check -> moderator -> end (after the last round)
//    ^                                                |
//    +------------ approval (a person decides) <------+
//
// Invariants:
// - A node writes nothing before its interrupt, because LangGraph runs the node again.
// - An aborted node writes nothing, so the debate continues after the node before it.

import { EventType } from "@ag-ui/core";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { Command, END, type LangGraphRunnableConfig, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { agentStateSchema } from "@opstate/langgraph";
import { DEFAULT_ROUNDS } from "../debate/limits.ts";
import { debateState, isDebatersTurn, turnId } from "../debate/state.ts";
import type { Agent } from "../debate/speakers.ts";
import { askToContinue, remarkTurn } from "./approval.ts";
import { readFacts } from "./fact-check.ts";
import { factPrompt } from "./prompts.ts";
import { type Clock, speak } from "./speak.ts";

const schema = agentStateSchema(debateState);
type State = typeof schema.State;

export interface DebateGraphOptions {
  readonly model: BaseChatModel;
  readonly checkpointer: BaseCheckpointSaver;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export type DebateGraph = ReturnType<typeof createDebateGraph>;

export function createDebateGraph({ model, checkpointer, clock = () => new Date() }: DebateGraphOptions) {
  const now = () => clock().toISOString();
  const says = (speaker: Agent) =>
    step(speaker, (state: State, config) => speak(speaker, state, { model, clock }, config));

  function open({ topic, maxRounds, startedAt }: State) {
    if (topic.trim() !== "")
      return { round: 1, startedAt: startedAt || now(), ...(maxRounds === 0 && { maxRounds: DEFAULT_ROUNDS }) };
    const problem = "There is no topic to debate. Start a debate with a topic.";
    const [id, at] = [turnId(0, "moderator"), now()];
    return {
      status: "error" as const,
      problem,
      messages: [new AIMessage({ id, name: "moderator", content: problem })],
      turns: [
        { id, speaker: "moderator" as const, round: 0, startedAt: at, endedAt: at, inputTokens: 0, outputTokens: 0 },
      ],
      startedAt: startedAt || at,
      endedAt: at,
    };
  }

  async function checkFacts({ topic, round, turns, messages }: State, config: LangGraphRunnableConfig) {
    const said = turns
      .filter((turn) => turn.round === round && isDebatersTurn(turn))
      .map(({ id }) => ({ turn: id, text: messages.find((message) => message.id === id)?.text ?? "" }));
    const answer = await model.invoke(factPrompt(topic, said), config);
    const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = answer.usage_metadata ?? {};
    return { facts: readFacts(answer, said), inputTokens, outputTokens };
  }

  async function moderate(state: State, config: LangGraphRunnableConfig) {
    const speech = await speak("moderator", state, { model, clock }, config);
    return state.round < state.maxRounds ? speech : { ...speech, status: "completed" as const, endedAt: now() };
  }

  function approve(state: State, config: LangGraphRunnableConfig) {
    const answer = askToContinue(state);
    if (answer.decision === "stop")
      return new Command({ goto: END, update: { status: "completed", stopped: true, endedAt: now() } });
    return new Command({
      goto: "open",
      ...(answer.word !== undefined && { update: remarkTurn(answer.word, state.round, clock, config) }),
    });
  }

  const unlessOver = (next: "optimist" | "approval") => (state: State) => (state.status === "running" ? next : END);
  return new StateGraph(schema)
    .addNode("open", open)
    .addNode("optimist", says("optimist"))
    .addNode("skeptic", says("skeptic"))
    .addNode("factCheck", step("fact check", checkFacts))
    .addNode("moderator", step("moderator", moderate))
    .addNode("approval", approve, { ends: ["open", END] })
    .addEdge(START, "open")
    .addConditionalEdges("open", unlessOver("optimist"), ["optimist", END])
    .addEdge("optimist", "skeptic")
    .addEdge("skeptic", "factCheck")
    .addEdge("factCheck", "moderator")
    .addConditionalEdges("moderator", unlessOver("approval"), ["approval", END])
    .compile({ checkpointer });
}

/** A node with events for its start and end. */
function step<Update>(stepName: string, node: (state: State, config: LangGraphRunnableConfig) => Promise<Update>) {
  return async (state: State, config: LangGraphRunnableConfig): Promise<Update> => {
    config.writer?.({ type: EventType.STEP_STARTED, stepName });
    const update = await node(state, config);
    config.writer?.({ type: EventType.STEP_FINISHED, stepName });
    return update;
  };
}
