// `checkDefinition`: generates states and operations from a definition's own schemas, checks every
// law on each, and reports the smallest failures.
// (Long because its options and its example are documented here.)

import fc from "fast-check";
import type { AnyDefinition, StateOf, UpdateOf } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import type { OperationModel } from "../../engine/model.ts";
import { arbitraryOf, Unmakeable } from "./arbitrary.ts";
import { Broken, type Law, LawChecker, type Step } from "./laws.ts";
import { Pool } from "./pool.ts";
import { show } from "./words.ts";
import type { AnyOperation } from "../../engine/operation.ts";

export interface CheckOptions<D extends AnyDefinition> {
  /** How many sequences of updates are tried; default 200. */
  readonly runs?: number;
  /** The same seed gives the same run; default 1. */
  readonly seed?: number;
  /** More initial states. They are needed where random values rarely satisfy the refinements. */
  readonly states?: readonly NonNullable<StateOf<D>>[];
  /** More updates, beside those that are generated from the inputs' schemas. */
  readonly examples?: readonly UpdateOf<D>[];
  /**
   * Conditions that are true in every state, by name: `{ "the count is right": (state) =>
   * state.count === state.items.length }`.
   */
  readonly invariants?: Readonly<Record<string, (state: NonNullable<StateOf<D>>) => boolean>>;
}

/**
 * A broken law with its smallest example: `operation` on `state`. `message` names the actor, the
 * expected result and the actual one.
 */
export interface CheckFinding {
  readonly law: Law;
  readonly message: string;
  readonly operation: AnyOperation;
  readonly state: unknown;
}

/** How often an operation was accepted, how often that changed the state, and how often refused. */
export interface OperationCount {
  readonly accepted: number;
  readonly changed: number;
  readonly refused: number;
}

/**
 * `operations` counts the results. An operation that was never accepted was not tested: it needs
 * `states` or `examples`.
 */
export type CheckResult =
  | {
      readonly ok: true;
      readonly runs: number;
      readonly operations: Readonly<Record<string, OperationCount>>;
    }
  | { readonly ok: false; readonly findings: readonly CheckFinding[] };

const FINDINGS = 10;
/** An operation that was accepted this often without a change is a finding. */
const WITHOUT_EFFECT = 20;
const SAMPLED = 100;
const ACTORS: readonly (Actor | undefined)[] = [
  { kind: "user", id: "ada" },
  { kind: "agent", id: "robot" },
  { kind: "system", id: "opstate" },
  undefined,
];

/**
 * Checks the laws of opstate on a definition's own code:
 *
 * - the same update gives the same result again, a day later too, and reads no clock and no
 *   randomness;
 * - ids come from the submission, not from the state;
 * - each operation changes something;
 * - nothing but the draft is changed, and nothing is thrown;
 * - the patches lead to the result and back;
 * - derived fields are up to date;
 * - a recorded operation can be replayed;
 * - a `describe` gives the same words again.
 *
 * States and operations are generated from the schemas, ids are those of the state. It prints
 * nothing. It needs `fast-check`.
 *
 * @example
 * ```ts
 * import { defineState } from "@opstate/core";
 * import { checkDefinition } from "@opstate/core/testing";
 * import { z } from "zod";
 *
 * const notes = defineState({
 *   name: "notes",
 *   schema: z.object({ notes: z.array(z.object({ text: z.string(), at: z.number() })) }),
 *   initial: { notes: [] },
 *   operations: {
 *     add: {
 *       input: z.object({ text: z.string() }),
 *       apply(draft, { text }) {
 *         draft.notes.push({ text, at: Date.now() });
 *       },
 *     },
 *   },
 * });
 *
 * const result = checkDefinition(notes);
 * result.ok; // false
 * const findings = result.ok ? [] : result.findings;
 * findings.map(({ law, operation }) => [law, operation.type]); // [["deterministic", "add"]]
 * ```
 */
export function checkDefinition<D extends AnyDefinition>(definition: D, options: CheckOptions<D> = {}): CheckResult {
  const { runs = 200, seed = 1, states = [], examples = [], invariants = {} } = options;
  const checker = new LawChecker(definition.model, invariants);
  const counts = Object.fromEntries(
    [...definition.model.operations.keys()].map((type) => [type, { accepted: 0, changed: 0, refused: 0 }]),
  );
  /** For each operation, an example of its being accepted without a change. */
  const unchanged = new Map<string, { readonly operation: AnyOperation; readonly state: unknown }>();
  const findings: CheckFinding[] = [];
  const known = new Set<string>();

  const starts = startsOf(checker, definition, states, seed);
  if ("why" in starts) return { ok: false, findings: [untested({ type: "$replace" }, starts.why)] };
  const updates = updatesOf(checker, examples, findings);
  const sequence = fc.array(fc.record({ update: updates, actor: fc.constantFrom(...ACTORS) }), {
    minLength: 1,
    maxLength: 12,
    size: "max",
  });

  const property = fc.property(starts.states, sequence, (start, steps) => {
    let state = start;
    /** The last change by each operation. */
    const earlier = new Map<string, Step>();
    for (const [index, { update, actor }] of steps.entries()) {
      try {
        const operation = resolveReferences(checker, state, update, actor);
        const result = examineParts(checker, state, operation, actor, `submission-${index}`);
        const count = Object.hasOwn(counts, operation.type) ? counts[operation.type] : undefined;
        if (count !== undefined) {
          count[result.accepted ? "accepted" : "refused"] += 1;
          if (result.accepted && result.patches.length > 0) count.changed += 1;
          if (result.accepted && result.patches.length === 0) unchanged.set(operation.type, { operation, state });
          const step = earlier.get(operation.type);
          if (step !== undefined) checker.examineIds(step, operation, actor);
          if (result.accepted && result.patches.length > 0)
            earlier.set(operation.type, { before: state, after: result.state });
        }
        state = result.state;
      } catch (error) {
        // A known finding is not reported twice. The sequence ends, because its state may be wrong.
        if (error instanceof Broken && namesOf(error).some((name) => known.has(name))) return;
        throw error;
      }
    }
  });
  while (findings.length < FINDINGS) {
    const { errorInstance, failed } = fc.check(property, { seed, numRuns: runs });
    if (!failed) break;
    if (!(errorInstance instanceof Broken)) throw errorInstance;
    const { law, message, operation, state } = errorInstance;
    known.add(nameOf(law, operation.type));
    findings.push({
      law,
      message: `${message}\nState: ${show(state)}\nOperation: ${show(operation)}`,
      operation,
      state,
    });
  }
  for (const [type, { operation, state }] of unchanged) {
    const { accepted = 0, changed = 0 } = counts[type] ?? {};
    if (changed > 0 || accepted < WITHOUT_EFFECT || findings.length >= FINDINGS) continue;
    const message = `"${type}" was accepted ${accepted} times and never changed anything: it does nothing, or it writes to something else than its draft.\nState: ${show(state)}\nOperation: ${show(operation)}`;
    findings.push({ law: "effect", message, operation, state });
  }
  return findings.length === 0 ? { ok: true, runs, operations: counts } : { ok: false, findings };
}

/** Where a part of a batch breaks a law alone, that part is reported. */
function examineParts(
  checker: LawChecker,
  state: unknown,
  operation: AnyOperation,
  actor: Actor | undefined,
  id: string,
): Examined {
  try {
    return checker.examine(state, operation, actor, id);
  } catch (error) {
    let before = state;
    for (const [index, part] of partsOf(operation).entries())
      before = checker.examine(before, part, actor, `${id}/${index}`).state;
    throw error;
  }
}

type Examined = ReturnType<LawChecker["examine"]>;

function partsOf(operation: AnyOperation): readonly AnyOperation[] {
  return "operations" in operation && Array.isArray(operation.operations) ? operation.operations : [];
}

function nameOf(law: Law, type: string): string {
  return `${law} ${type}`;
}

/** The names of the batch and of its parts. */
function namesOf({ law, operation }: Broken): readonly string[] {
  return [operation, ...partsOf(operation)].map(({ type }) => nameOf(law, type));
}

function untested(operation: AnyOperation, why: string): CheckFinding {
  return { law: "coverage", message: `"${operation.type}" could not be tested: ${why}`, operation, state: null };
}

/** The initial states: the definition's own, the given ones, and generated ones. */
function startsOf(
  checker: LawChecker,
  { initial }: AnyDefinition,
  given: readonly unknown[],
  seed: number,
): { readonly states: fc.Arbitrary<unknown> } | { readonly why: string } {
  const own: unknown[] = [];
  for (const [index, value] of given.entries()) {
    const made = checker.state(value);
    if ("why" in made) return { why: `states[${index}] is not a valid ${checker.model.name}: ${made.why}` };
    own.push(made.state);
  }
  const first = initial === null ? undefined : checker.state(initial);
  if (first !== undefined && "why" in first) return { why: `the initial state is not valid: ${first.why}` };
  if (first !== undefined) own.push(first.state);
  let why = "";
  const build = (value: unknown): unknown => {
    const made = checker.state(value);
    if ("state" in made) return made.state;
    why = made.why;
    return undefined;
  };
  try {
    const values = arbitraryOf(checker.model.looseSchema, { references: false });
    const found = fc.sample(values, { numRuns: SAMPLED, seed }).map(build).filter(isThere);
    const made =
      found.length * 5 >= SAMPLED
        ? [values.map(build).filter(isThere)]
        : found.length > 0
          ? [fc.constantFrom(...found)]
          : [];
    const every = [...(own.length > 0 ? [fc.constantFrom(...own)] : []), ...made];
    if (every.length > 0) return { states: fc.oneof(...every) };
  } catch (error) {
    if (!(error instanceof Unmakeable)) throw error;
    if (own.length > 0) return { states: fc.constantFrom(...own) };
    why = error.message;
  }
  return { why: `no state could be made from the schema (${why}). Pass some as \`states\`.` };
}

function isThere(state: unknown): boolean {
  return state !== undefined;
}

/**
 * Operations of every type, batches of them, replacements, and the examples. An input that cannot
 * be generated is a finding.
 */
function updatesOf(checker: LawChecker, examples: readonly unknown[], findings: CheckFinding[]): fc.Arbitrary<unknown> {
  const { model } = checker;
  const operations: fc.Arbitrary<unknown>[] = [];
  for (const { type, input } of model.operations.values()) {
    try {
      const inputs = arbitraryOf(input, { references: true });
      operations.push(inputs.map((made) => ({ ...(typeof made === "object" ? made : {}), type })));
    } catch (error) {
      if (!(error instanceof Unmakeable)) throw error;
      const exemplified = examples.some(
        (example) => typeof example === "object" && example !== null && "type" in example && example.type === type,
      );
      if (!exemplified)
        findings.push(
          untested({ type }, `no input could be made from its schema (${error.message}). Pass some as \`examples\`.`),
        );
    }
  }
  const weighted = operations.map((arbitrary) => ({ arbitrary, weight: 6 }));
  if (operations.length > 0) {
    const batch = fc
      .array(fc.oneof(...operations), { minLength: 1, maxLength: 3 })
      .map((parts) => ({ type: "$batch", operations: parts }));
    weighted.push({ arbitrary: batch, weight: 2 });
  }
  if (examples.length > 0) weighted.push({ arbitrary: fc.constantFrom(...examples).map(asUpdate), weight: 6 });
  try {
    const values = arbitraryOf(model.looseSchema, { references: false });
    weighted.push({ arbitrary: values.map((value) => ({ type: "$replace", value })), weight: 2 });
  } catch {
    // That states cannot be generated was reported before, or states were given.
  }
  return fc.oneof(
    ...(weighted.length > 0 ? weighted : [{ arbitrary: fc.constant({ type: "$batch", operations: [] }), weight: 1 }]),
  );
}

function asUpdate(update: unknown): unknown {
  return typeof update === "object" && update !== null && "type" in update && typeof update.type === "string"
    ? update
    : { type: "$replace", value: update };
}

/** The update with ids of the current state instead of its references. */
function resolveReferences(
  checker: LawChecker,
  state: unknown,
  update: unknown,
  actor: Actor | undefined,
): AnyOperation {
  const pool = new Pool(state);
  const put = (one: unknown): AnyOperation => {
    const typed = one as { readonly type: string; readonly operations?: readonly unknown[] };
    if (typed.type === "$batch") return Object.assign({}, typed, { operations: typed.operations?.map(put) });
    const operation = checker.model.operations.get(typed.type);
    return operation === undefined
      ? typed
      : (pool.resolveReferences(typed, legalOf(operation, state, actor)) as typeof typed);
  };
  return put(update);
}

function legalOf(
  operation: OperationModel,
  state: unknown,
  actor: Actor | undefined,
): Readonly<Record<string, unknown>> {
  try {
    const legal = operation.narrow?.(state, actor);
    return typeof legal === "object" && legal !== null ? { ...legal } : {};
  } catch (error) {
    throw new Broken("total", `The narrow of "${operation.type}" threw: ${String(error)}.`, state, {
      type: operation.type,
    });
  }
}
