// What may be done on a thread, as JSON Schema: for clients that do not have the definition's code,
// such as those in other languages.

import type { AnyDefinition } from "@opstate/core";
import { replacementSchema, toolsOf } from "@opstate/core/tools";
import type { App, Services } from "./environment.ts";
import { threadToRead } from "./environment.ts";

export function schemaRoutes(app: App, { threads }: Services): void {
  app.get("/threads/:id/schema", async (context) => {
    const { definition, parent } = await threadToRead(context, threads);
    const { actor } = context.var.access;
    return context.json({
      definition: definition.name,
      definitionVersion: definition.version,
      state: replacementSchema(definition),
      operations: toolsOf(definition, { actor }).map((operation) => ({
        ...operation,
        // On a branch nothing waits: nothing there counts before it is merged.
        ...(parent === undefined && needsApproval(definition, operation.name, actor.kind) && { approval: true }),
      })),
      replace: definition.model.replace.allow?.includes(actor.kind) ?? true,
    });
  });
}

function needsApproval({ model }: AnyDefinition, type: string, kind: string): boolean {
  return model.operations.get(type)?.approve.includes(kind) ?? false;
}
