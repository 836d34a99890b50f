// The OpenAI Agents SDK with its own scripted model, on a thread over HTTP.

import { threadAgent } from "@opstate/openai-agents";
import { Agent, run, RunState, setTracingDisabled, user, type AgentInputItem } from "@openai/agents";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing";
import { ADA } from "../../../../packages/agent/test/support/server.ts";
import { processEnded, type Script } from "../script.ts";
import { connect, type Host, type Place } from "./host.ts";

/** More model calls than any scenario has. */
const MODEL_CALLS = 20;

export const openAiAgents: Host = {
  name: "OpenAI Agents",
  asks: true,
  hasKeys: true,
  async play(script, place) {
    setTracingDisabled(true);
    let history: AgentInputItem[] = [user("Work")];
    let waiting: string | undefined;
    for (let runs = 1; !script.isOver || waiting !== undefined;) {
      const { agent, options } = await processOf(script, place, `run-${runs}`);
      try {
        const state = waiting === undefined ? undefined : await RunState.fromString(agent, waiting);
        for (const item of state?.getInterruptions() ?? []) {
          const { yes, message } = await script.answer();
          if (yes) state?.approve(item);
          else state?.reject(item, message === undefined ? {} : { message });
        }
        const result = await run(agent, state ?? history, options);
        waiting = result.interruptions.length > 0 ? result.state.toString() : undefined;
        if (waiting !== undefined) continue;
        history = [...result.history, user("Go on")];
        runs++;
      } catch (error) {
        processEnded(error);
      }
    }
  },
};

async function processOf(script: Script, place: Place, runId: string) {
  const { tools, toolUseBehavior, callModelInputFilter } = await threadAgent({
    thread: await connect(place),
    actor: place.agent,
    conversation: "s",
    runId,
    approver: { headers: ADA },
  });
  const step = modelResponder(async ({ request: { input } }) => {
    for (const item of typeof input === "string" ? [] : input)
      if (item.type === "function_call_result") script.heard(item.callId, textOf(item.output));
    const said = await script.next();
    if (typeof said === "string") return [assistantMessage(said)];
    return said.map(({ id, name, input: args }) => functionCall(name, args, { callId: id }));
  });
  const model = new ScriptedModel(Array.from({ length: MODEL_CALLS }, () => step));
  return { agent: new Agent({ name: "Planner", model, tools, toolUseBehavior }), options: { callModelInputFilter } };
}

function textOf(output: Extract<AgentInputItem, { type: "function_call_result" }>["output"]): string {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output : [output];
  return parts.map((part) => ("text" in part ? part.text : "")).join("");
}
