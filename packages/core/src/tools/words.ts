// Keywords that a dialect of JSON Schema lacks, as words in a description.

import type { JsonSchema } from "./json-schema.ts";

const WORDS: Readonly<Record<string, string>> = {
  minLength: "length at least",
  maxLength: "length at most",
  pattern: "matches",
  format: "format",
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  minItems: "count at least",
  maxItems: "count at most",
  default: "default",
};

/** `schema`, with the limits of `json` that it lacks in its description. */
export function withLimitsInWords(json: JsonSchema, schema: JsonSchema, more: readonly string[] = []): JsonSchema {
  const limits = Object.entries(json).flatMap(([keyword, value]) =>
    Object.hasOwn(WORDS, keyword)
      ? [`${WORDS[keyword]} ${typeof value === "string" ? value : JSON.stringify(value)}`]
      : [],
  );
  const words = [...limits, ...more].join(", ");
  const text = json["description"] ?? json["title"] ?? schema["description"];
  if (typeof text !== "string") return words === "" ? schema : { ...schema, description: words };
  return { ...schema, description: words === "" ? text : `${text} (${words})` };
}
