// `fieldsFromDeclaration`: fields from data, for agents that are configured, not programmed.
//
// All mistakes are reported at once, each with its field, and with its line when there is a text.

import {
  $ZodArray,
  $ZodBoolean,
  $ZodNumber,
  $ZodNumberFormat,
  $ZodRecord,
  $ZodString,
  $ZodUnknown,
  type $ZodType,
} from "zod/v4/core";
import { describeIssues } from "../engine/validation/issues.ts";
import { copyJson, DEFAULT_LIMITS } from "../engine/limits/limits.ts";
import { compileValidator } from "../engine/validation/validate.ts";
import { OpstateError } from "../error.ts";
import { describe } from "../json/describe.ts";
import { isRecord } from "../json/container.ts";
import { FIELD_NAME } from "./agent-state.ts";
import { declaredAppend } from "./declared-append.ts";
import type { Field } from "./field.ts";
import { createReplaceField } from "./replace.ts";

/** One declared field. The default of `type` is `str`, that of `default` the type's empty value. */
export interface FieldDeclaration {
  readonly name: string;
  readonly type?: "str" | "int" | "float" | "bool" | "list" | "dict" | "any";
  readonly default?: unknown;
  /** For lists only. By default the list `messages` appends, every other one is replaced. */
  readonly reducer?: "append" | "replace";
  readonly description?: string;
}

/** Declarations, with the line of each in their text. */
export interface DeclarationSource {
  readonly value: unknown;
  /** The line (from 1) of the value at `path`, or of the nearest value around it. */
  readonly lineOf: (path: readonly (string | number)[]) => number | undefined;
}

/**
 * A list of declarations, alone or under `state`, `fields`, or `state: { fields }`. It is checked
 * when it is read.
 */
export type FieldDeclarations = readonly unknown[] | Readonly<Record<string, unknown>>;

type Type = NonNullable<FieldDeclaration["type"]>;
type Path = readonly (string | number)[];

const KEYS = ["name", "type", "default", "reducer", "description"];
const EMPTY: Readonly<Record<Type, unknown>> = {
  str: "",
  int: 0,
  float: 0,
  bool: false,
  list: [],
  dict: {},
  any: null,
};

/**
 * The fields that declarations describe, for `defineAgentState`: a list of
 * `{ name, type, default, reducer }`, alone or under `state`, `fields`, or `state: { fields }`. The
 * types are `str int float bool list dict any`. Text in JSON or YAML is read by the function of the
 * same name at `@opstate/core/declaration`.
 *
 * A list named `messages` appends, everything else is replaced. `reducer: "append"` or `"replace"`
 * changes that for a list. In a list that appends, a message replaces the one with the same id, and
 * removals are applied. Other items are appended as they are.
 *
 * Throws `OpstateError` (`invalid_definition`) with every mistake and its field.
 *
 * @example
 * ```ts
 * import { defineAgentState, fieldsFromDeclaration } from "@opstate/core";
 *
 * const state = defineAgentState(fieldsFromDeclaration([
 *   { name: "messages", type: "list" },
 *   { name: "notes", type: "list", reducer: "append" },
 *   { name: "rounds", type: "int", default: 3 },
 * ]));
 *
 * state.reduce(undefined, { notes: ["a"] }); // { messages: [], notes: ["a"], rounds: 3 }
 * ```
 */
export function fieldsFromDeclaration(declarations: FieldDeclarations): Record<string, Field<unknown, unknown>> {
  if (typeof declarations === "string")
    throw invalid(['is text: read it with fieldsFromDeclaration of "@opstate/core/declaration"']);
  return fieldsFrom(readValue(declarations));
}

/** As `fieldsFromDeclaration`, but its error names the lines of the text. */
export function fieldsFrom(source: DeclarationSource): Record<string, Field<unknown, unknown>> {
  const { path, list } = declarationsIn(source);
  const faults: string[] = [];
  const names = new Set<string>();
  const fields = new Map<string, Field<unknown, unknown>>();
  for (const [index, written] of list.entries()) {
    const label = nameOf(written);
    const fault = (at: Path, message: string): void => {
      const line = source.lineOf([...path, index, ...at]);
      faults.push(
        `${line === undefined ? `declaration ${index + 1}` : `line ${line}`}, ${label === undefined ? "a field without a name" : `field ${describe(label)}`}: ${message}`,
      );
    };
    const field = readDeclaration(written, fault);
    if (label === undefined) continue;
    if (names.has(label)) fault(["name"], "is declared twice");
    names.add(label);
    if (field !== undefined) fields.set(label, field);
  }
  if (faults.length > 0) throw invalid(faults);
  return Object.fromEntries(fields);
}

/** A copy of declarations that are values already. */
export function readValue(value: unknown): DeclarationSource {
  const copy = copyJson(value, DEFAULT_LIMITS);
  if (!copy.ok) throw invalid([copy.fault.message]);
  return { value: copy.value, lineOf: () => undefined };
}

function declarationsIn({ value, lineOf }: DeclarationSource): {
  readonly path: Path;
  readonly list: readonly unknown[];
} {
  const path: string[] = [];
  let found = value;
  // `state: { fields: [...] }` is two keys deep, and there is nothing deeper.
  while (isRecord(found) && path.length < 2) {
    const held: Readonly<Record<string, unknown>> = found;
    const key = (path.length === 0 ? ["state", "fields"] : ["fields"]).find((name) => Object.hasOwn(held, name));
    if (key === undefined) break;
    path.push(key);
    found = held[key];
  }
  if (Array.isArray(found)) return { path, list: found };
  const line = lineOf(path);
  const where = line === undefined ? "" : `line ${line}: `;
  throw invalid([
    `${where}must be a list of { name, type, default, reducer }, alone or under "state", "fields" or "state" and "fields"; got ${describe(found)}`,
  ]);
}

function readDeclaration(
  written: unknown,
  fault: (at: Path, message: string) => void,
): Field<unknown, unknown> | undefined {
  if (!isRecord(written)) {
    fault([], `must be an object { name, type, default, reducer }, got ${describe(written)}`);
    return undefined;
  }
  const { name, type = "str", default: initial, reducer } = written;
  for (const key of Object.keys(written))
    if (!KEYS.includes(key)) fault([key], `has an unknown key ${describe(key)}; known are ${KEYS.join(", ")}`);
  if (typeof name !== "string") fault(["name"], `must have a name, a string; got ${describe(name)}`);
  else if (!FIELD_NAME.test(name))
    fault(
      ["name"],
      'a name is a letter or "_" followed by letters, digits, "_" or "-", at most 64 characters, and does not start with "__"',
    );
  if (!isType(type)) {
    fault(["type"], `type ${describe(type)} is not one of ${Object.keys(EMPTY).join(", ")}`);
    return undefined;
  }
  if (type === "list" && reducer !== undefined && reducer !== null && reducer !== "append" && reducer !== "replace")
    fault(["reducer"], `reducer ${describe(reducer)} is not one of append, replace`);
  const start = readDefault(type, initial ?? EMPTY[type], fault);
  if (start === undefined) return undefined;
  const appends = type === "list" && (reducer ?? (name === "messages" ? "append" : "replace")) === "append";
  if (appends) return declaredAppend(Array.isArray(start.value) ? start.value : []);
  const schema = schemaOf(type);
  return createReplaceField("replace", { schema, initial: start.value, validator: compileValidator(schema) });
}

function readDefault(
  type: Type,
  written: unknown,
  fault: (at: Path, message: string) => void,
): { readonly value: unknown } | undefined {
  const copy = copyJson(written, DEFAULT_LIMITS);
  if (!copy.ok) {
    fault(["default"], `default: ${copy.fault.message}`);
    return undefined;
  }
  const parsed = compileValidator(schemaOf(type)).full(copy.value);
  if (parsed.ok) return { value: parsed.value };
  fault(["default"], `default ${describe(written)} is not of type ${type}: ${describeIssues(parsed.issues).message}`);
  return undefined;
}

function schemaOf(type: Type): $ZodType {
  const unknown = new $ZodUnknown({ type: "unknown" });
  switch (type) {
    case "str":
      return new $ZodString({ type: "string" });
    case "int":
      return new $ZodNumberFormat({ type: "number", check: "number_format", format: "safeint", abort: false });
    case "float":
      return new $ZodNumber({ type: "number" });
    case "bool":
      return new $ZodBoolean({ type: "boolean" });
    case "list":
      return new $ZodArray({ type: "array", element: unknown });
    case "dict":
      return new $ZodRecord({ type: "record", keyType: new $ZodString({ type: "string" }), valueType: unknown });
    case "any":
      return unknown;
  }
}

function isType(type: unknown): type is Type {
  return typeof type === "string" && Object.hasOwn(EMPTY, type);
}

function nameOf(written: unknown): string | undefined {
  return isRecord(written) && typeof written["name"] === "string" ? written["name"] : undefined;
}

function invalid(faults: readonly string[]): OpstateError {
  return new OpstateError(
    "invalid_definition",
    `The declaration cannot work:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
  );
}
