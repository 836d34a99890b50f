// Arguments of tools and prompts, which may be anything: a model made them. What is wrong is said
// in words that a model can act on.

/** Its message is for the model. */
export class CallProblem extends Error {
  readonly code: string;

  constructor(message: string, code = "invalid_arguments") {
    super(message);
    this.name = "CallProblem";
    this.code = code;
  }
}

export type Arguments = Readonly<Record<string, unknown>>;

export function textArgument(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value === "string" && value !== "") return value;
  throw new CallProblem(`\`${name}\` must be a text; it was ${shown(value)}.`);
}

export function optionalText(args: Arguments, name: string): string | undefined {
  return isAbsent(args[name]) ? undefined : textArgument(args, name);
}

/** A whole number from 0 on. Prompts have texts only, so its digits are taken too. */
export function optionalVersion(args: Arguments, name: string): number | undefined {
  const value = args[name];
  if (isAbsent(value) || value === "") return undefined;
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  throw new CallProblem(`\`${name}\` must be a whole number from 0 on; it was ${shown(value)}.`);
}

export function optionalTexts(args: Arguments, name: string): readonly string[] | undefined {
  const value = args[name];
  if (isAbsent(value)) return undefined;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")) return value;
  throw new CallProblem(`\`${name}\` must be a list of at least one text; it was ${shown(value)}.`);
}

export function optionalWord<Word extends string>(
  args: Arguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = args[name];
  if (isAbsent(value)) return undefined;
  const word = words.find((candidate) => candidate === value);
  if (word !== undefined) return word;
  throw new CallProblem(`\`${name}\` must be one of ${words.join(", ")}; it was ${shown(value)}.`);
}

/** The type of `operation`, and its input. */
export function operationArgument({ operation }: Arguments): { readonly type: string; readonly input: object } {
  if (typeof operation !== "object" || operation === null || !("type" in operation))
    throw new CallProblem('`operation` must be an object such as { "type": "move", ... }.');
  const { type, ...input } = operation;
  if (typeof type !== "string") throw new CallProblem("The `type` of the operation must be a text.");
  return { type, input };
}

/** Strict dialects send null for what is absent. */
function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
