// A tool call as a submission to the graph's own field. Parallel tools all see the state at the
// beginning of the step, so no tool knows its verdict. It writes a message without a verdict, and
// the middleware fills the verdict in before the next model call (`fill-in-verdicts.ts`).

import { ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { sameIdRejection, verdictText } from "@opstate/agent";
import type { AnyDefinition } from "@opstate/core";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { resolveActor, type ActorSource } from "../thread/thread-source.ts";
import type { Submit } from "./operation-tool.ts";
import { isSecondOfId } from "./same-id.ts";
import { submissionId, taskInput } from "./submission-id.ts";

export interface FieldTarget {
  /** The graph's `snapshotField` that decides. */
  readonly field: string;
  readonly actor?: ActorSource;
  readonly middleware?: undefined;
}

/** The artifact of a tool message whose verdict is not known yet. */
interface PendingVerdict {
  readonly type: "opstate.waiting";
  readonly definition: string;
  readonly field: string;
  readonly submission: string;
}

export function submitToField(definition: AnyDefinition, { field, actor }: FieldTarget): Submit {
  return async ({ name, args, update }, config) => {
    const toolCallId = config.toolCall?.id;
    const id = submissionId(config, toolCallId);
    if (id === undefined || toolCallId === undefined || !isFieldSnapshot(taskInput(config)[field])) {
      throw new TypeError(
        `The tool "${name}" needs a snapshotField "${field}" in its graph, and there is none. Give the agent opstateMiddleware(definition, { field: "${field}" }), or give the tools a \`thread\`.`,
      );
    }
    // The field would take it for the first call, which comes again after an interrupt.
    if (isSecondOfId(taskInput(config)["messages"], { id: toolCallId, name, args })) {
      const refused = { accepted: false, rejection: sameIdRejection({ type: update.type }, toolCallId) } as const;
      return [verdictText({ name: definition.name }, refused, 1), refused];
    }
    const pending: PendingVerdict = { type: "opstate.waiting", definition: definition.name, field, submission: id };
    const message = new ToolMessage({
      content: "The verdict follows.",
      tool_call_id: toolCallId,
      name,
      artifact: pending,
    });
    const submission = { type: "$submission", id, operation: update, actor: resolveActor(actor, config) };
    return [new Command({ update: { [field]: submission, messages: [message] } }), pending];
  };
}

export function pendingVerdictOf(message: ToolMessage): PendingVerdict | undefined {
  const { artifact }: { artifact?: unknown } = message;
  const isPending =
    typeof artifact === "object" && artifact !== null && "type" in artifact && artifact.type === "opstate.waiting";
  if (!isPending || !("submission" in artifact && "definition" in artifact && "field" in artifact)) return undefined;
  const { definition, field, submission } = artifact;
  return {
    type: "opstate.waiting",
    definition: String(definition),
    field: String(field),
    submission: String(submission),
  };
}
