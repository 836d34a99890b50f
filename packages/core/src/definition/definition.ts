// The types of a definition, and the types inferred from one.

import type { $ZodType, input as InputOf, output as Output } from "zod/v4/core";
import type { Actor, ActorKind } from "../engine/actor.ts";
import type { Model } from "../engine/model.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { Transition } from "../engine/transition.ts";
import type { ReadonlyDeep } from "../readonly-deep.ts";
import type { Batch, Replace, Update } from "./update.ts";

/**
 * The third argument of `apply`. `reject` refuses the operation, whatever the code does afterwards:
 * `return reject(...)`.
 */
export interface ApplyContext {
  readonly actor: Actor | undefined;
  readonly reject: (reason: string, message?: string, details?: unknown) => void;
  /**
   * An id for what the operation creates: `id("T-")` is `T-` and ten letters and digits. It is made
   * from the submission, so every replay of the operation makes the same one, and no other
   * submission does.
   *
   * Each call of one operation gives another id. With a `key`, the key decides instead of the order
   * of the calls: `id("T-", title)`.
   */
  readonly id: (prefix?: string, key?: string) => string;
  /**
   * The time of the submission, ISO 8601 in UTC: the same in every replay. To read it where there
   * is no submission refuses the operation (`needs_submission`).
   */
  readonly now: string;
}

/** The submission that an update belongs to, for code that runs the reducer itself. */
export interface ReduceContext {
  readonly actor?: Actor;
  /** The submission's id: what `apply` makes ids from. Without it they follow from the content. */
  readonly id?: string;
  /** The submission's time, ISO 8601 in UTC: what `apply` gets as `now`. */
  readonly at?: string;
  /** The incarnation of the branch that it was submitted to. */
  readonly branch?: string;
}

/**
 * The values that are legal now, for some properties of an operation's input. For a list property:
 * the legal items.
 */
export type Narrowed<Input> = {
  readonly [Key in keyof Input]?: readonly Extract<
    Input[Key] extends readonly (infer Item)[] | undefined ? Item : Input[Key],
    string | number | boolean
  >[];
};

/**
 * One typed operation on a state. `apply` mutates the draft; it is pure otherwise: no clock, no
 * randomness, no I/O.
 */
export interface OperationSpec<State, Input extends $ZodType> {
  /** A sentence for a person and for a model: what the operation does. */
  readonly description?: string;
  readonly input: Input;
  /** The actor kinds that may use it; default: every kind. */
  readonly allow?: readonly ActorKind[];
  /** The actor kinds whose use needs another actor's approval; default: none. */
  readonly approve?: readonly ActorKind[];
  /**
   * Whether it may touch other things when it is done again, by an undo, a merge or a rebase, than
   * it did at first: "the newest", "the first free one". Default false: then it is named instead.
   */
  readonly retarget?: boolean;
  /**
   * The values that are legal now, for a model to choose from: `(state) => ({ cardId:
   * state.cards.map((card) => card.id) })`. Tools list the values. False, or no value for a
   * required property, leaves the operation out. It is a hint only: `apply` refuses what is wrong.
   */
  narrow?(state: ReadonlyDeep<State>, actor: Actor | undefined): Narrowed<NoInfer<InputOf<Input>>> | false;
  /**
   * One use of the operation in a sentence, for the history, digests and refusals: `Move T-42:
   * Backlog -> Done`. `before` is the state before the update (of a batch: before all of it). Both
   * are read-only.
   *
   * It runs once, when the authority accepts the operation, and the commit keeps the text: one
   * line, at most 200 characters. Undefined, or an error (which goes to `onFailure`), gives the
   * default words.
   */
  describe?(input: ReadonlyDeep<Output<Input>>, before: ReadonlyDeep<State>): string | undefined;
  /**
   * For agents whose host repeats a call under another id: the key by which repeated calls are one
   * operation, such as `({ invoice }) => invoice`. It counts within one run and step only. There, a
   * call after a completed one is another operation, unless the host says that it tries the step
   * again.
   */
  once?(input: ReadonlyDeep<Output<Input>>): string;
  /**
   * Edits the draft and returns nothing: `{ draft.count += by; }`, or `return reject(...)`. Any
   * other returned value is a `failed` rejection. (`void` alone would allow every return type.)
   */
  apply(draft: State, input: Output<Input>, context: ApplyContext): void | undefined;
}

/** An update as the engine accepted it: what a transition, a commit and a log entry contain. */
export type AcceptedOperation<Operation> =
  | Operation
  | Replace<unknown>
  | Batch<Operation>
  | { readonly type: `$${string}` };

/**
 * Typed creators, one for each operation: `board.op.move({ ... })` gives `{ type: "move", ... }`.
 */
export type Creators<Operation> = {
  readonly [O in Operation as O extends { type: infer Type extends string } ? Type : never]: (
    input: Omit<O, "type">,
  ) => O;
};

/**
 * One definition of a state, shared by agent, UI and server. Its functions are unbound:
 * `board.reduce` may be passed along.
 *
 * `State` is the state as `apply` edits it. All other code gets it readonly.
 */
export interface Definition<State, Operation, Replacement> {
  readonly name: string;
  readonly version: number;
  readonly initial: ReadonlyDeep<State>;
  readonly schema: $ZodType;
  readonly op: Creators<Operation>;
  /**
   * The next state; the same reference when the update is refused or changes nothing. Never throws.
   */
  reduce(
    this: void,
    current: ReadonlyDeep<State> | undefined,
    update: Update<Operation, Replacement> | null | undefined,
    context?: ReduceContext,
  ): ReadonlyDeep<State>;
  /**
   * The next state with its patches, or the refusal with its reason. Never throws. Without `actor`
   * no permission is checked. With `patches` a `$patch` is accepted, whatever the definition says:
   * for code that itself decides whose patches are accepted.
   */
  transition(
    this: void,
    current: ReadonlyDeep<State> | undefined,
    update: unknown,
    context?: ReduceContext & { readonly patches?: boolean },
  ): Transition<ReadonlyDeep<State>, AcceptedOperation<Operation>>;
  /**
   * The rejection that the operation would get now, or undefined. For an operation that reads the
   * time, that is `at`, ISO 8601 in UTC; default: the time of the call, by this host's clock. So
   * the result may change while the state stays the same, and the authority decides by its own
   * clock.
   */
  can(
    this: void,
    current: ReadonlyDeep<State> | undefined,
    operation: Operation | Batch<Operation>,
    actor?: Actor,
    at?: string,
  ): Rejection | undefined;
  /** What the engine runs on: for opstate's own packages. */
  readonly model: Model;
}

/** Any definition, where its types do not matter. */
// oxlint-disable-next-line typescript/no-explicit-any -- both variances
export type AnyDefinition = Definition<any, any, any>;

/**
 * The state of a definition as its readers hold it: readonly, all of it. It includes null only when
 * `initial` is null.
 */
export type StateOf<D> = D extends { readonly initial: infer State } ? State : never;
/**
 * The state as `apply` edits it, for helpers that take a draft. (Inside the definition itself, take
 * `z.infer<typeof Schema>`: there, the definition's type is not known yet.)
 */
export type DraftOf<D> =
  D extends Definition<infer State, infer _Operation, infer _Replacement> ? NonNullable<State> : never;
/** The union of a definition's operations, discriminated by `type`. */
export type OperationOf<D> =
  D extends Definition<infer _State, infer Operation, infer _Replacement> ? Operation : never;
/** The operations of a definition as the engine accepted them: what its commits hold. */
export type AcceptedOperationOf<D> = AcceptedOperation<OperationOf<D>>;
/**
 * What `dispatch` takes: an operation, a batch, or a replacement. A replacement may leave out
 * derived fields, and may be a state that was read.
 */
export type UpdateOf<D> =
  D extends Definition<infer _State, infer Operation, infer Replacement> ? Update<Operation, Replacement> : never;
