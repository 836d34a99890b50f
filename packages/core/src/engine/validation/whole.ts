// Values that zod parses whole: scalars, and every schema this engine does not walk itself.

import { $ZodAsyncError, type $ZodType, type ParsePayload } from "zod/v4/core";
import { lostKeys, shareByPlace } from "./share.ts";
import type { Pass, Walk } from "./pass.ts";

/** The node of a schema that zod parses whole. */
export function whole(schema: $ZodType): Walk {
  const accepts = shortcut(schema);
  return (value, _prev, pass) => (accepts(value) ? value : parseWhole(schema, value, pass));
}

/** The output of zod for a value, the schema's checks included. */
export function parseWhole(schema: $ZodType, value: unknown, pass: Pass): unknown {
  return parse(schema, schema._zod.run, value, pass);
}

/** The same without the schema's own checks: for a node that runs them itself. */
export function parseUnchecked(schema: $ZodType, value: unknown, pass: Pass): unknown {
  return parse(schema, schema._zod.parse, value, pass);
}

function parse(schema: $ZodType, run: $ZodType["_zod"]["run"], value: unknown, pass: Pass): unknown {
  let result: ParsePayload;
  try {
    result = sync(run({ value, issues: [] }, pass.context));
  } catch (error) {
    // zod throws when the sides of an intersection give different values. That is an issue of the
    // value, not an error of the program.
    if (!(error instanceof Error) || !error.message.startsWith("Unmergable intersection")) throw error;
    return pass.fail({
      code: "custom",
      message: "the two sides of the intersection give different values",
      input: value,
      inst: schema,
    });
  }
  if (result.issues.length === 0) return reportStrippedKeys(schema, value, shareByPlace(value, result.value), pass);
  pass.report(result.issues);
  return value;
}

/** Keys that a branch stripped are issues in a strict pass, as in a plain object. */
export function reportStrippedKeys(schema: $ZodType, value: unknown, output: unknown, pass: Pass): unknown {
  if (pass.strict && output !== value) {
    for (const { path, keys, input } of lostKeys(value, output))
      pass.report([{ code: "unrecognized_keys", keys, path, input, inst: schema, continue: true }]);
  }
  return output;
}

/**
 * States are validated synchronously: a check that returns a promise is a mistake of the author.
 */
export function sync<T>(result: T | Promise<T>): T {
  if (!(result instanceof Promise)) return result;
  result.catch(() => undefined);
  throw new $ZodAsyncError();
}

const never = (): boolean => false;

/** Scalars without checks are most of a state's values: accepted here without a call into zod. */
function shortcut(schema: $ZodType): (value: unknown) => boolean {
  const { def, traits } = schema._zod;
  const { type, checks = [] } = def;
  if (checks.length > 0 || traits.has("$ZodCheck") || ("coerce" in def && def.coerce === true)) return never;
  if (type === "number") return Number.isFinite;
  return type === "string" || type === "boolean" ? (value) => typeof value === type : never;
}
