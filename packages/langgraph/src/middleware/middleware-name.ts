// What a middleware calls its state: it becomes part of LangGraph's node names, a field's name, and
// a tag that the model reads.

import type { AnyDefinition } from "@opstate/core";

/** As a definition's own name. LangGraph throws at ":" and "|" in a node's name. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;

export function middlewareName(definition: AnyDefinition, name: string = definition.name): string {
  if (NAME.test(name)) return name;
  throw new TypeError(
    `The \`name\` of an opstateMiddleware must be letters, digits, "_" or "-", at most 64, the first a letter; it is ${JSON.stringify(name)}.`,
  );
}
