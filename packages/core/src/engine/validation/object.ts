// Objects: each declared key by its own schema, the other keys by the rules of the schema (strip,
// strict, loose, catchall).

import type { $ZodObjectDef, $ZodType } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import { below, type Compile, type Pass, type Walk } from "./pass.ts";
import { isObject, own } from "../../json/container.ts";
import { PROTO } from "../../json/reserved-keys.ts";
import { amend, detach } from "./share.ts";
import { sync } from "./whole.ts";

type Members = Readonly<Record<string, unknown>>;

interface Field {
  readonly key: string;
  readonly schema: $ZodType;
  readonly walk: Walk;
  /** The key is also a member of every object, so that only an own property counts. */
  readonly inherited: boolean;
}

/** What the keys of one object come to. */
interface Outcome {
  readonly value: Members;
  changes: Map<string, unknown> | undefined;
  unknown: string[] | undefined;
}

export function objectNode(schema: $ZodType, def: $ZodObjectDef, compile: Compile): Walk {
  // Read when the first value comes: a shape with getters may lead back here.
  let fields: readonly Field[] | undefined;
  let known: ReadonlyMap<string, Field>;
  let rest: Walk | undefined;
  let isStrict = false;

  function readFields(): readonly Field[] {
    isStrict = def.catchall?._zod.def.type === "never";
    rest = def.catchall === undefined || isStrict ? undefined : compile(def.catchall);
    const read = Object.entries(def.shape).map(([key, child]) => ({
      key,
      schema: child,
      walk: compile(child),
      inherited: key in Object.prototype,
    }));
    known = new Map(read.map((field) => [field.key, field]));
    return read;
  }

  function checkDeclared(field: Field, outcome: Outcome, old: unknown, pass: Pass, touched?: Touched): void {
    const { key } = field;
    const item = get(outcome.value, field);
    const output = item === undefined ? absent(field, pass) : below(pass, key, field.walk, item, old, touched);
    if (output !== item || (item === undefined && Object.hasOwn(outcome.value, key)))
      (outcome.changes ??= new Map()).set(key, output);
  }

  function checkOther(key: string, outcome: Outcome, old: unknown, pass: Pass, touched?: Touched): void {
    const item = own(outcome.value, key);
    if (rest !== undefined && item !== undefined && key !== PROTO) {
      const output = item === old ? item : below(pass, key, rest, item, old, touched);
      if (output !== item) (outcome.changes ??= new Map()).set(key, output);
      return;
    }
    if (item !== undefined && (isStrict || pass.strict)) (outcome.unknown ??= []).push(key);
    if (Object.hasOwn(outcome.value, key)) (outcome.changes ??= new Map()).set(key, undefined);
  }

  function everyKey(declared: readonly Field[], outcome: Outcome, before: Members | undefined, pass: Pass): void {
    const { value } = outcome;
    for (const field of declared) {
      const old = before && get(before, field);
      if (before !== undefined && get(value, field) === old && (old !== undefined || !Object.hasOwn(value, field.key)))
        continue;
      checkDeclared(field, outcome, old, pass);
      if (pass.full) return;
    }
    for (const key in value) {
      if (known.has(key) || !Object.hasOwn(value, key)) continue;
      checkOther(key, outcome, before && own(before, key), pass);
      if (pass.full) return;
    }
  }

  function checkKey(key: string, outcome: Outcome, pass: Pass, child?: Touched): void {
    const field = known.get(key);
    if (field === undefined) checkOther(key, outcome, child?.base, pass, child);
    else checkDeclared(field, outcome, child?.base, pass, child);
  }

  return (value, prev, pass, touched) => {
    if (!isObject(value)) return pass.fail({ code: "invalid_type", expected: "object", input: value, inst: schema });
    fields ??= readFields();
    const outcome: Outcome = { value, changes: undefined, unknown: undefined };
    if (touched === undefined) everyKey(fields, outcome, isObject(prev) ? prev : undefined, pass);
    else {
      for (const child of touched.children) checkKey(String(child.key), outcome, pass, child);
      for (const key of touched.assigned) checkKey(String(key), outcome, pass);
    }
    const { changes, unknown } = outcome;
    if (unknown !== undefined)
      pass.fail({ code: "unrecognized_keys", keys: unknown, input: value, inst: schema, continue: true });
    return changes === undefined ? value : amend(value, changes);
  };
}

function get(value: Members, { key, inherited }: Field): unknown {
  return inherited ? own(value, key) : value[key];
}

/**
 * What the schema puts in an absent key's place; undefined when it stays absent. The rules are
 * those of zod's objects.
 */
function absent({ key, schema }: Field, pass: Pass): unknown {
  const { optin, optout } = schema._zod;
  if (optin === "optional" && optout === "optional") return undefined;
  const result = sync(schema._zod.run({ value: undefined, issues: [] }, pass.context));
  if (result.issues.length > 0) {
    if (optin === undefined || optout !== "optional")
      pass.report(result.issues.map((issue) => ({ ...issue, path: [key, ...(issue.path ?? [])] })));
    return undefined;
  }
  if (optin === undefined)
    return pass.fail({ code: "invalid_type", expected: "nonoptional", input: undefined, path: [key] });
  return detach(result.value);
}
