// What agents are about to do in a thread, in a component.

import { intentsReader, type IsEqual } from "@opstate/client/binding";
import type { IntentsState, IntentThread, ThreadIntents } from "@opstate/client/intents";
import type { AnyDefinition } from "@opstate/core";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";

export type Intents<D extends AnyDefinition = AnyDefinition> = IntentsState<D> & Pick<ThreadIntents<D>, "forget">;

/**
 * Returns what agents are about to do in a thread, `{ view, intents, refused, forget }`, or the
 * slice that `selector` picks. `view` is the state of the thread with it. `followChat` of
 * `@opstate/client/intents` feeds it.
 *
 * @example
 * ```tsx
 * const { intents, refused, forget } = useIntents(thread);
 * intents.map(({ id, type, input }) => <li key={id}>{type}: {String(input.title ?? "")}</li>);
 * ```
 */
export function useIntents<D extends AnyDefinition>(thread: IntentThread<D>): Intents<D>;
export function useIntents<D extends AnyDefinition, Slice>(
  thread: IntentThread<D>,
  selector: (state: IntentsState<D>) => Slice,
  isEqual?: IsEqual<Slice>,
): Slice;
export function useIntents<D extends AnyDefinition, Slice>(
  thread: IntentThread<D>,
  selector?: (state: IntentsState<D>) => Slice,
  isEqual?: IsEqual<Slice>,
): Intents<D> | Slice {
  const source = intentsReader(thread);
  const withForget = useMemo(
    () =>
      (state: IntentsState<D>): Intents<D> => ({ ...state, forget: source.forget }),
    [source],
  );
  return useAgentState<IntentsState<D>, Intents<D> | Slice>(
    source,
    selector ?? withForget,
    isEqual as IsEqual<Intents<D> | Slice>,
  );
}
