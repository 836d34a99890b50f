// Finds every mistake in a definition that is visible before its first use. Not part of production
// builds.

import { crossing } from "../engine/related-rules.ts";
import { parsePointer } from "../patch/index.ts";
import { inspectDerived, inspectOperation, inspectSpec } from "./inspect-spec.ts";
import { inspectInputSchema, inspectStateSchema } from "./schema.ts";
import type { Written } from "./written.ts";

const NAME = /^[A-Za-z][\w-]{0,63}$/;

/** What is wrong with a definition; empty when nothing is. */
export function faultsOf(spec: Written): readonly string[] {
  const inspected = inspectSpec(spec);
  const faults = [...inspected.faults];
  if (inspected.fatal) return faults;
  if (typeof spec.name !== "string" || !NAME.test(spec.name))
    faults.push(
      `name ${JSON.stringify(spec.name)} must be a letter followed by letters, digits, "_" or "-", at most 64 characters`,
    );
  const { version = 1 } = spec;
  if (!Number.isSafeInteger(version) || version < 1)
    faults.push(`version ${String(version)} must be a whole number, at least 1`);
  const schemaFaults = inspectStateSchema(spec.schema).map(({ path, message }) => `schema${path}: ${message}`);
  const operations = Object.entries(spec.operations).flatMap(([type, written]) => operationFaults(type, written));
  return [...faults, ...schemaFaults, ...operations, ...(schemaFaults.length > 0 ? [] : deriveFaults(spec))];
}

function operationFaults(type: string, written: Written["operations"][string]): readonly string[] {
  const at = `operation "${type}"`;
  const name = NAME.test(type)
    ? []
    : [
        `${at}: a name is a letter followed by letters, digits, "_" or "-", at most 64 characters (names that start with "$" are opstate's own)`,
      ];
  const options = inspectOperation(type, written);
  // In JavaScript the operation may be undefined.
  const input = inspectInputSchema({ ...written }.input);
  return [...name, ...options, ...input.map(({ path, message }) => `${at}: input${path}: ${message}`)];
}

function deriveFaults({ schema, derive = {} }: Written): readonly string[] {
  const faults: string[] = [];
  const rules: { readonly pointer: string; readonly path: readonly string[] }[] = [];
  for (const [pointer, compute] of Object.entries(derive)) {
    const path = readPointer(pointer);
    const field = path?.at(-1);
    if (path === undefined || field === undefined || field === "*") {
      faults.push(`derive "${pointer}": must be a JSON Pointer to a field, such as "/columns/*/cardCount"`);
      continue;
    }
    for (const fault of inspectDerived(schema, path, compute)) faults.push(`derive "${pointer}": ${fault}`);
    rules.push({ pointer, path });
  }
  for (const [index, rule] of rules.entries()) {
    const other = rules.slice(index + 1).find(({ path }) => overlap(rule.path, path));
    if (other !== undefined)
      faults.push(
        `derive "${rule.pointer}" and "${other.pointer}" overlap: one would overwrite what the other computes`,
      );
    const crossed = rules.slice(index + 1).find(({ path }) => crossing(containerOf(rule), containerOf({ path })));
    if (crossed !== undefined)
      faults.push(
        `derive "${rule.pointer}" and "${crossed.pointer}" meet in some containers only, so neither can be computed before the other: derive both for the same containers`,
      );
  }
  return faults;
}

function containerOf({ path }: { readonly path: readonly string[] }): { readonly container: readonly string[] } {
  return { container: path.slice(0, -1) };
}

/** Whether one rule's field is or contains the other's. */
function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a
    .slice(0, Math.min(a.length, b.length))
    .every((token, index) => token === b[index] || token === "*" || b[index] === "*");
}

function readPointer(pointer: string): readonly string[] | undefined {
  try {
    return parsePointer(pointer);
  } catch {
    return undefined;
  }
}
