// The issues of a schema, shortened: the first ones as plain JSON, and one message for a person or
// a model.
//
// Invariant: the whole is at most 1,700 bytes of JSON text, so the rejection stays under 2 KB.

import type { $ZodIssue } from "zod/v4/core";
import { formatPointer } from "../../patch/pointer.ts";
import { authoredText, issuesText } from "../../json/issue-text.ts";
import { authored, words } from "./issue-words.ts";

/**
 * An issue as zod raises it: a code and what belongs to it; `inst` is the schema or check that
 * raised it, `message` its author's own words.
 */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path?: readonly PropertyKey[] | undefined;
  readonly message?: string | undefined;
  readonly input?: unknown;
  readonly [detail: string]: unknown;
}

/** One thing that is wrong, and where, as a JSON Pointer. */
export interface Issue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** All of it in one message; `path` is where the first issue is. */
export interface Described {
  readonly message: string;
  readonly path?: string;
  readonly issues: readonly Issue[];
}

const MOST = 5;
const ALL_BYTES = 1700;
const PATH_BYTES = 150;
const WORDS_BYTES = 240;
const MESSAGE_BYTES = 480;

export function describeIssues(issues: readonly (SchemaIssue | $ZodIssue)[]): Described {
  const described: Issue[] = [];
  const sentences: string[] = [];
  let left = ALL_BYTES - MESSAGE_BYTES - PATH_BYTES - 50;
  for (const raw of issues.slice(0, MOST)) {
    const { issue, forms } = innermost({ ...raw });
    const author = authored(issue);
    const message = shorten(author ?? words(issue) + forms, WORDS_BYTES);
    const path = shorten(formatPointer((issue.path ?? []).map((key) => String(key).slice(0, PATH_BYTES))), PATH_BYTES);
    const entry = { path, code: issue.code ?? "custom", message };
    left -= jsonBytes(entry) + 1;
    if (left < 0 && described.length > 0) break;
    described.push(entry);
    sentences.push(author === undefined ? `${path || "The value"} ${message}` : authoredText(path, message));
  }
  const [first] = described;
  const [one = "The value does not satisfy its schema"] = sentences;
  if (first === undefined) return { message: one, issues: [] };
  let shown = sentences.slice(0, 2);
  if (jsonBytes(shown.join("; ")) > MESSAGE_BYTES - 30) shown = [shorten(one, MESSAGE_BYTES - 30)];
  return { message: issuesText(shown, issues.length), path: first.path, issues: described };
}

/**
 * The first issue of the closest branch of a union, through nested unions, and the branch count.
 */
function innermost(issue: SchemaIssue): { readonly issue: SchemaIssue; readonly forms: string } {
  const { code, errors, path = [] } = issue;
  let best: SchemaIssue | undefined;
  // Where no branch got past the kind of value, `words` names the kinds.
  let least = OTHER_KIND;
  const branches: readonly (readonly SchemaIssue[])[] = code === "invalid_union" && Array.isArray(errors) ? errors : [];
  for (const branch of branches) {
    const found = distance(branch);
    if (found >= least) continue;
    least = found;
    [best] = branch;
  }
  if (best === undefined) return { issue, forms: "" };
  const inner = innermost({ ...best, path: [...path, ...(best.path ?? [])] });
  return { issue: inner.issue, forms: inner.forms || ` (the closest of ${branches.length} allowed forms)` };
}

const OTHER_KIND = 1000;

/**
 * How far a value is from a branch: another kind of value is furthest, then a literal that does not
 * match, then the number of issues.
 */
function distance(branch: readonly SchemaIssue[]): number {
  const has = (code: string, depth: number) =>
    branch.some((issue) => issue.code === code && (issue.path ?? []).length <= depth);
  return branch.length === 0 || has("invalid_type", 0)
    ? OTHER_KIND
    : branch.length + (has("invalid_value", 1) ? 100 : 0);
}

/** The text, or as much of it as fits in so many bytes of JSON. */
function shorten(text: string, bytes: number): string {
  if (jsonBytes(text) <= bytes) return text;
  let kept = "";
  let used = 5;
  for (const char of text) {
    used += jsonBytes(char) - 2;
    if (used > bytes) break;
    kept += char;
  }
  return `${kept}…`;
}

/** The length of the JSON text in UTF-8. */
function jsonBytes(value: unknown): number {
  return encodeURIComponent(JSON.stringify(value)).replace(/%../g, "-").length;
}
