// Answers in the shape of LangChain's `humanInTheLoopMiddleware`, as answers to one proposal.
//
//   { decisions: [{ type: "approve" }] }                 { type: "accept" }
//   { type: "edit", editedAction: { name, args } }   ->  { type: "edit", operation }
//   "reject", { type: "reject", message }                { type: "decline", message }

import { readAnswer, type AnswerReading } from "@opstate/agent";
import type { AnyOperation } from "@opstate/core";
import { isObject } from "@opstate/core/json";

/** The operation of a tool's call; undefined when there is no such tool. */
export type OperationOfCall = (name: string, args: unknown) => AnyOperation | undefined;

/** Reads an answer in LangChain's shape or in ours. */
export function readAnyAnswer(value: unknown, operationOf: OperationOfCall): AnswerReading {
  if (!isObject(value) || !("decisions" in value)) return readDecision(value, operationOf);
  const { decisions } = value;
  if (!Array.isArray(decisions)) return { problem: "`decisions` must be a list with one decision." };
  if (decisions.length !== 1)
    return {
      problem: `This interrupt is about one action, so \`decisions\` must have one decision; it has ${decisions.length}. Answer each interrupt under its own id.`,
    };
  return readDecision(decisions[0], operationOf);
}

function readDecision(value: unknown, operationOf: OperationOfCall): AnswerReading {
  const given = isObject(value) ? value : { type: value };
  const { type } = given;
  if (type === "approve") return readAnswer({ ...given, type: "accept" });
  if (type === "reject") return readAnswer({ ...given, type: "decline" });
  if (type !== "edit" || !("editedAction" in given)) return readAnswer(value);
  const { editedAction } = given;
  if (!isObject(editedAction) || typeof editedAction["name"] !== "string" || !isObject(editedAction["args"]))
    return { problem: "`editedAction` must be { name, args }: a tool's name, and an object of its arguments." };
  const { name, args } = editedAction;
  const operation = operationOf(name, args);
  if (operation === undefined)
    return { problem: `\`editedAction\` names the tool ${JSON.stringify(name)}, and there is no such operation.` };
  return readAnswer({ ...given, operation });
}
