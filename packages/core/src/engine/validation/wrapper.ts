// Schemas around one other schema, and those that see a value twice (pipes, intersections) or
// replace it (catch).

import type { $ZodCatchDef, $ZodIntersectionDef, $ZodPipeDef, $ZodType } from "zod/v4/core";
import type { SchemaIssue } from "./issues.ts";
import { innerOf } from "./kinds.ts";
import type { Compile, Walk } from "./pass.ts";
import { detach, shareByPlace } from "./share.ts";
import { parseUnchecked, reportStrippedKeys, whole } from "./whole.ts";

/**
 * Optional, nullable, default, readonly, lazy...: the inner schema checks a value that is present.
 */
export function wrapperNode(schema: $ZodType, compile: Compile): Walk {
  const takesNull = schema._zod.def.type === "nullable";
  // A lazy schema may lead back here.
  let walk: Walk | undefined;
  return (value, prev, pass, touched) => {
    if (value === undefined) return detach(parseUnchecked(schema, value, pass));
    if (takesNull && value === null) return value;
    walk ??= compile(innerOf(schema) ?? schema);
    return walk(value, prev, pass, touched);
  };
}

/** A value that fails is replaced. `prev` is not used: it may be a replacement itself. */
export function catchNode(schema: $ZodType, { innerType, catchValue }: $ZodCatchDef, compile: Compile): Walk {
  const walk = compile(innerType);
  return (value, _prev, pass) => {
    const fork = pass.fork();
    const output = walk(value, undefined, fork);
    if (fork.issues.length === 0) return reportStrippedKeys(schema, value, output, pass);
    const issues = fork.since(0);
    const error = { issues: issues.map((issue) => ({ message: "Invalid input", ...issue })) };
    // Issues of ours and of zod differ in their types only.
    return shareByPlace(
      value,
      detach(catchValue({ value, issues, input: value, error } as unknown as Parameters<typeof catchValue>[0])),
    );
  };
}

/** Both sides check the whole value, and zod merges their outputs. The walks bound the work. */
export function intersectionNode(schema: $ZodType, def: $ZodIntersectionDef, compile: Compile): Walk {
  const sides = [compile(def.left), compile(def.right)];
  return (value, _prev, pass) => {
    const start = pass.issues.length;
    for (const side of sides) {
      const fork = pass.fork();
      side(value, undefined, fork);
      pass.report(fork.since(0).filter((issue) => !isAnothersKey(issue)));
    }
    return pass.issues.length > start ? value : parseUnchecked(schema, value, pass);
  };
}

/** A key that one side does not know may be the other side's. */
function isAnothersKey(issue: SchemaIssue): boolean {
  return (
    (issue.code === "unrecognized_keys" && issue.path?.length === 0) ||
    (issue.code === "invalid_key" && issue.path?.length === 1)
  );
}

/** The second schema gets the output of the first one, unless that reported issues. */
export function pipeNode(schema: $ZodType, def: $ZodPipeDef, compile: Compile): Walk {
  if (def.transform !== undefined || schema._zod.traits.has("$ZodCodec")) return whole(schema);
  const first = compile(def.in);
  const second = compile(def.out);
  return (value, _prev, pass) => {
    const start = pass.issues.length;
    const output = first(value, undefined, pass);
    const wrong = pass.issues.slice(start).some(({ code }) => code !== "unrecognized_keys");
    return wrong ? output : second(output, undefined, pass);
  };
}
