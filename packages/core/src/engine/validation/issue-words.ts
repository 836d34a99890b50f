// The texts of zod's issue codes: what would be right, and what came instead. zod's own texts
// depend on its build (zod/mini says "Invalid input" for everything) and its locale. Only texts
// that the schema's author wrote are kept.

import { cut, describe } from "../../json/describe.ts";
import { isRecord, own } from "../../json/container.ts";
import type { SchemaIssue } from "./issues.ts";

const TEXT_LIMIT = 60;
const LIST_LIMIT = 12;

/**
 * The author's own words for this issue: of a refinement, or given to a type or a check as its
 * error.
 */
export function authored(issue: SchemaIssue): string | undefined {
  const { code, message, inst, schema } = issue;
  const written = message === "Invalid input" ? undefined : text(message);
  // Without its owners the issue has been through zod, and its message is the author's only where
  // zod has none of its own.
  return code === "custom" || inst || schema
    ? (written ?? errorTextOf(inst, issue) ?? errorTextOf(schema, issue))
    : undefined;
}

/** What is wrong, to be read after the path of the value. */
export function words(issue: SchemaIssue): string {
  const { code, input, expected } = issue;
  // An issue that has been through zod has no input.
  const missing = "input" in issue && input === undefined;
  switch (code) {
    case "invalid_type":
      if (expected === "nonoptional") return "is missing";
      if (expected === "never" || expected === "undefined" || expected === "void") return "must not be there";
      if (missing) return `is missing: it must be ${noun(expected)}`;
      return `must be ${noun(expected)}${gotText(input, expected === "int" && typeof input === "number" ? describe : kind)}`;
    case "too_small":
      return outOfBounds(issue, issue["minimum"], "at least", "greater than");
    case "too_big":
      return outOfBounds(issue, issue["maximum"], "at most", "less than");
    case "invalid_format":
      return `must ${format(issue)}${gotText(input)}`;
    case "not_multiple_of":
      return `must be a multiple of ${describe(issue["divisor"])}${gotText(input)}`;
    case "unrecognized_keys": {
      const keys = listOf(issue["keys"]);
      const known = Object.keys(definitionOf(issue["inst"])?.["shape"] ?? {});
      return `has the unknown key${keys.length === 1 ? "" : "s"} ${listed(keys, "and")}${known.length === 0 ? "" : `; known: ${listed(known, "and")}`}`;
    }
    case "invalid_value":
      return `${missing ? "is missing: it " : ""}must be ${oneOf(issue["values"])}${gotText(input)}`;
    case "invalid_union":
      return unionWords(issue);
    case "invalid_key": {
      const [first] = issuesOf(issue["issues"]);
      return `is a key that is not allowed${first === undefined ? "" : `: it ${authored(first) ?? words(first)}`}`;
    }
    default:
      return "is not valid";
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  int: "an integer",
  boolean: "true or false",
  null: "null",
  array: "an array",
  tuple: "an array",
  object: "an object",
  record: "an object",
};

function noun(expected: unknown): string {
  return NOUNS[String(expected)] ?? `a ${cut(String(expected), TEXT_LIMIT)}`;
}

function outOfBounds(
  { origin, inclusive, exact, input }: SchemaIssue,
  limit: unknown,
  closed: string,
  open: string,
): string {
  const bound = `${exact === true ? "exactly" : inclusive === false ? open : closed} ${describe(limit)}`;
  if (origin !== "string" && origin !== "array") return `must be ${bound}${gotText(input)}`;
  const unit = `${origin === "string" ? "character" : "item"}${limit === 1 ? "" : "s"}`;
  return `must have ${bound} ${unit}${gotText(input, (value) => String(typeof value === "string" ? [...value].length : listOf(value).length))}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "an email address",
  url: "a URL",
  uuid: "a UUID",
  guid: "a GUID",
  datetime: 'an ISO date and time such as "2026-01-31T12:00:00Z"',
  date: 'an ISO date such as "2026-01-31"',
  time: 'an ISO time such as "12:00:00"',
  duration: 'an ISO duration such as "P3D"',
  lowercase: "lowercase",
  uppercase: "uppercase",
};

function format(issue: SchemaIssue): string {
  const name = String(issue["format"]);
  switch (name) {
    case "starts_with":
      return `start with ${describe(issue["prefix"])}`;
    case "ends_with":
      return `end with ${describe(issue["suffix"])}`;
    case "includes":
      return `contain ${describe(issue["includes"])}`;
    case "regex":
    case "template_literal":
      return `match ${cut(String(issue["pattern"]), TEXT_LIMIT)}`;
    default:
      return `be ${FORMATS[name] ?? `a valid ${cut(name, TEXT_LIMIT)}`}`;
  }
}

function unionWords({ discriminator, options, matches, errors, input }: SchemaIssue): string {
  if (typeof discriminator === "string")
    return `must be ${oneOf(options)}${gotText(isRecord(input) ? own(input, discriminator) : undefined)}`;
  if (Array.isArray(matches)) return `matches ${matches.length} of the allowed forms; it must match exactly one`;
  const expected = listOf(errors).flatMap((branch) => {
    const [first] = issuesOf(branch);
    return first?.code === "invalid_type" ? [noun(first["expected"])] : [];
  });
  return expected.length === 0
    ? "matches none of the allowed forms"
    : `must be ${[...new Set(expected)].slice(0, LIST_LIMIT).join(" or ")}${gotText(input, kind)}`;
}

function oneOf(values: unknown): string {
  const options = listOf(values);
  return `${options.length === 1 ? "" : "one of "}${listed(options, "or")}`;
}

function listed(values: readonly unknown[], word: string): string {
  const more = values.length - LIST_LIMIT;
  return values.slice(0, LIST_LIMIT).map(describe).join(", ") + (more > 0 ? ` ${word} ${more} more` : "");
}

/** What came, when that is known. */
function gotText(input: unknown, shown: (value: unknown) => string = describe): string {
  return input === undefined ? "" : `, got ${shown(input)}`;
}

function kind(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function issuesOf(value: unknown): readonly SchemaIssue[] {
  return listOf(value).filter((issue): issue is SchemaIssue => typeof issue === "object" && issue !== null);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What an author gave as `error`: zod keeps it as a function of the issue. */
function errorTextOf(owner: unknown, issue: SchemaIssue): string | undefined {
  try {
    const answer = definitionOf(owner)?.error?.(issue);
    return text(answer) ?? text((answer as { readonly message?: unknown } | null | undefined)?.message);
  } catch {
    return undefined;
  }
}

/** The definition of the schema or check that zod puts on an issue. */
function definitionOf(owner: unknown): { readonly shape?: object; error?(issue: SchemaIssue): unknown } | undefined {
  return (owner as { readonly _zod?: { readonly def?: object } } | undefined)?._zod?.def;
}
