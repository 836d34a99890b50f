// The schema of the definition, as `GET /threads/:id/schema` has it for a user.

import { replacementSchema, toolsOf } from "@opstate/core/tools";
import { conformanceList } from "../../src/index.ts";

export function schemaOfDefinition() {
  return {
    definition: conformanceList.name,
    definitionVersion: conformanceList.version,
    initial: conformanceList.initial,
    state: replacementSchema(conformanceList),
    operations: toolsOf(conformanceList),
  };
}
