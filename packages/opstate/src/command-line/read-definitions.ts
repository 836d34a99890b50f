// The definitions that a module of the application exports.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyDefinition, OpstateError } from "@opstate/core";

/** Throws an OpstateError when the module cannot be loaded, or exports no definition. */
export async function readDefinitions(path: string): Promise<readonly AnyDefinition[]> {
  const module: object = await import(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OpstateError("invalid_definition", `The definitions in "${path}" could not be loaded: ${reason}`, {
      cause: error,
    });
  });
  const found = Object.values(module).filter(isDefinition);
  if (found.length > 0) return found;
  throw new OpstateError(
    "invalid_definition",
    `"${path}" exports no definition. Export what \`defineState\` gives: export const board = defineState({ ... }).`,
  );
}

function isDefinition(value: unknown): value is AnyDefinition {
  return typeof value === "object" && value !== null && "model" in value && "transition" in value && "name" in value;
}
