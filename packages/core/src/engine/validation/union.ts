// Unions. Only the options that accept this kind of value (or this discriminator) are candidates. A
// single candidate is walked like any other schema. With several, each is tried on the whole value,
// as in zod, but only up to its first issues.

import type { $ZodType, $ZodUnionDef } from "zod/v4/core";
import type { SchemaIssue } from "./issues.ts";
import { type Kind, kindOf, mayAccept } from "./kinds.ts";
import type { Compile, Pass, Walk } from "./pass.ts";
import { isObject, own } from "../../json/container.ts";
import { parseUnchecked, reportStrippedKeys } from "./whole.ts";

export function unionNode(schema: $ZodType, def: $ZodUnionDef, compile: Compile): Walk {
  const discriminator = "discriminator" in def && typeof def.discriminator === "string" ? def.discriminator : undefined;
  const hasFallback = "unionFallback" in def && def.unionFallback === true;
  /**
   * The options for each kind of value; read when the first one comes, for options may lead back
   * here.
   */
  const byKind = new Map<Kind | undefined, readonly $ZodType[]>();

  return (value, prev, pass, touched) => {
    const kind = kindOf(value);
    let candidates = byKind.get(kind) ?? def.options.filter((option) => mayAccept(option, kind));
    byKind.set(kind, candidates);
    let sameBranch = kind === kindOf(prev);
    if (discriminator !== undefined) {
      const tag = isObject(value) ? own(value, discriminator) : undefined;
      const tagged = candidates.filter((option) => {
        const tags: ReadonlySet<unknown> | undefined = option._zod.propValues?.[discriminator];
        return tags?.has(tag);
      });
      if (tagged.length !== 1 && !hasFallback) return parseUnchecked(schema, value, pass);
      if (tagged.length === 1) candidates = tagged;
      sameBranch &&= isObject(prev) && own(prev, discriminator) === tag;
    }
    const [only] = candidates;
    if (only !== undefined && candidates.length === 1)
      return sameBranch ? compile(only)(value, prev, pass, touched) : compile(only)(value, undefined, pass);
    // An exclusive union needs every option that matches. Without a candidate, zod reports what was
    // expected.
    if (only === undefined || schema._zod.traits.has("$ZodXor")) return parseUnchecked(schema, value, pass);
    return firstThatFits(schema, candidates.map(compile), value, pass);
  };
}

function firstThatFits(schema: $ZodType, walks: readonly Walk[], value: unknown, pass: Pass): unknown {
  const errors: SchemaIssue[][] = [];
  for (const walk of walks) {
    const fork = pass.fork();
    const output = walk(value, undefined, fork);
    if (fork.issues.length === 0) return reportStrippedKeys(schema, value, output, pass);
    errors.push(fork.since(0));
  }
  // Where one option has the right type and only its checks fail, its issues say what is wrong.
  const almostRight = errors.filter((issues) => issues.every((issue) => issue.continue === true));
  const [issues] = almostRight;
  if (issues === undefined || almostRight.length > 1)
    return pass.fail({ code: "invalid_union", errors, input: value, inst: schema });
  pass.report(issues);
  return value;
}
