// An agent of Mastra on a thread: a tool pack over `@opstate/agent`.
//
//   prepareStep ── state, what others changed ──> model ── tool calls ──> tools ──> thread
//                                                                          │  ▲
//   a call that needs approval:  proposal in the log <── suspend ──────────┘  │
//                                a person's answer ──── resumeGenerate ───────┘

import { createTool } from "@mastra/core/tools";
import { HostCalls, HostContext, lastCommitOf, type HostCall, type HostCallsOptions } from "@opstate/agent";
import { z } from "zod";

/** What a person answers to the question of a suspended call. */
const answer = z.object({ approved: z.boolean(), reason: z.string().optional() });

interface Step {
  readonly messages: readonly unknown[];
  readonly systemMessages: readonly { readonly role: "system"; readonly content: string }[];
  readonly stepNumber: number;
}

/**
 * For `agent.generate(messages, { ...options })` and `new Agent({ tools })`, made for one request.
 * With an `approver` a call that needs approval suspends the run; `agent.resumeGenerate({ approved
 * }, { runId, toolCallId })` goes on. Without one it waits as a proposal.
 */
export async function threadAgent(given: HostCallsOptions & { readonly runId: string }) {
  const { since = await lastCommitOf(given.thread, given.actor) } = given;
  const calls = new HostCalls({ ...given, since });
  const context = new HostContext(calls.session, { place: "system" });
  /** What the model read as results in this run: it is not shown its own changes as news. */
  const results: string[] = [];
  let message = "0";
  let shown: string | undefined;

  const tools = Object.fromEntries(
    calls.tools.map(({ name, description, inputSchema }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: unchecked(inputSchema),
        // Without a schema of what suspends it Mastra makes the other calls of the message, too.
        resumeSchema: answer,
        async execute(input, { agent, abortSignal }) {
          if (agent === undefined) throw new Error("A tool of a thread is for agents.");
          const call = { callId: agent.toolCallId, message, signal: abortSignal };
          const open = agent.resumeData === undefined ? await calls.ask(name, input, call) : undefined;
          if (open !== undefined) return void (await agent.suspend({ question: open.question }));
          const text = await carryOut(name, input, call, agent.resumeData);
          results.push(text);
          return text;
        },
      }),
    ]),
  );

  async function carryOut(name: string, input: unknown, call: HostCall, said: z.infer<typeof answer> | undefined) {
    if (said?.approved === false) {
      const declined = await calls.declined(name, input, call, said.reason);
      return declined?.text ?? "Declined. It was not carried out.";
    }
    return (await calls.run(name, input, call)).text;
  }

  return {
    tools,
    options: {
      runId: given.runId,
      /** Shows the model the state. What it showed in the step before is replaced. */
      async prepareStep({ messages, systemMessages, stepNumber }: Step) {
        message = String(stepNumber);
        const own = systemMessages.filter(({ content }) => content !== shown);
        const { instructions, start, end } = await context.words({
          results,
          characters: JSON.stringify(messages).length,
        });
        shown = [instructions, start, end].filter((text) => text !== "").join("\n\n");
        return { systemMessages: [...own, { role: "system" as const, content: shown }] };
      },
      stopWhen: () => calls.ended !== undefined,
    },
  };
}

/** Arguments of any shape reach the thread, which refuses them with words. */
function unchecked(schema: Readonly<Record<string, unknown>>) {
  const jsonSchema = { input: () => schema, output: () => schema };
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1 as const, vendor: "opstate", validate, jsonSchema } };
}
