// Undo: of one's own work with the right to write, of the work of others with the right to undo.

import { defined } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import type { OnDependent, UndoTarget } from "@opstate/core/thread";
import { isGranted, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { verdictResponse } from "../http/verdict.ts";
import { type App, type Services, threadIdWith } from "./environment.ts";
import { readOwnObject } from "./read-request.ts";
import { readEnvelope } from "./submission.ts";

const TARGET_MEMBERS = new Set(["ids", "actor", "runId", "since"]);
const SHAPE =
  '{ "target": { "ids": [...] } | { "runId": ... } | { "actor": { "kind", "id" } }, "onDependent"?: "refuse" | "drop" | "keep", "id"? }';

export function undoRoutes(app: App, { threads, operationLimits }: Services): void {
  app.post("/threads/:id/undo", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    // The answer has patches, and a refusal names what others did.
    await requireRight(access, threadId, "read");
    const mayUndoOthers = await isGranted(access, threadId, "undo");
    const { thread } = await threads.get(threadId);
    const body = await readOwnObject(context.req.raw, operationLimits, context.var.access.actor);
    const envelope = readEnvelope(body, ["target", "onDependent"]);
    const { onDependent } = body;
    if (!isOnDependent(onDependent))
      throw new Problem("invalid_body", `\`onDependent\` must be "refuse", "drop" or "keep". The body is ${SHAPE}.`);
    const verdict = await thread.undo(readTarget(body["target"]), {
      ...envelope,
      ...defined({ onDependent }),
      actor: access.actor,
      allows: () => mayUndoOthers,
    });
    return verdictResponse(verdict);
  });
}

function isOnDependent(value: unknown): value is OnDependent | undefined {
  return value === undefined || value === "refuse" || value === "drop" || value === "keep";
}

/** Checks the names of the members. The thread checks their values. */
function readTarget(target: unknown): UndoTarget {
  const unknown = isObject(target) ? Object.keys(target).find((key) => !TARGET_MEMBERS.has(key)) : "";
  if (unknown !== undefined)
    throw new Problem("invalid_body", `\`target\` must say which work to undo. The body is ${SHAPE}.`);
  return target as UndoTarget;
}
