// Makes the node of every schema. Containers and wrappers are walked here, zod parses the others.

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { arrayNode, tupleNode } from "./array.ts";
import { withChecks } from "./checks.ts";
import { objectNode } from "./object.ts";
import { isWrapper } from "./kinds.ts";
import type { Compile, Walk } from "./pass.ts";
import { recordNode } from "./record.ts";
import { unionNode } from "./union.ts";
import { whole } from "./whole.ts";
import { catchNode, intersectionNode, pipeNode, wrapperNode } from "./wrapper.ts";

/** A compiler with a cache: one node for each schema, so that a recursive schema ends. */
export function compiler(): Compile {
  const walks = new Map<$ZodType, Walk>();
  const compile: Compile = (schema) => {
    const made = walks.get(schema);
    if (made !== undefined) return made;
    const walk = nodeOf(schema, compile);
    walks.set(schema, walk);
    return walk;
  };
  return compile;
}

function nodeOf(schema: $ZodType, compile: Compile): Walk {
  // A check that writes would write to the caller's value.
  if (schema._zod.def.checks?.some(({ _zod }) => _zod.def.check === "overwrite") === true) return whole(schema);
  const walk = walkedNode(schema, compile);
  return walk === undefined ? whole(schema) : withChecks(schema, walk);
}

function walkedNode(schema: $ZodType, compile: Compile): Walk | undefined {
  // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return objectNode(schema, def, compile);
    case "array":
      return arrayNode(schema, def, compile);
    case "tuple":
      return tupleNode(schema, def, compile);
    case "record":
      return recordNode(schema, def, compile);
    case "union":
      return unionNode(schema, def, compile);
    case "intersection":
      return intersectionNode(schema, def, compile);
    case "pipe":
      return pipeNode(schema, def, compile);
    case "catch":
      return catchNode(schema, def, compile);
    default:
      return isWrapper(schema) ? wrapperNode(schema, compile) : undefined;
  }
}
