// The plain channel: a node reads the state and writes an update; the definition's reducer folds
// it.
//
// Invariants:
// - The reducer is total and pure. LangGraph calls it several times for one write and replays
//   pending writes, and a throw would make the thread unreadable.
// - No update, or the state itself, leaves the state the same object.
//
// A plain state carries nothing out of a subgraph but itself. Of subgraphs that run at once the
// last one wins, and what the others did is lost without a refusal: the field warns of it.

import { ReducedValue } from "@langchain/langgraph";
import type { AnyDefinition, StateOf, UpdateOf } from "@opstate/core";
import * as z from "zod";
import { acceptAnything } from "./accept-anything.ts";
import { reportTo, type FieldOptions } from "./on-reject.ts";
import { warnOfParallelSubgraphs } from "./subgraphs/parallel-subgraphs.ts";

/** What a node may return for a `stateField`: an update, the state as it read it, or nothing. */
export type StateFieldUpdate<D extends AnyDefinition> = UpdateOf<D> | null | undefined;

/**
 * A field of a `StateSchema` that holds the definition's state and accepts its operations and
 * replacements. A refused update leaves the state unchanged: `onReject` is called, or by default a
 * warning in development. Nodes are trusted code: the field does not check permissions.
 *
 * Of subgraphs that run at once the last one's state wins, and what the others did is lost: use a
 * `snapshotField` there. In development the field warns of it.
 *
 * In LangGraph `{ __overwrite__: value }` bypasses every reducer. The field can only require that
 * `value` fits the schema; otherwise the run fails. Do not pass a client's JSON to `invoke` as it
 * is.
 *
 * @example
 * ```ts
 * import { START, StateGraph, StateSchema } from "@langchain/langgraph";
 * import { defineState } from "@opstate/core";
 * import { stateField } from "@opstate/langgraph";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const State = new StateSchema({ counter: stateField(counter) });
 * const graph = new StateGraph(State)
 *   .addNode("add", (state) => ({ counter: counter.op.add({ by: state.counter.count + 1 }) }))
 *   .addEdge(START, "add")
 *   .compile();
 *
 * await graph.invoke({ counter: { count: 2 } }); // { counter: { count: 5 } }
 * ```
 */
export function stateField<D extends AnyDefinition>(
  definition: D,
  options: FieldOptions = {},
): ReducedValue<StateOf<D>, StateFieldUpdate<D>> {
  const { name: field } = definition;
  const warn = warnOfParallelSubgraphs(field);
  const report = reportTo(options);
  const valueSchema = z.nullable(definition.schema).default(() => definition.initial);
  // `AnyDefinition` has no type of its schema. What the schema parses to is the definition's state.
  return new ReducedValue(valueSchema as unknown as z.ZodType<StateOf<D>>, {
    inputSchema: acceptAnything<StateFieldUpdate<D>>({ field, report }).transform((update) => {
      warn(update);
      return update;
    }),
    reducer(current, update) {
      if (update === null || update === undefined || update === current) return current;
      const transition = definition.transition(current, update);
      if (!transition.accepted) report(transition.rejection, { field, update });
      return transition.state;
    },
  });
}
