// The form for an interrupt's answer. A simple response schema gives one field for each member;
// other schemas give one field for text or JSON.

import { isObject } from "@opstate/core/json";

export interface AnswerField {
  /** The member of the payload; "" when the field is the whole payload. */
  readonly name: string;
  readonly label: string;
  readonly kind: "boolean" | "choice" | "number" | "text" | "json";
  readonly choices: readonly string[];
  readonly required: boolean;
}

type Read = { readonly payload: unknown } | { readonly problem: string };

const SIMPLE: Readonly<Record<string, AnswerField["kind"]>> = {
  boolean: "boolean",
  integer: "number",
  number: "number",
  string: "text",
};

export function answerFields(schema: unknown): readonly AnswerField[] {
  if (!isObject(schema)) return [{ name: "", label: "Answer", kind: "text", choices: [], required: false }];
  const { type, properties } = schema;
  if (type !== "object" || !isObject(properties) || Object.keys(properties).length === 0)
    return [fieldOf("", schema, true)];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(properties).map(([name, member]) =>
    fieldOf(name, isObject(member) ? member : {}, required.includes(name)),
  );
}

/** The payload from the fields' texts, without empty optional fields. */
export function readAnswer(fields: readonly AnswerField[], texts: Readonly<Record<string, string>>): Read {
  const payload: Record<string, unknown> = {};
  for (const field of fields) {
    const text = texts[field.name]?.trim() ?? "";
    if (text === "") {
      if (field.required) return { problem: `"${field.label}" needs an answer.` };
      continue;
    }
    const read = readText(field, text);
    if ("problem" in read) return read;
    if (field.name === "") return read;
    payload[field.name] = read.payload;
  }
  return fields.some(({ name }) => name === "") ? { payload: undefined } : { payload };
}

function fieldOf(name: string, schema: Readonly<Record<string, unknown>>, required: boolean): AnswerField {
  const { title, description, type, enum: choices } = schema;
  const label =
    typeof title === "string" ? title : typeof description === "string" ? description : name === "" ? "Answer" : name;
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === "string"))
    return { name, label, kind: "choice", choices, required };
  return { name, label, kind: (typeof type === "string" && SIMPLE[type]) || "json", choices: [], required };
}

function readText({ kind, label }: AnswerField, text: string): Read {
  if (kind === "boolean") return { payload: text === "true" };
  if (kind === "number")
    return Number.isFinite(Number(text)) ? { payload: Number(text) } : { problem: `"${label}" is a number.` };
  if (kind !== "json") return { payload: text };
  try {
    return { payload: JSON.parse(text) };
  } catch {
    return { problem: `"${label}" is JSON: text goes in quotes, such as "yes".` };
  }
}
