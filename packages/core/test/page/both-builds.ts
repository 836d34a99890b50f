// Runs updates through a definition of the page's build and through the same on the full engine.

import { isDeepStrictEqual } from "node:util";
import type { AnyDefinition } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import { expect } from "vitest";
import type { ReduceContext } from "../../src/definition/definition.ts";
import { fullDefinition } from "../../src/definition/full.ts";
import { typeOf } from "../../src/thread/type-of.ts";

/** Codes that both builds say alike; of a batch the page does not say which part. */
const SAID_ALIKE: ReadonlySet<string> = new Set(["refused", "forbidden"]);

export interface Compared {
  /** How often both accepted, and something changed. */
  changed: number;
  /** How often both refused, by code. */
  readonly refused: Map<string, number>;
  /** Codes of the full engine where the page's build accepted. */
  readonly left: Map<string, number>;
}

export function nothingCompared(): Compared {
  return { changed: 0, refused: new Map(), left: new Map() };
}

/**
 * Expects equal verdicts and equal states. `left`: codes of refusals that the page's build leaves
 * to the authority. Gives the state, the authority's.
 */
export function compare(
  page: AnyDefinition,
  state: unknown,
  update: unknown,
  context: ReduceContext & { readonly patches?: boolean },
  compared: Compared,
  left: readonly string[] = [],
): unknown {
  const full = fullDefinition(page);
  const [wanted, given] = [full.transition(state, update, context), page.transition(state, update, context)];
  const count = (counts: Map<string, number>, code: string) => counts.set(code, (counts.get(code) ?? 0) + 1);
  if (!wanted.accepted) {
    const { code, reason } = wanted.rejection;
    if (given.accepted || given.rejection.code !== code) {
      expect(left, JSON.stringify([update, wanted.rejection, given.accepted || given.rejection])).toContain(code);
      count(compared.left, code);
    } else {
      expect(given.rejection.reason).toBe(reason);
      if (SAID_ALIKE.has(code) && reason !== "needs_submission" && typeOf(update) !== "$batch")
        expect(given.rejection.message).toBe(wanted.rejection.message);
      // Where nothing was sent, the type is "unknown" to the full engine, "$replace" to the page's.
      if (wanted.rejection.operation.type !== "unknown")
        expect(given.rejection.operation).toEqual(wanted.rejection.operation);
      expect(given.state).toBe(state);
      count(compared.refused, code);
    }
    return state;
  }
  if (!given.accepted) throw new Error(`refused by the page alone: ${JSON.stringify([update, given.rejection])}`);
  expect(given.state).toEqual(wanted.state);
  expect(given.operation).toEqual(wanted.operation);
  // A default that is filled in again is an edit to the full engine, and nothing to the page's.
  if (!isDeepStrictEqual(wanted.state, state)) expect(given.patches.length > 0).toBe(wanted.patches.length > 0);
  if (given.patches.length === 0) expect(given.state).toBe(state);
  else compared.changed += 1;
  expect(applyPatch(state, given.patches)).toMatchObject({ ok: true, document: wanted.state });
  expect(applyPatch(wanted.state, given.inverse)).toMatchObject({ ok: true, document: state });
  return wanted.state;
}
