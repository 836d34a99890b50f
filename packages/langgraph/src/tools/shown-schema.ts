// The schema of a tool for a model.

import * as z from "zod";

/**
 * A schema that shows the model `json` and accepts anything. If it refused arguments, LangChain
 * would answer without the engine.
 */
export function shownSchema(json: Readonly<Record<string, unknown>>) {
  const schema = z.unknown();
  schema._zod.toJSONSchema = () => ({ ...json });
  return schema;
}
