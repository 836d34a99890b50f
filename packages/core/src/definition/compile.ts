// From what an author wrote to what the engine runs on, with every mistake that can be seen reported at once.

import type { $ZodType } from "zod/v4/core";
import type { ActorKind } from "../engine/actor.ts";
import type { DeriveRule } from "../engine/derive.ts";
import { recordingDrafts, type DraftEngine } from "../engine/draft.ts";
import { deepFreeze } from "../engine/freeze.ts";
import { KnownStates } from "../engine/known.ts";
import { copyJson, defaultLimits, type JsonLimits } from "../engine/limits.ts";
import type { ApplyContextLike, Model, OperationModel } from "../engine/model.ts";
import { build } from "../engine/replace.ts";
import { compileValidator } from "../engine/validate.ts";
import { OpstateError } from "../error.ts";
import { parsePointer } from "../patch/index.ts";
import { inspectDerived, inspectOperation, inspectSpec } from "./inspect-spec.ts";
import { loosen } from "./schema-path.ts";
import { inspectInputSchema, inspectStateSchema } from "./schema.ts";

/** The shape of a definition, its types forgotten: `StateSpec` is what authors see. */
interface Written {
  readonly name: string;
  readonly version?: number;
  readonly schema: $ZodType;
  readonly initial: unknown;
  readonly derive?: Readonly<Record<string, unknown>>;
  readonly operations: Readonly<Record<string, unknown>>;
  readonly replace?: { readonly allow?: readonly ActorKind[]; readonly approve?: readonly ActorKind[] };
  readonly patches?: boolean;
  readonly migrate?: Model["migrate"];
  readonly drafts?: DraftEngine;
  readonly freeze?: "development" | boolean;
  readonly limits?: { readonly operation?: Partial<JsonLimits>; readonly state?: Partial<JsonLimits>; readonly batch?: number };
  readonly onFailure?: (error: unknown, operation: { readonly type: string }) => void;
}

interface WrittenOperation {
  readonly description?: string;
  readonly input: $ZodType;
  readonly allow?: readonly ActorKind[];
  readonly approve?: readonly ActorKind[];
  readonly narrow?: OperationModel["narrow"];
  readonly apply: (draft: unknown, input: unknown, context: ApplyContextLike) => unknown;
}

/** An operation is a small thing: what is larger is a replacement. */
const OPERATION_BYTES = 256 * 1024;
const NAME = /^[A-Za-z][\w-]{0,63}$/;

export function compile(spec: Written): Model {
  const inspected = inspectSpec(spec);
  const faults = [...inspected.faults];
  if (inspected.fatal) throw invalid(spec.name, faults);
  if (typeof spec.name !== "string" || !NAME.test(spec.name))
    faults.push(`name ${JSON.stringify(spec.name)} must be letters, digits, "_" or "-", at most 64`);
  const version = spec.version ?? 1;
  if (!Number.isSafeInteger(version) || version < 1) faults.push(`version ${String(version)} must be a whole number from 1`);
  const schemaFaults = inspectStateSchema(spec.schema);
  for (const fault of schemaFaults) faults.push(`schema${fault.path}: ${fault.message}`);
  const operations = new Map(Object.entries(spec.operations).map(([type, written]) => [type, compileOperation(type, written, faults)]));
  const derive = schemaFaults.length > 0 ? [] : compileDerive(spec, faults);
  if (faults.length > 0) throw invalid(spec.name, faults);

  const looseSchema = derive.reduce((schema, rule) => loosen(schema, [...rule.container, rule.field]), spec.schema);
  const state = { ...defaultLimits, ...spec.limits?.state };
  const model: Omit<Model, "initial"> = {
    name: spec.name,
    version,
    state: compileValidator(spec.schema),
    loose: derive.length === 0 ? compileValidator(spec.schema) : compileValidator(looseSchema),
    looseSchema,
    operations,
    derive,
    replace: { allow: spec.replace?.allow ?? ["agent", "system"], approve: spec.replace?.approve ?? [] },
    patches: spec.patches ?? false,
    drafts: spec.drafts ?? recordingDrafts,
    limits: {
      state,
      operation: { ...defaultLimits, bytes: OPERATION_BYTES, ...spec.limits?.operation },
      batch: spec.limits?.batch ?? 1000,
    },
    freeze: spec.freeze === true || (spec.freeze !== false && inDevelopment()),
    known: new KnownStates(),
    migrate: spec.migrate,
    onFailure: spec.onFailure ?? (() => undefined),
  };
  return { ...model, initial: compileInitial({ ...model, initial: null }, spec.initial) };
}

function compileOperation(type: string, given: unknown, faults: string[]): OperationModel {
  const at = `operation "${type}"`;
  // Every fault found here throws before the model is used.
  const written = { ...(given as WrittenOperation | undefined) } as WrittenOperation;
  if (!NAME.test(type)) faults.push(`${at}: a name is letters, digits, "_" or "-" (names that start with "$" are opstate's own)`);
  faults.push(...inspectOperation(type, given));
  const inputFaults = inspectInputSchema(written.input);
  for (const fault of inputFaults) faults.push(`${at}: input${fault.path}: ${fault.message}`);
  return {
    type,
    description: written.description,
    input: written.input,
    parse: compileValidator(written.input),
    allow: written.allow,
    approve: written.approve ?? [],
    narrow: written.narrow,
    apply: written.apply,
  };
}

function compileDerive(spec: Written, faults: string[]): readonly DeriveRule[] {
  const rules: DeriveRule[] = [];
  for (const [pointer, compute] of Object.entries(spec.derive ?? {})) {
    const path = readPointer(pointer);
    const field = path?.at(-1);
    if (path === undefined || field === undefined || field === "*") {
      faults.push(`derive "${pointer}": must be a JSON Pointer to a field, such as "/columns/*/cardCount"`);
      continue;
    }
    for (const fault of inspectDerived(spec.schema, path, compute)) faults.push(`derive "${pointer}": ${fault}`);
    rules.push({ pointer, container: path.slice(0, -1), field, compute: compute as DeriveRule["compute"] });
  }
  for (const [index, rule] of rules.entries()) {
    const other = rules.slice(index + 1).find((candidate) => overlap(rule, candidate));
    if (other !== undefined)
      faults.push(`derive "${rule.pointer}" and "${other.pointer}" overlap: one would overwrite what the other computes`);
  }
  return rules.sort((a, b) => b.container.length - a.container.length);
}

/** Whether one rule's field is, or holds, the other's. */
function overlap(left: DeriveRule, right: DeriveRule): boolean {
  const a = [...left.container, left.field];
  const b = [...right.container, right.field];
  return a.slice(0, Math.min(a.length, b.length)).every((token, index) => token === b[index] || token === "*" || b[index] === "*");
}

function compileInitial(model: Model, initial: unknown): object | null {
  if (initial === null) return null;
  const copy = copyJson(initial, model.limits.state);
  if (!copy.ok) throw invalid(model.name, [`initial${copy.fault.path}: ${copy.fault.message}`]);
  const built = build(model, copy.value);
  if (!built.ok) throw invalid(model.name, [`initial: ${built.problem.message}`]);
  const state = model.freeze ? deepFreeze(built.state) : built.state;
  model.known.add(state);
  return state;
}

function readPointer(pointer: string): readonly string[] | undefined {
  try {
    return parsePointer(pointer);
  } catch {
    return undefined;
  }
}

function invalid(name: string, faults: readonly string[]): OpstateError {
  return new OpstateError(
    "invalid_definition",
    `The definition of "${name}" cannot work:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
  );
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };

function inDevelopment(): boolean {
  try {
    // Bundlers put the value in place of this expression; where neither they nor Node do, it throws.
    return process.env.NODE_ENV !== "production";
  } catch {
    return false;
  }
}
