// A call whose proposal was open while the code changed, and whose tool is gone. LangChain answers
// "not a valid tool", reads no answer of a person, and the proposal would stay open for ever.
//
//   remove A -> proposed -> the run waits -> "remove" is now "delete" -> the run goes on
//       the proposal was decided on a page      the verdict on it
//       it is open, the operation is gone       it is withdrawn, since nothing can carry it out
//       it is open, the tool alone is gone      it stays open: a page can decide it
//
// LangChain's words follow: they name the tools that there are.

import { isCommand, type Command } from "@langchain/langgraph";
import type { Actor, Proposal, Thread } from "@opstate/core";
import { ToolMessage } from "langchain";
import { findProposalOutcome } from "@opstate/agent";
import { proposalAnswer } from "../tools/recall.ts";

interface Call {
  /** The name of its tool. */
  readonly tool: string;
  /** The id of its submission. */
  readonly id: string | undefined;
}

/** The result of a call whose tool is gone: what became of its proposal, if it has one. */
export async function answerGone(
  result: ToolMessage | Command,
  { tool, id }: Call,
  { thread, name, actor }: { readonly thread: Thread; readonly name: string; readonly actor: Actor },
): Promise<ToolMessage | Command> {
  if (isCommand(result) || result.status !== "error" || id === undefined) return result;
  const outcome = await findProposalOutcome(thread, id, tool);
  if (outcome === undefined) return result;
  if (outcome.isOpen) await withdrawGone(thread, outcome.proposal, actor);
  const [text, artifact] = (await proposalAnswer(thread, name, id, tool)) ?? [];
  return new ToolMessage({
    content: [text, result.text].join("\n"),
    artifact,
    status: "error",
    name: tool,
    tool_call_id: result.tool_call_id,
  });
}

/** Withdraws the proposal, if nothing can carry it out. */
async function withdrawGone(thread: Thread, { id, operation }: Proposal, actor: Actor): Promise<void> {
  const { type } = operation;
  if (type.startsWith("$") || thread.definition.model.operations.has(type)) return;
  const reason = `There is no operation ${JSON.stringify(type)} any more.`;
  await thread.decline(id, { actor, id: `${id}/withdraw`, madeAt: Date.now(), reason });
}
