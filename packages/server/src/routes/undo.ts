// Taking back: one's own work with the right to write, others' with the right to undo.

import { isObject } from "@opstate/core/json";
import type { UndoTarget } from "@opstate/core/thread";
import { grants, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { verdictResponse } from "../http/verdict.ts";
import { readEnvelope } from "./submission.ts";
import { type App, readObject, type Services, threadIdWith } from "./environment.ts";

const TARGET_MEMBERS = new Set(["ids", "actor", "runId", "since"]);
const SHAPE =
  '{ "target": { "ids": [...] } | { "runId": ... } | { "actor": { "kind", "id" } }, "onDependent"?: "refuse" | "drop", "id"? }';

export function undoRoutes(app: App, { threads, operationLimits }: Services): void {
  app.post("/threads/:id/undo", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    // Its answer has patches, and its refusals name what others did.
    await requireRight(access, threadId, "read");
    const others = await grants(access, threadId, "undo");
    const { thread } = await threads.get(threadId);
    const body = await readObject(context.req.raw, operationLimits);
    const envelope = readEnvelope(body, ["target", "onDependent"]);
    const { onDependent } = body;
    if (onDependent !== undefined && onDependent !== "refuse" && onDependent !== "drop")
      throw new Problem("invalid_body", `\`onDependent\` must be "refuse" or "drop". The body is ${SHAPE}.`);
    const verdict = await thread.undo(readTarget(body["target"]), {
      ...envelope,
      ...(onDependent && { onDependent }),
      actor: access.actor,
      allows: () => others,
    });
    return verdictResponse(verdict);
  });
}

/** The members are known; what they hold is the thread's to check. */
function readTarget(target: unknown): UndoTarget {
  const unknown = isObject(target) ? Object.keys(target).find((key) => !TARGET_MEMBERS.has(key)) : "";
  if (unknown !== undefined)
    throw new Problem("invalid_body", `\`target\` must say what to take back. The body is ${SHAPE}.`);
  return target as UndoTarget;
}
