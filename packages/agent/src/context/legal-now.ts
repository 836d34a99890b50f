// What is legal now, in words. The list of tools stays the same in every call, because providers
// cache it before anything else.

import type { Actor, AnyDefinition } from "@opstate/core";
import { toolsOf, type Tool } from "@opstate/core/tools";
import { asData } from "../verdict/as-data.ts";

/** A longer list of values is left out: the state shows them. */
const MAX_VALUES_CHARACTERS = 120;

/**
 * Which of the offered tools cannot be used in `current`, and the few values that an operation's
 * `narrow` leaves; "" when all can be used with any values. `names` gives the name of the tool of
 * an operation, for the tools that the model is offered.
 *
 * @example
 * ```ts
 * import { legalNow } from "@opstate/agent";
 * import { defineState } from "@opstate/core";
 * import { z } from "zod";
 *
 * const list = defineState({
 *   name: "list",
 *   schema: z.object({ items: z.array(z.string()) }),
 *   initial: { items: ["milk"] },
 *   operations: {
 *     remove: {
 *       input: z.object({ item: z.string() }),
 *       narrow: (state) => ({ item: state.items }),
 *       apply(draft, { item }) {
 *         draft.items = draft.items.filter((other) => other !== item);
 *       },
 *     },
 *   },
 * });
 *
 * const actor = { kind: "agent", id: "planner" };
 * const names = new Map([["remove", "list_remove"]]);
 * legalNow(list, { current: { items: ["milk"] }, actor, names }); // 'Possible now: list_remove with item "milk".'
 * legalNow(list, { current: { items: [] }, actor, names }); // "Not possible now: list_remove."
 * ```
 */
export function legalNow(
  definition: AnyDefinition,
  options: { readonly current: unknown; readonly actor: Actor; readonly names: ReadonlyMap<string, string> },
): string {
  const { current, actor, names } = options;
  const now = new Map(toolsOf(definition, { current, actor }).map((tool) => [tool.name, tool]));
  const missing: string[] = [];
  const narrowed: string[] = [];
  for (const tool of toolsOf(definition, { actor })) {
    const name = names.get(tool.name);
    if (name === undefined) continue;
    const legal = now.get(tool.name);
    const values = legal === undefined ? "" : valuesIn(legal, tool);
    if (legal === undefined) missing.push(name);
    else if (values !== "") narrowed.push(`${name} with ${values}`);
  }
  return [
    ...(missing.length === 0 ? [] : [`Not possible now: ${missing.join(", ")}.`]),
    ...(narrowed.length === 0 ? [] : [`Possible now: ${narrowed.join("; ")}.`]),
  ].join("\n");
}

/** The values that only `narrow` gives. */
function valuesIn(legal: Tool, tool: Tool): string {
  const [now, always] = [propertiesOf(legal), propertiesOf(tool)];
  return Object.entries(now)
    .flatMap(([name, property]) => {
      const values = enumOf(property);
      if (values === undefined || JSON.stringify(values) === JSON.stringify(enumOf(always[name]))) return [];
      const words = values.map((value) => JSON.stringify(value)).join(" or ");
      return words.length <= MAX_VALUES_CHARACTERS ? [`${name} ${asData(words)}`] : [];
    })
    .join(", ");
}

function propertiesOf({ inputSchema: { properties } }: Tool): Readonly<Record<string, unknown>> {
  return typeof properties === "object" && properties !== null ? { ...properties } : {};
}

function enumOf(property: unknown): readonly unknown[] | undefined {
  if (typeof property !== "object" || property === null) return undefined;
  if ("enum" in property && Array.isArray(property.enum)) return property.enum;
  return "items" in property ? enumOf(property.items) : undefined;
}
