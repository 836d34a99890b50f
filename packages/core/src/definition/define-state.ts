// `defineState`: checks a definition once, compiles it for the engine, and returns its functions.

import type { $ZodType, input as Input, output as Output } from "zod/v4/core";
import type { ActorKind } from "../engine/actor.ts";
import type { DraftEngine } from "../engine/draft/draft.ts";
import type { JsonLimits } from "../engine/limits/limits.ts";
import type { Model } from "../engine/model.ts";
import { compile, run } from "@opstate/core/engine";
import type { AnyDefinition, Definition, OperationSpec, ReduceContext } from "./definition.ts";
import { defined } from "../defined.ts";
import type { Source } from "../engine/source.ts";
import type { ContainerAt, Loose } from "./loose.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { ReadonlyDeep } from "../readonly-deep.ts";

type Inputs = Record<string, $ZodType>;

// oxlint-disable-next-line typescript/no-explicit-any -- only its author knows the older shape
type OlderState = any;

/**
 * The union of operations that a record of input schemas makes. They are readonly, so that parts of
 * a state may be sent.
 */
export type OperationsOf<I extends Inputs> = {
  // An empty input is `Record<string, never>` to zod, which no object with a `type` is.
  [Type in keyof I & string]: Input<I[Type]> extends Record<string, never>
    ? { readonly type: Type }
    : { readonly type: Type } & ReadonlyDeep<Input<I[Type]>>;
}[keyof I & string];

/** The argument of `defineState`. */
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
  /** The state of a new thread. Null: there is no state until the first replacement. */
  readonly initial: Initial & (ReadonlyDeep<Output<S>> | null);
  /**
   * Derived fields: a JSON Pointer (`*` for every item) to a function of the container that holds
   * the field.
   */
  readonly derive?: { readonly [P in Pointer]: (container: ReadonlyDeep<ContainerAt<Output<S>, P>>) => unknown };
  readonly operations: { readonly [Type in keyof I]: OperationSpec<NonNullable<Output<S>>, I[Type]> };
  /** Who may replace the whole value; default agent and system. */
  readonly replace?: { readonly allow?: readonly ActorKind[]; readonly approve?: readonly ActorKind[] };
  /** Accepts `$patch` updates (RFC 6902) with the permission of a replacement; default false. */
  readonly patches?: boolean;
  /**
   * Converts a stored state of an older `version` to this one: a chain of steps, each from its
   * version to the next, or one function of the state and its version. It gets a copy, which it may
   * edit and return. Derived fields may be absent. It runs once, when a thread is opened, and is
   * logged as a commit. `checkMigrations` of `@opstate/core/testing` runs it on stored states.
   *
   * `version: 3, migrate: { 1: (state) => ({ ...state, tags: [] }), 2: ({ old, ...now }) => now }`
   */
  readonly migrate?:
    | ((state: OlderState, fromVersion: number) => unknown)
    | { readonly [fromVersion: number]: (state: OlderState) => unknown };
  /** How drafts are made; default the recording drafts. */
  readonly drafts?: DraftEngine;
  /**
   * What of the engine's states is frozen.
   *
   * - `"development"`, the default: everything in development. In production everything except
   *   arrays of more than 32 items and arrays of objects or arrays, because V8 reads frozen arrays
   *   slowly.
   * - `true`: everything, always.
   * - `false`: nothing.
   *
   * With every setting, a write where an operation or a derive rule should only read changes no
   * state. A callback of `find`, `some`, `filter`, `sort`... gets the item itself where it is
   * deeply frozen, and a read-only view where it holds an array that is not frozen. A write to
   * either is a `failed` rejection that says what to write instead. Where nothing is frozen the
   * callback gets a draft. A write in a derive rule fails or has no effect. So `false` makes
   * searches and derived fields slower. A check of the schema sees what a callback does, but raw
   * where nothing is frozen.
   *
   * JavaScript reports a write to what is frozen only in strict code, which modules and classes
   * are. In a script without "use strict" such a write has no effect, and nothing reports it.
   *
   * A part that is not frozen is not protected from code that reads a state and writes to it: sort
   * a copy, `[...state.cards].sort()`.
   */
  readonly freeze?: "development" | boolean;
  /**
   * How much JSON one update may contain and add, and how deep a state may be (`depth`, at most
   * 512). An edit that would make a state deeper, or add more values than `state.nodes`, is refused
   * as `too_large`. What was accepted once is never refused for its size: not after a restart, by a
   * migration, or under narrower limits. Then only what makes it deeper is.
   */
  readonly limits?: {
    readonly operation?: Partial<JsonLimits>;
    readonly state?: Partial<JsonLimits>;
    readonly batch?: number;
  };
  /**
   * Called with each error that the definition's own code threw (`apply`, `derive`, `narrow`): a
   * bug. `operation` has only its `type`.
   *
   * Default: `console.error` in development, nothing in production. The rejection of the sender
   * carries the error's message in development only, whatever the hook is. The reducer itself
   * prints nothing.
   */
  readonly onFailure?: (error: unknown, operation: AnyOperation) => void;
}

/**
 * Defines a state once, for everything that uses it: its reducer, its tools, its fields and its
 * log.
 *
 * Throws `OpstateError` (`invalid_definition`) with every visible mistake: a derive pointer that
 * leads nowhere, an operation named `$x`, a schema that transforms.
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
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
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
  Initial extends ReadonlyDeep<Output<S>> | null = ReadonlyDeep<Output<S>> | null,
>(
  spec: StateSpec<S, I, Pointer, Initial>,
): Definition<Initial extends null ? Output<S> | null : Output<S>, OperationsOf<I>, Loose<Input<S>, Pointer>> {
  type State = Initial extends null ? Output<S> | null : Output<S>;
  // The engine works on JSON. A value that the schema accepted has the types.
  return definitionOf(compile(spec), run, spec.schema) as Definition<State, OperationsOf<I>, Loose<Input<S>, Pointer>>;
}

/** The functions of a definition, on the engine that compiled its model. */
export function definitionOf(model: Model, perform: typeof run, schema: $ZodType): AnyDefinition {
  const patched = { ...model, patches: true };
  const transition: AnyDefinition["transition"] = (current, update, context = {}) =>
    perform(context.patches === true ? patched : model, current, update, {
      actor: context.actor,
      source: sourceOf(context),
    });
  const creators = Object.fromEntries(
    [...model.operations.keys()].map((type) => [type, (input: object) => ({ type, ...input })]),
  );
  return {
    name: model.name,
    version: model.version,
    initial: model.initial,
    schema,
    op: creators,
    // LangGraph sends null and undefined as writes. They change nothing and are not refused.
    reduce: (current = model.initial, update, context) =>
      update === null || update === undefined ? current : transition(current, update, context).state,
    transition,
    can(current, operation, actor, at = new Date().toISOString()) {
      const result = perform(model, current, operation, { actor, source: { actor, id: NO_ID, at } });
      return result.accepted ? undefined : result.rejection;
    },
    model,
  };
}

/** What `can` makes ids from. No submission has such an id, so no such id is in a state. */
const NO_ID = "\u0000";

function sourceOf({ actor, id, at, branch }: ReduceContext): Source | undefined {
  // A time alone: ids follow from the content.
  return id === undefined && at === undefined ? undefined : { actor, id, at, ...defined({ branch }) };
}
