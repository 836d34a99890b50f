// Records: every key by the key schema, every value by the value schema. A key schema that lists
// its keys (an enum, literals) makes all of them required, unless the record is partial.

import type { $ZodRecordDef, $ZodType } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import type { SchemaIssue } from "./issues.ts";
import { below, type Compile, type Pass, type Walk } from "./pass.ts";
import { isObject, own } from "../../json/container.ts";
import { PROTO } from "../../json/reserved-keys.ts";
import { amend, detach } from "./share.ts";
import { sync } from "./whole.ts";

const NUMERIC = /^-?\d+(?:\.\d+)?$/;

export function recordNode(schema: $ZodType, def: $ZodRecordDef, compile: Compile): Walk {
  const walk = compile(def.valueType);

  return (value, prev, pass, touched) => {
    if (!isObject(value)) return pass.fail({ code: "invalid_type", expected: "record", input: value, inst: schema });
    const before = isObject(prev) ? prev : undefined;
    const listed = def.keyType._zod.values;
    const required = listed === undefined || def.partial === true ? undefined : new Set([...listed].map(String));
    const changes = new Map<string, unknown>();
    const unknown: string[] = [];
    const checkEntry = (key: string, child?: Touched): void => {
      const item = own(value, key);
      const isRequired = required?.has(key) === true;
      if (key === PROTO || (item === undefined && !isRequired)) {
        if (Object.hasOwn(value, key)) changes.set(key, undefined);
        return;
      }
      const old = before === undefined ? undefined : own(before, key);
      if (before !== undefined && item === old) return;
      const checked = required === undefined || isRequired ? checkKey(def, key, pass) : { issues: [], name: undefined };
      if (checked.name === undefined) {
        if (def.mode === "loose" && !isRequired) return;
        changes.set(key, undefined);
        if (listed !== undefined && !isRequired) unknown.push(key);
        else
          pass.fail({
            code: "invalid_key",
            origin: "record",
            issues: checked.issues,
            input: key,
            path: [key],
            inst: schema,
          });
      } else {
        const output =
          item === undefined ? detach(below(pass, key, walk, item, old)) : below(pass, key, walk, item, old, child);
        if (checked.name !== key) changes.set(key, undefined);
        if (output !== item || checked.name !== key) changes.set(checked.name, output);
      }
    };
    if (touched !== undefined && before !== undefined) {
      // Where the draft says what it touched, the other keys are not even looked at.
      for (const child of touched.children) if (!pass.full) checkEntry(String(child.key), child);
      for (const key of touched.assigned) if (!pass.full) checkEntry(String(key));
    } else {
      for (const key of required === undefined ? Object.keys(value) : new Set([...required, ...Object.keys(value)]))
        if (!pass.full) checkEntry(key);
    }
    if (pass.full) return value;
    if (unknown.length > 0)
      pass.fail({ code: "unrecognized_keys", keys: unknown, input: value, inst: schema, continue: true });
    return changes.size === 0 ? value : amend(value, changes);
  };
}

/**
 * The name that the key schema gives to a key, or the issues it has with it. A key that reads as a
 * number may be one, as in zod.
 */
function checkKey(
  def: $ZodRecordDef,
  key: string,
  pass: Pass,
): { readonly name: string | undefined; readonly issues: readonly SchemaIssue[] } {
  const { run } = def.keyType._zod;
  const asString = sync(run({ value: key, issues: [] }, pass.context));
  if (asString.issues.length === 0) return { name: String(asString.value), issues: [] };
  if (NUMERIC.test(key)) {
    const asNumber = sync(run({ value: Number(key), issues: [] }, pass.context));
    if (asNumber.issues.length === 0) return { name: key, issues: [] };
  }
  return { name: undefined, issues: asString.issues };
}
