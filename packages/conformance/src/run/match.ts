// Whether an answer is what a scenario wants.
//
//   { "a": 1 }                  an object with these members; it may have more
//   [1, 2]                      a list of just these items
//   { "$exactly": ... }         the same value, with no member more
//   { "$is": "text" }           any value of a kind: text (not ""), number, object, list, time
//   { "$absent": true }         as a member: there is none
//   { "$keep": "name" }         any value; `{name}` is it from now on
//   { "$unlike": ... }          any other value
//   "{name}"                    what was kept under the name

import { equal, isObject } from "@opstate/core/json";

/** What was kept, by name. */
export type Kept = Map<string, unknown>;

/** What is wrong with a value, in words; undefined when it matches. */
export function mismatch(value: unknown, wanted: unknown, kept: Kept, at = ""): string | undefined {
  const place = at === "" ? "the answer" : at;
  if (isObject(wanted)) {
    if ("$exactly" in wanted) return different(value, filled(wanted["$exactly"], kept), place);
    if ("$unlike" in wanted)
      return equal(value, filled(wanted["$unlike"], kept), Infinity)
        ? `${place} is ${inWords(value)}, and must be another value`
        : undefined;
    if ("$is" in wanted) return kindFault(value, String(wanted["$is"]), place);
    if ("$keep" in wanted) {
      if (value === undefined) return `${place} is missing`;
      kept.set(String(wanted["$keep"]), value);
      return undefined;
    }
    if (!isObject(value)) return `${place} is ${inWords(value)}, and must be an object`;
    return firstOf(
      Object.entries(wanted).map(([name, part]) => () => {
        const key = String(filled(name, kept));
        if (isObject(part) && "$absent" in part)
          return key in value ? `${at}/${key} is ${inWords(value[key])}, and must be absent` : undefined;
        return mismatch(value[key], part, kept, `${at}/${key}`);
      }),
    );
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value)) return `${place} is ${inWords(value)}, and must be a list`;
    if (value.length !== wanted.length)
      return `${place} has ${value.length} items, and must have ${wanted.length}: ${inWords(value)}`;
    return firstOf(wanted.map((part, index) => () => mismatch(value[index], part, kept, `${at}/${index}`)));
  }
  return different(value, filled(wanted, kept), place);
}

/** A value with what was kept in the place of the names in braces. */
export function filled(value: unknown, kept: Kept): unknown {
  if (typeof value === "string") {
    const whole = /^\{(\w+)\}$/.exec(value)?.[1];
    if (whole !== undefined && kept.has(whole)) return kept.get(whole);
    return value.replaceAll(/\{(\w+)\}/g, (name, key: string) => (kept.has(key) ? String(kept.get(key)) : name));
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, kept));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [String(filled(key, kept)), filled(part, kept)]),
  );
}

export function inWords(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

function different(value: unknown, wanted: unknown, place: string): string | undefined {
  return equal(value, wanted, Infinity) ? undefined : `${place} is ${inWords(value)}, and must be ${inWords(wanted)}`;
}

function kindFault(value: unknown, kind: string, place: string): string | undefined {
  const kinds: Readonly<Record<string, () => boolean>> = {
    text: () => typeof value === "string" && value !== "",
    number: () => typeof value === "number",
    object: () => isObject(value),
    list: () => Array.isArray(value),
    time: () => typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
  };
  return kinds[kind]?.() === true ? undefined : `${place} is ${inWords(value)}, and must be a ${kind}`;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
