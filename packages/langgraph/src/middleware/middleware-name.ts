// A middleware's name for its state. It becomes part of LangGraph's node names, a field's name, and
// a tag that the model reads.

import type { AnyDefinition } from "@opstate/core";

/** The same rule as for a definition's name. LangGraph refuses ":" and "|" in a node's name. */
const NAME = /^[A-Za-z][\w-]{0,63}$/;

export function middlewareName(definition: AnyDefinition, name: string = definition.name): string {
  if (NAME.test(name)) return name;
  throw new TypeError(
    `The \`name\` of an opstateMiddleware must start with a letter and have at most 64 letters, digits, "_" or "-"; it is ${JSON.stringify(name)}.`,
  );
}
