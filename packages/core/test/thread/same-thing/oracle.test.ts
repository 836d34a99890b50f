// The oracle judged: what is done by the letter of the text passes, and planted bugs are found.
//
// A model of a thread, of plain objects alone, undoes by the oracle's own reading of the text
// (`walk`). The claims are made from recorded effects and know nothing of it, so that each of the
// two is a check of the other.

import type { Actor, Commit } from "@opstate/core";
import { applyPatch, type Patch } from "@opstate/core/json-patch";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../tools/runs.ts";
import { countOf, INITIAL, type State } from "./board.ts";
import { excludedWith, judgeRefusedUndo, judgeReplay, judgeUndo, Violation, Words } from "./claims.ts";
import { history, type Step } from "./history.ts";
import { type Entry, Line } from "./line.ts";
import { effectOf, equal, thingsOf } from "./things.ts";
import { copyState, copyTags, runTwin } from "./twin.ts";
import { operationFor } from "./update.ts";
import { walk } from "./walk.ts";

interface Outcome {
  state: State;
  versions: number[];
  recomputed: number[];
  carried: number[];
}

/** What a bug makes of an outcome. Undefined: it does not show here. */
type Plant = (outcome: Outcome, model: Model, target: ReadonlySet<number>) => Outcome | undefined;

class Model {
  readonly line = new Line("model", INITIAL);
  readonly learned = { ids: new Map<string, string>(), times: new Map<string, string>() };
  readonly words = new Words();
  readonly story: string[] = [];
  readonly #plant: Plant | undefined;
  edition = 0;
  undone = 0;
  #next = 0;

  constructor(plant?: Plant) {
    this.#plant = plant;
  }

  run(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.do === "code") this.edition = step.edition;
      if (step.do === "dispatch") this.#dispatch(step);
      if (step.do === "undo") this.#undoOf(step.a, step.mode, step.redo);
      if (step.do === "undo an undo") {
        const undos = this.line.entries.filter(({ undo }) => undo);
        const chosen = undos.at(-1 - (step.a % Math.max(1, undos.length)));
        if (chosen) this.#undo(chosen, step.mode);
      }
    }
  }

  #add(operation: { readonly type: string }, after: State, undo?: Entry["undo"]): Entry {
    const actor: Actor = { kind: "user", id: "ada" };
    const version = this.line.version + 1;
    const at = "2030-01-01T00:00:00.000Z";
    const id = `c${version}`;
    const commit: Commit = { version, id, operation, actor, at, patches: [], inverse: [], definitionVersion: 1 };
    const parts = { commit, operation, author: actor, runId: undefined, edition: this.edition };
    return this.line.add(undo ? { ...parts, undo } : parts, after, after);
  }

  #dispatch({ update }: Step & { do: "dispatch" }): void {
    const operation = operationFor(update, this.line.state, () => {
      const word = `w${(this.#next += 1)}`;
      for (const mark of [word, `${word}a`, `${word}b`]) this.learned.ids.set(mark, `T-of-${mark}`);
      return word;
    });
    const after = this.#after(operation);
    if (!after || equal(after, this.line.state)) return;
    const entry = this.#add(operation, after);
    this.words.learn(entry.effect);
    this.story.push(`v${entry.version} ${JSON.stringify(operation)}, edition ${this.edition}`);
  }

  #after(operation: { readonly type: string }): State | undefined {
    const { value, patch } = operation as { value?: State; patch?: Patch };
    if (value === undefined && patch === undefined) {
      return runTwin(this.edition, this.line.rows, operation, this.learned);
    }
    const patched = patch && applyPatch(this.line.state, patch);
    const whole = copyState(value ?? (patched?.ok === true ? (patched.document as State) : this.line.state));
    whole.count = countOf(whole);
    copyTags(this.line.rows, whole);
    return whole;
  }

  #undoOf(a: number, mode: "refuse" | "drop" | "keep", redo: boolean): void {
    const out = this.line.excluded();
    const done = this.line.entries.filter(({ undo, version }) => !undo && !out.has(version));
    const chosen = done.at(-1 - (a % Math.max(1, done.length)));
    if (!chosen) return;
    const before = this.line.state;
    const undo = this.#undo(chosen, mode === "keep" ? "refuse" : mode);
    if (!undo || !redo) return;
    const again = this.#undo(undo, "refuse");
    if (again && !equal(this.line.state, before)) throw new Violation("redo at once", "another state");
  }

  #undo(chosen: Entry, mode: "refuse" | "drop"): Entry | undefined {
    const { line, edition, learned } = this;
    const target = new Set([chosen.version]);
    const before = line.excluded();
    const plan = walk(line, line.version, before, excludedWith(line, line.version, target), edition, learned);
    if (plan.result === undefined) return undefined;
    const those = (decision: string): number[] =>
      [...plan.decisions].flatMap(([version, decided]) => (decided === decision ? [version] : []));
    const right: Outcome = {
      state: plan.result,
      versions: [chosen.version, ...those("dependent")],
      recomputed: those("anew"),
      carried: those("carried"),
    };
    const outcome = this.#plant ? this.#plant(right, this, target) : right;
    if (!outcome) return undefined;
    const request = { mode, target, edition, learned };
    const extra = outcome.versions.filter((version) => version !== chosen.version);
    this.story.push(`undo v${chosen.version}, ${mode}: ${JSON.stringify({ ...outcome, state: undefined })}`);
    if (extra.length > 0 && mode === "refuse") {
      judgeRefusedUndo(
        line,
        request,
        extra.map((version) => `c${version}`),
        () => undefined,
      );
      return undefined;
    }
    const { versions, recomputed, carried, state } = outcome;
    const operation = { type: "$undo", ids: [chosen.commit.id], versions, recomputed, carried };
    const entry = this.#add(operation, state, { versions: new Set(versions), keep: false });
    judgeUndo(line, entry, request, () => undefined);
    this.words.check(state, `v${entry.version}`);
    this.undone += 1;
    return entry;
  }
}

/** Runs every commit that is kept again, by today's code on whatever it finds: no law 10. */
const runsAgain: Plant = (outcome, { line, edition, learned }) => {
  let state = line.tagged[0]!;
  const out = excludedWith(line, line.version, new Set(outcome.versions));
  for (const { version, undo, operation } of line.entries) {
    if (!undo && !out.has(version)) state = runTwin(edition, state, operation, learned) ?? state;
  }
  return equal(state, outcome.state) ? undefined : { ...outcome, state };
};

function changed(outcome: Outcome, change: (state: State) => void): Outcome | undefined {
  const state = copyState(outcome.state);
  change(state);
  state.count = state.todo.length + state.done.length;
  return equal(state, outcome.state) ? undefined : { ...outcome, state };
}

const PLANTS: Record<string, Plant> = {
  "runs what is kept again, whatever it finds": runsAgain,
  "says nothing of what it computed anew": (outcome) =>
    outcome.recomputed.length > 0 ? { ...outcome, recomputed: [] } : undefined,
  "says nothing of what it carried": (outcome) =>
    outcome.carried.length > 0 ? { ...outcome, carried: [] } : undefined,
  "does not name a dependent": (outcome, _, target) =>
    outcome.versions.length > 1 ? { ...outcome, versions: [...target] } : undefined,
  "names what is independent": (outcome, { line }, target) => {
    const out = line.excluded();
    const other = line.entries.findLast(({ version, undo }) => {
      return (
        !undo && !out.has(version) && !outcome.versions.includes(version) && ![...target].some((v) => v >= version)
      );
    });
    return other ? { ...outcome, versions: [...outcome.versions, other.version] } : undefined;
  },
  "undoes another commit": (outcome, { line }) => {
    const other = line.entries.find(({ version, undo }) => !undo && !outcome.versions.includes(version));
    return other && !line.excluded().has(other.version) ? { ...outcome, versions: [other.version] } : undefined;
  },
  "writes a text on the neighbour": (outcome) =>
    changed(outcome, ({ todo: [a, b] }) => {
      if (a && b) [a.title, b.title] = [b.title, a.title];
    }),
  "forgets the last card": (outcome) => changed(outcome, ({ todo }) => void todo.pop()),
  "forgets a text": (outcome) =>
    changed(outcome, ({ todo: [a] }) => {
      if (a) a.title = "old";
    }),
  "turns a list round": (outcome) => changed(outcome, ({ todo }) => void todo.reverse()),
  "changes a row that nothing distinguishes": (outcome) =>
    changed(outcome, ({ rows: [row] }) => {
      if (row) row.n += 1;
    }),
  "leaves the sum as it was": (outcome, { line }) => changed(outcome, (state) => void (state.total = line.state.total)),
};

describe("the oracle of law 10", () => {
  it("agrees with itself: what the text says passes every claim", () => {
    let undone = 0;
    fc.assert(
      fc.property(history, (steps) => {
        const model = new Model();
        try {
          model.run(steps);
        } catch (error) {
          throw new Error(`${String(error)}\n${model.story.join("\n")}`, { cause: error });
        }
        undone += model.undone;
      }),
      { numRuns: runs(300, 20_000) },
    );
    expect(undone).toBeGreaterThan(100);
  });

  it.each(Object.entries(PLANTS))("finds an undo that %s", (_, plant) => {
    const found = new Map<string, number>();
    for (const steps of fc.sample(history, { numRuns: 300, seed: 10 })) {
      try {
        new Model(plant).run(steps);
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        found.set(error.claim, (found.get(error.claim) ?? 0) + 1);
      }
    }
    expect([...found.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(2);
  });

  describe("of an operation that is done again elsewhere", () => {
    const edited = (at: number, title: string): State => {
      const state = copyState(INITIAL);
      state.todo[at]!.title = title;
      return state;
    };
    const effect = effectOf(thingsOf(INITIAL), thingsOf(edited(0, "w1")));
    const judge = (after: State): void =>
      judgeReplay("merge", effect, INITIAL, after, { type: "editById", word: "w1" }, "all");

    it("passes the same change of the same thing", () => {
      expect(() => judge(edited(0, "w1"))).not.toThrow();
    });

    it.each([
      ["another thing", edited(1, "w1")],
      ["a text is lost", INITIAL],
      ["a text is lost", edited(0, "old")],
    ])("finds %s", (claim, after) => {
      expect(() => judge(after)).toThrow(claim);
    });

    it("finds a card with another id than it had", () => {
      const added = (id: string): State => {
        const state = copyState(INITIAL);
        state.todo.push({ ...state.todo[0]!, id, born: "w2", title: "w2t" });
        return state;
      };
      const first = effectOf(thingsOf(INITIAL), thingsOf(added("T-5")));
      const judgeAs = (id: string): void => judgeReplay("merge", first, INITIAL, added(id), { type: "addNext" }, "all");
      expect(() => judgeAs("T-5")).not.toThrow();
      expect(() => judgeAs("T-6")).toThrow("born otherwise");
    });
  });

  it("knows the words and the things of a state", () => {
    expect([...thingsOf(INITIAL).keys()]).toEqual([
      "root",
      ...["seed1", "seed2", "seed3", "seed4"],
      ...["worker w1", "worker w2", "worker w3"],
      "note a",
    ]);
  });
});
