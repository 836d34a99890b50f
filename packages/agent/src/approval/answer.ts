// What a person answers to the question of a proposal, read from JSON that may be anything.

import { defined, type AnyOperation } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { thingsFault, type SubmittedThing } from "@opstate/core/thread";

/**
 * The answer to a proposal. An edited operation is judged anew, and may change only the things that
 * its author saw: those of `things` at version `basedOn`, else those that it would have changed
 * there. Without `basedOn` that is the version which the question showed. The model is shown the
 * message.
 */
export type ApprovalAnswer =
  | { readonly type: "accept" }
  | {
      readonly type: "edit";
      readonly operation: AnyOperation;
      readonly basedOn?: number;
      readonly things?: readonly SubmittedThing[];
    }
  | { readonly type: "decline"; readonly message?: string };

/** An answer, or what is wrong with what was given as one, for the person who gave it. */
export type AnswerReading =
  | { readonly answer: ApprovalAnswer; readonly problem?: undefined }
  | { readonly problem: string; readonly answer?: undefined };

/** The log would accept more, but a model need not read it. */
const MAX_MESSAGE_CHARACTERS = 2_000;

const FORMS = '{ type: "accept" }, { type: "edit", operation } or { type: "decline", message }';

/**
 * Reads an answer. It depends on the value alone, so that what could not be read cannot be read
 * later either.
 *
 * @example
 * ```ts
 * import { readAnswer } from "@opstate/agent";
 *
 * readAnswer({ type: "decline", message: "Keep it" }); // { answer: { type: "decline", message: "Keep it" } }
 * readAnswer({ type: "edit" }).problem; // 'An edit needs the `operation` to do instead, such as { type: "edit", operation: { type: "move", ... } }.'
 * ```
 */
export function readAnswer(value: unknown): AnswerReading {
  const given: Readonly<Record<string, unknown>> = isObject(value) ? { ...value } : { type: value };
  switch (given["type"]) {
    case "accept":
      return { answer: { type: "accept" } };
    case "decline":
      return readDecline(given);
    case "edit":
      return readEdit(given);
    default:
      return { problem: `The answer must be ${FORMS}; it was ${shown(value)}.` };
  }
}

function readDecline({ message }: Readonly<Record<string, unknown>>): AnswerReading {
  if (message === undefined || message === null || message === "") return { answer: { type: "decline" } };
  if (typeof message !== "string") return { problem: `The \`message\` must be a text; it was ${shown(message)}.` };
  return { answer: { type: "decline", message: message.slice(0, MAX_MESSAGE_CHARACTERS) } };
}

function readEdit({ operation, basedOn, things }: Readonly<Record<string, unknown>>): AnswerReading {
  if (!isOperation(operation))
    return {
      problem:
        'An edit needs the `operation` to do instead, such as { type: "edit", operation: { type: "move", ... } }.',
    };
  if (basedOn !== undefined && !(typeof basedOn === "number" && Number.isSafeInteger(basedOn) && basedOn >= 0))
    return { problem: `\`basedOn\` must be the version that was shown: 0, 1, 2...; it was ${shown(basedOn)}.` };
  const fault = things === undefined ? undefined : thingsFault(things);
  if (fault !== undefined) return { problem: `\`things\` ${fault}.` };
  // `thingsFault` looked at each of them.
  const seen = things as readonly SubmittedThing[] | undefined;
  return { answer: { type: "edit", operation, ...defined({ basedOn, things: seen }) } };
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

const MAX_SHOWN_CHARACTERS = 160;

function shown(value: unknown): string {
  const text = asJson(value) ?? typeof value;
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

/** Undefined for what is not JSON: in one process an answer may be anything. */
function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
