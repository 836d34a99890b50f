// Checks one update on one state against every law that a definition's own code can break.
//
// The engine runs on a copy of the definition's model. The copy freezes everything, permits
// everything, and records the errors of the author's functions. (The engine itself freezes an
// operation's input.)
//
// (Long because it is a list: a check for each law.)

import { DraftError, isFrozenWrite } from "../../engine/draft/error.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import { FrozenParts } from "../../engine/draft/frozen-parts.ts";
import { equal } from "../../json/equal.ts";
import { KnownStates } from "../../engine/known.ts";
import type { Model, OperationModel } from "../../engine/model.ts";
import { run } from "../../engine/run.ts";
import { describeOperation } from "../../engine/sentence.ts";
import type { Actor } from "../../engine/actor.ts";
import type { Transition } from "../../engine/transition.ts";
import { applyPatch, formatPointer } from "../../patch/index.ts";
import { addsMember, findComputedId, type Run } from "./born-ids.ts";
import { atTime, type Impure } from "./clock.ts";
import { difference, show, type Outcome } from "./words.ts";
import type { AnyOperation } from "../../engine/operation.ts";

// Every runtime has it, but it is not in the `lib` of this project.
declare function structuredClone<T>(value: T): T;

export type Law =
  | "total"
  | "pure"
  | "deterministic"
  | "reject preserves"
  | "derived"
  | "schema"
  | "patches"
  | "replay"
  | "rebase"
  | "invariant"
  | "ids"
  | "effect"
  | "coverage";

/** A broken law, with the operation and the state that break it. */
export class Broken extends Error {
  readonly law: Law;
  readonly state: unknown;
  readonly operation: AnyOperation;

  constructor(law: Law, message: string, state: unknown, operation: AnyOperation) {
    super(message);
    this.law = law;
    this.state = state;
    this.operation = operation;
  }
}

export type Invariants = Readonly<Record<string, (state: never) => boolean>>;

/** The states before and after an update. */
export interface Step {
  readonly before: unknown;
  readonly after: unknown;
}

type Result = Transition<unknown, AnyOperation>;
const NOON = Date.UTC(2026, 0, 1, 12);
const A_DAY_LATER = NOON + 86_400_000;
/** The time that `apply` gets. */
const SUBMITTED_AT = new Date(NOON).toISOString();

export class LawChecker {
  readonly model: Model;
  readonly #invariants: Invariants;
  readonly #errors: unknown[] = [];
  /** The last error of a derive rule. */
  #derivingThrew: unknown;
  /** What the last run read that it must not. */
  #read: Impure | undefined;

  constructor(model: Model, invariants: Invariants) {
    this.#invariants = invariants;
    const watched = (operation: OperationModel): OperationModel => ({
      ...operation,
      allow: undefined,
      approve: [],
    });
    this.model = {
      ...model,
      operations: new Map([...model.operations].map(([type, operation]) => [type, watched(operation)])),
      // A rule that throws makes the update invalid. A rule that writes breaks a law, whatever the
      // update was.
      derive: model.derive.map((rule) => ({
        ...rule,
        compute: (container) => {
          try {
            return rule.compute(container);
          } catch (error) {
            if (isFrozen(error)) this.#errors.push(error);
            this.#derivingThrew = error;
            throw error;
          }
        },
      })),
      replace: { allow: undefined, approve: [] },
      freeze: true,
      frozen: new FrozenParts(true),
      known: new KnownStates(),
      onFailure: (error) => {
        if (error !== this.#derivingThrew) this.#errors.push(error);
      },
    };
  }

  /** The state of a value, or why the value is not valid. */
  state(value: unknown): { readonly state: unknown } | { readonly why: string } {
    const made = atTime(NOON, () => run(this.model, null, { type: "$replace", value }, {}));
    if (!made.accepted) return { why: made.rejection.message };
    const broken = this.#invariantBroken(made.state);
    return broken === undefined ? { state: made.state } : { why: `the invariant "${broken}" does not hold` };
  }

  /** The result of the update, submitted under an id. Throws `Broken`. */
  examine(state: unknown, update: AnyOperation, actor: Actor | undefined, id: string): Result {
    const { model } = this;
    const who = `"${update.type}"${actor === undefined ? " without an actor" : ` by ${actor.kind} "${actor.id}"`}`;
    const broken = (law: Law, text: string) => new Broken(law, `${who} ${text}`, state, update);
    const before = structuredClone(state);
    const perform = (on: unknown, what: unknown, more: { readonly now?: number; readonly id?: string } = {}) =>
      this.#run(on, what, { actor, id, ...more }, broken);
    const result = perform(state, deepFreeze(structuredClone(update)));
    const read = this.#read;
    const again = outcomeOf(perform(state, update));
    const first = outcomeOf(result);
    if (!same(first, again))
      throw broken(
        "deterministic",
        `gives a different result each time: it uses randomness, or a value outside its draft and input. ${difference(first, again)} Ids come from id().`,
      );
    const later = outcomeOf(perform(state, update, { now: A_DAY_LATER }));
    if (!same(first, later))
      throw broken(
        "deterministic",
        `reads a clock: a day later it gives a different result. ${difference(first, later)} The time comes from now.`,
      );
    if (read !== undefined)
      throw broken(
        "deterministic",
        `reads ${read}, which may give a different result each time. ${read === "a clock" ? "The time comes from now" : "Ids come from id()"}, in the context of apply.`,
      );
    if (!equal(before, state, Infinity))
      throw broken(
        "pure",
        `changed the state it was given. ${difference({ state: before, rest: 0 }, { state, rest: 0 })}`,
      );
    if (!result.accepted) {
      if (result.state !== state) throw broken("reject preserves", "was refused but gives a different state.");
      return result;
    }
    const patched = applyPatch(state, result.patches);
    if (!patched.ok || !equal(patched.document, result.state, Infinity))
      throw broken("patches", `gives patches that do not lead to its result: ${show(result.patches)}.`);
    const undone = applyPatch(result.state, result.inverse);
    if (!undone.ok || !equal(undone.document, state, Infinity))
      throw broken("patches", `gives an inverse that does not lead back: ${show(result.inverse)}.`);
    const parsed = model.state.full(result.state);
    if (!parsed.ok || !equal(parsed.value, result.state, Infinity))
      throw broken("schema", `leads to a state that its schema refuses or changes: ${show(result.state)}.`);
    this.#checkDerived(result.state, broken);
    const invariant = this.#invariantBroken(result.state);
    if (invariant !== undefined) throw broken("invariant", `breaks "${invariant}". Got: ${show(result.state)}.`);
    const recorded = perform(state, result.operation);
    if (!recorded.accepted || !equal(recorded.state, result.state, Infinity))
      throw broken(
        "replay",
        `gives a different result when its record ${show(result.operation)} is replayed. ${recorded.accepted ? difference(first, outcomeOf(recorded)) : `It is refused: ${recorded.rejection.message}`}`,
      );
    this.#checkWords(state, result.operation, broken);
    this.#run(result.state, result.operation, { actor, id }, (law, text) =>
      broken(law === "total" ? "rebase" : law, `, replayed on its own result, ${text}`),
    );
    if (result.patches.length > 0) {
      const on = (from: unknown, other: string) => runOf(from, perform(from, update, { id: other }));
      this.#checkIds([runOf(state, result), on(state, "second"), on(result.state, "third")], broken);
    }
    return result;
  }

  /**
   * Whether an update makes the same ids on both sides of an earlier one of its type. A record is
   * asked this way: the same update twice in a row makes one member, and the second changes it.
   */
  examineIds({ before, after }: Step, update: AnyOperation, actor: Actor | undefined): void {
    const broken = (law: Law, text: string) => new Broken(law, `"${update.type}" ${text}`, before, update);
    const on = (state: unknown, id: string) => runOf(state, this.#run(state, update, { actor, id }, broken));
    const first = on(before, "first");
    if (first !== undefined && addsMember(first))
      this.#checkIds([first, on(before, "second"), on(after, "third")], broken);
  }

  #checkIds([first, second, next]: readonly (Run | undefined)[], broken: (law: Law, text: string) => Broken): void {
    if (first === undefined || second === undefined || next === undefined) return;
    const computed = findComputedId(first, second, next, (path) =>
      this.model.derive.some(({ container, field }) => matches([...container, field], path)),
    );
    if (computed !== undefined)
      throw broken(
        "ids",
        `computes an id from the state, at ${computed.at}: two submissions on one state both get ${show(computed.first)}, and the next gets ${show(computed.next)}. When others are undone or merged it becomes another one. Take it from id().`,
      );
  }

  #run(
    state: unknown,
    update: unknown,
    { actor, id, now = NOON }: { readonly actor: Actor | undefined; readonly id: string; readonly now?: number },
    broken: (law: Law, text: string) => Broken,
  ): Result {
    this.#errors.length = 0;
    this.#derivingThrew = undefined;
    this.#read = undefined;
    const source = { actor, id, at: SUBMITTED_AT };
    const result = atTime(
      now,
      () => run(this.model, state, update, { actor, source }),
      (what) => (this.#read ??= what),
    );
    if (this.#errors.length > 0) throw brokenByThrow(this.#errors[0], broken);
    return result;
  }

  /** `describe` is a function of the input and the state before, and no more than that. */
  #checkWords(state: unknown, operation: AnyOperation, broken: (law: Law, text: string) => Broken): void {
    this.#errors.length = 0;
    let read: Impure | undefined;
    const words = (now: number) =>
      atTime(
        now,
        () => describeOperation(this.model, operation, state),
        (what) => (read ??= what),
      );
    const [first, again, later] = [words(NOON), words(NOON), words(A_DAY_LATER)];
    const [error] = this.#errors;
    if (error !== undefined)
      throw isFrozen(error)
        ? brokenByThrow(error, broken)
        : broken(
            "total",
            `cannot be described: its describe threw ${show(error instanceof Error ? error.message : error)}.`,
          );
    if (read !== undefined) throw broken("deterministic", `reads ${read} in its describe.`);
    if (first !== again || first !== later)
      throw broken("deterministic", `is described otherwise each time: ${show([first, again, later])}.`);
  }

  /** Every derived field equals the result of its rule, and deriving again changes nothing. */
  #checkDerived(state: unknown, broken: (law: Law, text: string) => Broken): void {
    for (const { pointer, container, field, compute } of this.model.derive) {
      for (const { path, value } of containersAt(state, container, [])) {
        const expected = recomputed(() => atTime(NOON, () => compute(value)), broken);
        const got = value[field];
        if (expected === got || equal(expected, got, Infinity)) continue;
        const at = formatPointer([...path, field]);
        throw broken(
          "derived",
          `leaves ${at} stale: the rule "${pointer}" reads more than its container, or another derived field of it. Expected ${show(expected)}, got ${show(got)}.`,
        );
      }
    }
    const second = atTime(NOON, () => run(this.model, state, { type: "$replace", value: state }, {}));
    if (!second.accepted)
      throw broken("derived", `leads to a state that cannot be derived again: ${second.rejection.message}`);
    if (second.patches.length > 0)
      throw broken("derived", `is not complete after one pass: deriving once more changes ${show(second.patches)}.`);
  }

  #invariantBroken(state: unknown): string | undefined {
    // The author's invariants have the author's types. The schema accepted this state.
    return Object.entries(this.#invariants).find(([, holds]) => !holds(state as never))?.[0];
  }
}

/** Whether a path is one that a pointer with `*` describes. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((token, index) => token === "*" || token === path[index]);
}

function recomputed(compute: () => unknown, broken: (law: Law, text: string) => Broken): unknown {
  try {
    return compute();
  } catch (error) {
    throw brokenByThrow(error, broken);
  }
}

function isFrozen(error: unknown): boolean {
  return isFrozenWrite(error instanceof DraftError ? error.cause : error);
}

function brokenByThrow(error: unknown, broken: (law: Law, text: string) => Broken): Broken {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : show(error);
  return isFrozen(error)
    ? broken("pure", `changes what is frozen: its input, a state, or a value that is not its draft. ${text}.`)
    : broken("total", `threw instead of refusing: ${text}. Use reject(...) for what may happen.`);
}

function outcomeOf(result: Result): Outcome {
  return result.accepted ? { state: result.state, rest: null } : { state: result.state, rest: result.rejection };
}

function runOf(state: unknown, result: Result): Run | undefined {
  return result.accepted ? { state, patches: result.patches } : undefined;
}

function same(left: Outcome, right: Outcome): boolean {
  return equal(left, right, Infinity);
}

function containersAt(
  value: unknown,
  tokens: readonly string[],
  path: readonly string[],
): readonly { readonly path: readonly string[]; readonly value: Readonly<Record<string, unknown>> }[] {
  if (typeof value !== "object" || value === null) return [];
  const [token, ...rest] = tokens;
  if (token === undefined) return [{ path, value: { ...value } }];
  return Object.entries(value)
    .filter(([key]) => token === "*" || token === key)
    .flatMap(([key, part]) => containersAt(part, rest, [...path, key]));
}
