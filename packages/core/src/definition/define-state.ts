// `defineState`: checks a definition once, compiles it for the engine, and gives its functions.

import type { $ZodType, input as Input, output as Output } from "zod/v4/core";
import type { ActorKind } from "../engine/actor.ts";
import type { DraftEngine } from "../engine/draft/draft.ts";
import type { JsonLimits } from "../engine/limits.ts";
import type { AcceptedOperation } from "./definition.ts";
import type { Transition } from "../engine/transition.ts";
import { run } from "../engine/run.ts";
import { compile } from "./compile.ts";
import type { Definition, OperationSpec } from "./definition.ts";
import type { ContainerAt, Loose } from "./loose.ts";

type Inputs = Record<string, $ZodType>;

/** The union of operations that a record of input schemas makes. */
export type OperationsOf<I extends Inputs> = {
  // An empty input is `Record<string, never>` to zod, which no object with a `type` is.
  [Type in keyof I & string]: Input<I[Type]> extends Record<string, never>
    ? { readonly type: Type }
    : { readonly type: Type } & Input<I[Type]>;
}[keyof I & string];

/** What `defineState` takes. */
export interface StateSpec<S extends $ZodType, I extends Inputs, Pointer extends string, Initial> {
  /** Letters, digits, `_` and `-`: the state's name in tools, logs and graphs. */
  readonly name: string;
  /** Stored with every log entry; default 1. */
  readonly version?: number;
  /**
   * A zod 4 schema (classic or mini) whose output parses to itself. Its refinements are the state's
   * invariants.
   */
  readonly schema: S;
  /** The state of a new thread; null means that there is none until the first replacement. */
  readonly initial: Initial & (Output<S> | null);
  /**
   * Derived fields: a JSON Pointer (`*` for every item) to a function of the container that holds
   * the field.
   */
  readonly derive?: { readonly [P in Pointer]: (container: ContainerAt<Output<S>, P>) => unknown };
  readonly operations: { readonly [Type in keyof I]: OperationSpec<NonNullable<Output<S>>, I[Type]> };
  /** Who may replace the whole value; default agent and system. */
  readonly replace?: { readonly allow?: readonly ActorKind[]; readonly approve?: readonly ActorKind[] };
  /** Takes `$patch` updates (RFC 6902) under the permission of a replacement; default false. */
  readonly patches?: boolean;
  /**
   * Brings a stored state of an older `version` to this one; given a copy, which it may edit and
   * return. Derived fields may be left out. Run once, when a thread is opened, and logged as a
   * commit: `migrate: (state, from) => (from < 2 ? { ...state, tags: [] } : state)`.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape of an older version: its author knows it, no type can
  readonly migrate?: (state: any, fromVersion: number) => unknown;
  /** How drafts are made; default the recording drafts. */
  readonly drafts?: DraftEngine;
  /**
   * What of the engine's states is frozen. `"development"`, the default: all in development; in
   * production all but arrays of more than 32 items, because V8 reads frozen arrays slowly. `true`:
   * all, always. `false`: nothing.
   *
   * Whatever it is, an operation or a derive rule changes no state by a write where it should only
   * look. A callback of `find`, `some`, `filter`, `sort`... gets an item as it is where all of it is
   * frozen, and a read-only view where it holds an array of more than 32 items: a write to either is
   * a `failed` rejection that says what to write instead. Where nothing is frozen it gets a draft. A
   * write in a derive rule fails or has no effect. So `false` makes searches and derived fields
   * slower. What is not frozen is not protected from whoever reads a
   * state and writes to it: sort a copy, `[...state.cards].sort()`.
   */
  readonly freeze?: "development" | boolean;
  /**
   * How much JSON one update may carry, and how deep a state may be: what would make it deeper is
   * `too_large` when it is put in, by whatever way. A state that grows in width by operations or
   * patches is not measured again.
   */
  readonly limits?: {
    readonly operation?: Partial<JsonLimits>;
    readonly state?: Partial<JsonLimits>;
    readonly batch?: number;
  };
  /** Told of errors that an operation's own code threw: bugs, which the sender does not see. */
  readonly onFailure?: (error: unknown, operation: { readonly type: string }) => void;
}

/**
 * Defines a state once, for everything that touches it: its reducer, its tools, its fields and its
 * log.
 *
 * Throws `OpstateError` (`invalid_definition`) for every mistake it can see: a derive pointer to
 * nowhere, an operation named `$x`, a schema that transforms.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int(), even: z.boolean() }),
 *   initial: { count: 0, even: true },
 *   derive: { "/even": (state) => state.count % 2 === 0 },
 *   operations: {
 *     add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) },
 *   },
 * });
 *
 * counter.reduce(counter.initial, counter.op.add({ by: 3 })); // { count: 3, even: false }
 * ```
 */
export function defineState<
  S extends $ZodType,
  I extends Inputs,
  const Pointer extends string = never,
  Initial extends Output<S> | null = Output<S> | null,
>(
  spec: StateSpec<S, I, Pointer, Initial>,
): Definition<Initial extends null ? Output<S> | null : Output<S>, OperationsOf<I>, Loose<Input<S>, Pointer>> {
  type State = Initial extends null ? Output<S> | null : Output<S>;
  type Operation = OperationsOf<I>;
  const model = compile(spec);
  const patched = { ...model, patches: true };
  const transition: Definition<State, Operation, unknown>["transition"] = (current, update, context) =>
    // The engine works on JSON; what the schema accepted is what the types say.
    run(context?.patches === true ? patched : model, current, update, context?.actor) as Transition<
      State,
      AcceptedOperation<Operation>
    >;
  const creators = Object.fromEntries(
    [...model.operations.keys()].map((type) => [type, (input: object) => ({ type, ...input })]),
  );
  return {
    name: model.name,
    version: model.version,
    initial: model.initial as State,
    schema: spec.schema,
    op: creators as unknown as Definition<State, Operation, Loose<Input<S>, Pointer>>["op"],
    // LangGraph sends null and undefined as writes; they change nothing and are no refusal of
    // anybody's.
    reduce: (current, update) =>
      update === null || update === undefined
        ? current === undefined
          ? (model.initial as State)
          : current
        : transition(current, update).state,
    transition,
    can(current, operation, actor) {
      const result = transition(current, operation, actor === undefined ? {} : { actor });
      return result.accepted ? undefined : result.rejection;
    },
    model,
  };
}
