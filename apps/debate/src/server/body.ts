// Reads a request's body up to a limit, and validates it.

import type { z } from "zod";
import { invalidBody, Problem } from "./problem.ts";

const MAX_BODY_BYTES = 16 * 1024;

/** Throws a Problem if the body is not JSON of this schema. */
export async function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.output<Schema>> {
  // A form of another site cannot send this type, so other sites cannot start a debate.
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new Problem("unsupported_media_type", "Send the body as content-type: application/json.");
  const parsed = schema.safeParse(parse(await readText(request)));
  if (!parsed.success) throw invalidBody(parsed.error);
  return parsed.data;
}

async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Problem("body_too_large", `The body has more than ${MAX_BODY_BYTES} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(
      "not_json",
      text === "" ? "The body is empty. It must be a JSON object." : "The body is not JSON.",
    );
  }
}
