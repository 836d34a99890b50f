// Which fields are conversations: `messages()`, and a list named `messages` that has no schema of
// plain items. They take what LangGraph's `add_messages` takes, and hold LangChain's classes.

import type { AnyField } from "@opstate/core/definition";
import type * as z from "zod";

/** Items of any kind: declared ones, and those typed as classes (`z.custom<BaseMessage>()`). */
const OPEN: ReadonlySet<string> = new Set(["unknown", "any", "custom"]);

/** How a conversation takes an update; undefined for every other field. */
export function conversationOf(name: string, { kind, schema }: AnyField): "merged" | "replaced" | undefined {
  if (kind === "messages") return "merged";
  if (name !== "messages" || !isOpenList(schema)) return undefined;
  if (kind === "append") return "merged";
  return kind === "replace" ? "replaced" : undefined;
}

function isOpenList(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "nullable":
    case "optional":
    case "default":
      return isOpenList(def.innerType);
    case "array":
      return OPEN.has(def.element._zod.def.type);
    // `z.custom<BaseMessage[]>()`
    case "custom":
      return true;
    default:
      return false;
  }
}
