// What a schema found wrong, made small: the first issues as plain JSON and one message for a person or a model.
//
// Whatever was found, the whole is at most `bytes` long as JSON text, so that the rejection around it stays under 2 KB.

import type { $ZodIssue } from "zod/v4/core";
import { authored, words } from "./issue-words.ts";

/** An issue as zod raises it: a code and what belongs to it; `inst` is the schema or check that raised it, `message` its author's own words. */
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

const LIMITS = { issues: 5, bytes: 1700 };
const PATH_BYTES = 150;
const WORDS_BYTES = 240;
const MESSAGE_BYTES = 480;

export function describeIssues(
  issues: readonly (SchemaIssue | $ZodIssue)[],
  limits: { readonly issues: number; readonly bytes: number } = LIMITS,
): Described {
  const described: Issue[] = [];
  const sentences: string[] = [];
  let left = limits.bytes - MESSAGE_BYTES - PATH_BYTES - 50;
  for (const raw of issues.slice(0, limits.issues)) {
    const { issue, forms } = innermost({ ...raw });
    const author = authored(issue);
    const message = shorten(author ?? words(issue) + forms, WORDS_BYTES);
    const path = shorten(pointer(issue.path ?? []), PATH_BYTES);
    const entry = { path, code: issue.code ?? "custom", message };
    left -= jsonBytes(entry) + 1;
    if (left < 0 && described.length > 0) break;
    described.push(entry);
    sentences.push(author === undefined ? `${path || "The value"} ${message}` : path === "" ? message : `${path}: ${message}`);
  }
  const [first] = described;
  if (first === undefined) return { message: "The value does not satisfy its schema", issues: [] };
  const more = issues.length - 1;
  const [one = "", two] = sentences;
  const both = two === undefined ? one : `${one}; ${two}`;
  const shown = jsonBytes(both) <= MESSAGE_BYTES - 30 ? both : shorten(one, MESSAGE_BYTES - 30);
  const hidden = shown === both && two !== undefined ? more - 1 : more;
  return { message: hidden > 0 ? `${shown} (and more)` : shown, path: first.path, issues: described };
}

/** The branch of a union that came closest, all the way in: its first issue, and how many forms there were. */
function innermost(issue: SchemaIssue): { readonly issue: SchemaIssue; readonly forms: string } {
  const { errors } = issue;
  if (issue.code !== "invalid_union" || !Array.isArray(errors) || errors.length === 0) return { issue, forms: "" };
  const branches = errors.filter((branch): branch is SchemaIssue[] => Array.isArray(branch) && branch.length > 0);
  const best = branches.toSorted((left, right) => distance(left) - distance(right))[0]?.[0];
  // Where no branch got past the kind of value, `words` names the kinds.
  if (best === undefined || distance(branches.find(([first]) => first === best) ?? []) >= OTHER_KIND) return { issue, forms: "" };
  const inner = innermost({ ...best, path: [...(issue.path ?? []), ...(best.path ?? [])] });
  return { issue: inner.issue, forms: inner.forms || ` (the closest of ${errors.length} allowed forms)` };
}

const OTHER_KIND = 1000;

/** How far a value is from a branch: another kind of value is furthest, then a literal that does not match, then the number of issues. */
function distance(branch: readonly SchemaIssue[]): number {
  if (branch.some((issue) => issue.code === "invalid_type" && (issue.path ?? []).length === 0)) return OTHER_KIND;
  return branch.length + (branch.some((issue) => issue.code === "invalid_value" && (issue.path ?? []).length <= 1) ? 100 : 0);
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).slice(0, PATH_BYTES).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The text, or as much of it as fits in so many bytes of JSON. */
function shorten(text: string, bytes: number): string {
  if (text.length * 6 <= bytes || jsonBytes(text) <= bytes) return text;
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
  let bytes = 0;
  for (const char of JSON.stringify(value)) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
