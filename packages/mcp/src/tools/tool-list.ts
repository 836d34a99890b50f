// The tools for an actor, made once for each kind of actors: schemas are large.

import type { Actor, AnyDefinition } from "@opstate/core";
import { CHANGE_TOOLS } from "./change-tools.ts";
import { operationTools } from "./operation-tools.ts";
import { PAST_TOOLS } from "./past-tools.ts";
import type { McpTool } from "./tool.ts";

/** An application may make up kinds as it goes. */
const MAX_KINDS = 50;

type MoreTools = (definitions: readonly AnyDefinition[]) => readonly McpTool[];

export class ToolList {
  readonly #byKind = new Map<string, ReadonlyMap<string, McpTool>>();
  readonly #more: MoreTools;

  /** `more`: tools that stand behind the usual ones. */
  constructor(more: MoreTools = () => []) {
    this.#more = more;
  }

  /** In an order that stays: clients cache it before anything else. */
  of(definitions: readonly AnyDefinition[], actor: Actor): ReadonlyMap<string, McpTool> {
    const known = this.#byKind.get(actor.kind);
    if (known !== undefined) return known;
    const tools = [
      ...definitions.flatMap((definition) => operationTools(definition, actor)),
      ...PAST_TOOLS,
      ...CHANGE_TOOLS,
      ...this.#more(definitions),
    ];
    const named = new Map(tools.map((tool) => [tool.listed.name, tool]));
    if (this.#byKind.size >= MAX_KINDS) this.#byKind.clear();
    this.#byKind.set(actor.kind, named);
    return named;
  }
}
