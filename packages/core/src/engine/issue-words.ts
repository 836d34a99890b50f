// Words for zod's issue codes: what would be right, and what came instead. Zod's own words depend on the user's build of it (zod/mini
// says "Invalid input" for everything) and on its locale; only what the schema's author wrote is kept.

import type { SchemaIssue } from "./issues.ts";

const TEXT_LIMIT = 60;
const LIST_LIMIT = 12;

/** The author's own words for this issue: of a refinement, or given to a type or a check as its error. */
export function authored(issue: SchemaIssue): string | undefined {
  const { message } = issue;
  const written = typeof message === "string" && message !== "" && message !== "Invalid input" ? message : undefined;
  // Without `inst` the issue has been through zod, and its message is the author's only where zod has none of its own.
  if (issue.code === "custom" && written !== undefined) return written;
  if (!("inst" in issue) && !("schema" in issue)) return undefined;
  return written ?? errorOf(issue["inst"], issue) ?? errorOf(issue["schema"], issue);
}

/** What is wrong, to be read after the path of the value. */
export function words(issue: SchemaIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return invalidType(issue);
    case "too_small":
    case "too_big":
      return outOfBounds(issue);
    case "invalid_format":
      return `must ${format(issue)}${got(issue)}`;
    case "not_multiple_of":
      return `must be a multiple of ${show(issue["divisor"])}${got(issue)}`;
    case "unrecognized_keys":
      return unknownKeys(issue);
    case "invalid_value":
      return `${"input" in issue && issue.input === undefined ? "is missing: it " : ""}must be ${oneOf(issue["values"])}${got(issue)}`;
    case "invalid_union":
      return noForm(issue);
    case "invalid_key": {
      const [first] = list(issue["issues"]);
      return `is a key that is not allowed${isIssue(first) ? `: it ${authored(first) ?? words(first)}` : ""}`;
    }
    default:
      return "is not valid";
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  null: "null",
  array: "an array",
  tuple: "an array",
  object: "an object",
  record: "an object",
};

function noun(expected: unknown): string {
  return NOUNS[String(expected)] ?? `of type ${cut(String(expected))}`;
}

function invalidType(issue: SchemaIssue): string {
  const { expected, input } = issue;
  if (expected === "nonoptional") return "is missing";
  if (expected === "never" || expected === "undefined" || expected === "void") return "must not be there";
  if ("input" in issue && input === undefined) return `is missing: it must be ${noun(expected)}`;
  return `must be ${noun(expected)}${expected === "int" && typeof input === "number" ? got(issue) : gotKind(issue)}`;
}

function outOfBounds(issue: SchemaIssue): string {
  const { origin, inclusive, exact, input } = issue;
  const small = issue.code === "too_small";
  const bound = show(small ? issue["minimum"] : issue["maximum"]);
  if (origin === "string" || origin === "array") {
    const unit = `${origin === "string" ? "character" : "item"}${bound === "1" ? "" : "s"}`;
    const length = typeof input === "string" ? [...input].length : Array.isArray(input) ? input.length : undefined;
    return `must have ${exact === true ? "exactly" : small ? "at least" : "at most"} ${bound} ${unit}${length === undefined ? "" : `, got ${length}`}`;
  }
  const limit =
    exact === true
      ? "exactly"
      : small
        ? inclusive === false
          ? "greater than"
          : "at least"
        : inclusive === false
          ? "less than"
          : "at most";
  return `must be ${limit} ${bound}${got(issue)}`;
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
  switch (issue["format"]) {
    case "starts_with":
      return `start with ${show(issue["prefix"])}`;
    case "ends_with":
      return `end with ${show(issue["suffix"])}`;
    case "includes":
      return `contain ${show(issue["includes"])}`;
    case "regex":
    case "template_literal":
      return `match ${cut(String(issue["pattern"]))}`;
    default:
      return `be ${FORMATS[String(issue["format"])] ?? `a valid ${cut(String(issue["format"]))}`}`;
  }
}

function unknownKeys(issue: SchemaIssue): string {
  const keys = list(issue["keys"]);
  const known = shapeOf(issue["inst"]);
  return `has the unknown key${keys.length === 1 ? "" : "s"} ${listed(keys, "and")}${known.length === 0 ? "" : `; known: ${listed(known, "and")}`}`;
}

function noForm(issue: SchemaIssue): string {
  const { discriminator, input } = issue;
  if (typeof discriminator === "string") {
    const tag =
      typeof input === "object" && input !== null && Object.hasOwn(input, discriminator)
        ? { input: Reflect.get(input, discriminator) as unknown }
        : {};
    return `must be ${oneOf(issue["options"])}${"input" in tag && tag.input !== undefined ? got(tag) : ""}`;
  }
  if (Array.isArray(issue["matches"])) return `matches ${issue["matches"].length} of the allowed forms; it must match exactly one`;
  const expected = list(issue["errors"])
    .map((branch) => list(branch)[0])
    .filter(isIssue)
    .filter(({ code }) => code === "invalid_type")
    .map((first) => noun(first["expected"]));
  return expected.length === 0
    ? "matches none of the allowed forms"
    : `must be ${[...new Set(expected)].slice(0, LIST_LIMIT).join(" or ")}${gotKind(issue)}`;
}

function oneOf(values: unknown): string {
  const options = list(values);
  return options.length === 1 ? show(options[0]) : `one of ${listed(options, "or")}`;
}

function listed(values: readonly unknown[], word: string): string {
  const shown = values.slice(0, LIST_LIMIT).map(show).join(", ");
  return values.length > LIST_LIMIT ? `${shown} ${word} ${values.length - LIST_LIMIT} more` : shown;
}

function got(issue: SchemaIssue): string {
  return "input" in issue && issue.input !== undefined ? `, got ${show(issue.input)}` : "";
}

function gotKind(issue: SchemaIssue): string {
  return "input" in issue && issue.input !== undefined ? `, got ${kind(issue.input)}` : "";
}

/** A scalar as JSON, a container by its kind: a user's data is not repeated at length. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value));
  return typeof value === "object" && value !== null ? kind(value) : String(value);
}

function kind(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function cut(text: string): string {
  return text.length <= TEXT_LIMIT ? text : `${text.slice(0, TEXT_LIMIT - 1)}…`;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isIssue(value: unknown): value is SchemaIssue {
  return typeof value === "object" && value !== null;
}

function shapeOf(schema: unknown): readonly string[] {
  const shape = definitionOf(schema)?.["shape"];
  return typeof shape === "object" && shape !== null ? Object.keys(shape) : [];
}

/** What an author gave as `error`: zod keeps it as a function of the issue. */
function errorOf(owner: unknown, issue: SchemaIssue): string | undefined {
  const error = definitionOf(owner)?.["error"];
  if (typeof error !== "function") return undefined;
  try {
    const said: unknown = error(issue);
    const text: unknown = typeof said === "object" && said !== null && "message" in said ? said.message : said;
    return typeof text === "string" && text !== "" ? text : undefined;
  } catch {
    return undefined;
  }
}

function definitionOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  // The schema or check that zod puts on an issue; read as plain data, whatever it is.
  return (schema as { readonly _zod?: { readonly def?: Readonly<Record<string, unknown>> } } | undefined)?._zod?.def;
}
