// Finds mistakes in the options of a definition. (`schema.ts` does the schemas.) JavaScript authors
// have no compiler, and a misspelt `allow` would open an operation to every actor.

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { type JsonLimits, MAX_DEPTH } from "../engine/limits/limits.ts";
import { innerOf } from "../engine/validation/kinds.ts";
import { isObject } from "../json/container.ts";
import { migrateFaults } from "./migrations.ts";
import { childrenAt } from "./schema-path.ts";
import { isSynchronous } from "./synchronous.ts";

const SPEC = "name version schema initial derive operations replace patches migrate drafts freeze limits onFailure";
const OPERATION = "description input allow approve retarget narrow describe once apply";
const LIMITS = "depth nodes bytes" satisfies `${keyof JsonLimits} ${keyof JsonLimits} ${keyof JsonLimits}`;

/**
 * The faults of a definition's own options. `fatal`: an option that must be an object is none, so
 * nothing below it can be inspected.
 */
export function inspectSpec(spec: object): { readonly faults: readonly string[]; readonly fatal: boolean } {
  const written: Readonly<Record<string, unknown>> = { ...spec };
  const faults = unknownKeys(written, SPEC, "");
  const fatal: string[] = [];
  for (const key of ["operations", "derive", "replace", "limits"] as const) {
    if (!isObject(written[key]) && (key === "operations" || written[key] !== undefined))
      fatal.push(`${key} must be an object`);
  }
  if (fatal.length > 0) return { faults: [...faults, ...fatal], fatal: true };
  if (written["initial"] === undefined)
    faults.push("initial must be a state, or null when there is none until the first replacement");
  if (isObject(written["replace"]))
    faults.push(
      ...unknownKeys(written["replace"], "allow approve", "replace: "),
      ...inspectPermission(written["replace"], "replace: "),
    );
  if (!["undefined", "boolean"].includes(typeof written["patches"])) faults.push("patches must be true or false");
  if (!["undefined", "boolean"].includes(typeof written["freeze"]) && written["freeze"] !== "development")
    faults.push('freeze must be true, false or "development"');
  if (!["undefined", "function"].includes(typeof written["onFailure"])) faults.push("onFailure must be a function");
  const { drafts, migrate, version = 1 } = written;
  faults.push(...migrateFaults(migrate, typeof version === "number" ? version : 1));
  if (drafts !== undefined && !(isObject(drafts) && typeof drafts["begin"] === "function"))
    faults.push("drafts must be a draft engine");
  return { faults: [...faults, ...inspectLimits(written["limits"])], fatal: false };
}

/** The faults of one operation, except those of its name and its input. */
export function inspectOperation(type: string, operation: unknown): readonly string[] {
  const at = `operation "${type}": `;
  if (!isObject(operation)) return [`${at}must be an object with an input and an apply`];
  const faults = [...unknownKeys(operation, OPERATION, at), ...inspectPermission(operation, at)];
  const { description, apply, narrow, describe, once } = operation;
  if (description !== undefined && (typeof description !== "string" || description.trim() === ""))
    faults.push(`${at}description must be a sentence`);
  for (const [name, code] of Object.entries({ apply, narrow, describe, once })) {
    if (code === undefined && name !== "apply") continue;
    if (typeof code !== "function") faults.push(`${at}${name} must be a function`);
    else if (!isSynchronous(code))
      faults.push(`${at}${name} must be synchronous: fetch what it needs before the update is sent`);
  }
  return faults;
}

/**
 * The faults of one derived field: of its function, and of the containers at its place. `path`
 * leads from `schema` to the field.
 */
export function inspectDerived(schema: $ZodType, path: readonly string[], compute: unknown): readonly string[] {
  const faults: string[] = [];
  if (typeof compute !== "function") faults.push("must be a function of the container");
  else if (!isSynchronous(compute)) faults.push("its function must be synchronous");
  let found: readonly $ZodType[] = [schema];
  const [field = ""] = path.slice(-1);
  for (const [depth, token] of path.entries()) {
    const containers = found;
    found = found.flatMap((schema) => childrenAt(schema, token));
    const place = `"/${path.slice(0, depth).join("/")}"`;
    if (found.length === 0) return [...faults, `the schema has nothing at "/${path.slice(0, depth + 1).join("/")}"`];
    if (depth < path.length - 1) continue;
    const members = containers.flatMap((schema) => membersOf(schema));
    if (members.some((member) => ["array", "tuple"].includes(member._zod.def.type)))
      faults.push(`a derived field is a key of an object, and ${place} is a list`);
    else if (members.some((member) => member._zod.def.type === "object" && childrenAt(member, field).length === 0))
      faults.push(`not every member of the union at ${place} has a "${field}": put it in all of them, or in none`);
  }
  return faults;
}

/** The schemas that a value of this schema may have: wrappers and unions resolved. */
function membersOf(schema: $ZodType, open: ReadonlySet<$ZodType> = new Set()): readonly $ZodType[] {
  if (open.has(schema)) return [];
  const around = new Set([...open, schema]);
  const inner = innerOf(schema);
  if (inner !== undefined) return membersOf(inner, around);
  // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
  const { def } = (schema as $ZodTypes)._zod;
  return def.type === "union" ? def.options.flatMap((option) => membersOf(option, around)) : [schema];
}

function inspectLimits(limits: unknown): readonly string[] {
  if (!isObject(limits)) return [];
  const faults = unknownKeys(limits, "operation state batch", "limits: ");
  for (const part of ["operation", "state"] as const) {
    const given = limits[part];
    if (given === undefined) continue;
    if (!isObject(given)) faults.push(`limits.${part} must be an object`);
    else
      faults.push(
        ...unknownKeys(given, LIMITS, `limits.${part}: `),
        ...Object.entries(given).flatMap(([key, value]) => inspectPositive(value, `limits.${part}.${key}`)),
        ...(Number(given["depth"]) > MAX_DEPTH ? [`limits.${part}.depth must be at most ${MAX_DEPTH}`] : []),
      );
  }
  return [...faults, ...inspectPositive(limits["batch"], "limits.batch")];
}

function inspectPositive(value: unknown, name: string): readonly string[] {
  return value === undefined || (typeof value === "number" && value > 0) ? [] : [`${name} must be a number above 0`];
}

function inspectPermission(permission: Readonly<Record<string, unknown>>, at: string): readonly string[] {
  return ["allow", "approve"]
    .filter(
      (key) =>
        permission[key] !== undefined &&
        !(Array.isArray(permission[key]) && permission[key].every((kind) => typeof kind === "string" && kind !== "")),
    )
    .map((key) => `${at}${key} must be a list of actor kinds, such as ["user", "agent"]`);
}

function unknownKeys(given: Readonly<Record<string, unknown>>, known: string, at: string): string[] {
  const names = known.split(" ");
  return Object.keys(given)
    .filter((key) => !names.includes(key))
    .map((key) => `${at}"${key}" is not an option; the options are ${names.join(", ")}`);
}
