// `clear`: the update that sets a field to null.

import type { Clear } from "@opstate/core/definition";

export type { Clear };

/**
 * The update that sets a `replace` field to null. Null itself is not an update: an agent that is a
 * part of a graph returns its whole state, and so writes null to each field that it never touched,
 * over what others wrote meanwhile. It is plain JSON (`{ type: "$clear" }`), so a checkpoint stores
 * it, and a client can send it through LangGraph's API.
 *
 * A field that cannot hold null refuses it, and so does a field of another kind. What a subgraph
 * clears is cleared in the graph around it, too.
 *
 * @example
 * ```ts
 * import { START, StateGraph } from "@langchain/langgraph";
 * import { replace } from "@opstate/core";
 * import { agentStateSchema, clear } from "@opstate/langgraph";
 * import { z } from "zod";
 *
 * const graph = new StateGraph(agentStateSchema({ draft: replace(z.string()), sent: replace("") }))
 *   .addNode("send", ({ draft }) => ({ sent: draft, draft: clear() }))
 *   .addEdge(START, "send")
 *   .compile();
 *
 * await graph.invoke({ draft: "Hello" }); // { draft: null, sent: "Hello" }
 * ```
 */
export function clear(): Clear {
  return { type: "$clear" };
}
