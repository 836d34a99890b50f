// In random steps of parallel calls that conflict, what the model reads, what the history says and
// what the state contains agree with a board that is kept by hand. In all four forms.

import { fakeModel } from "langchain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../tools/runs.ts";
import { layout } from "../support/board.ts";
import { forms, results } from "../support/forms.ts";
import { HandBoard } from "../support/hand-board.ts";
import { call, say, type Call } from "../support/talk.ts";

/** Steps of one conversation. */
const STEPS = 5;
/**
 * The thread's refusal of a call that would change something else than in the state that the model
 * saw, because a call beside it was first. A field knows no such thing.
 */
const OTHER_THING = "Refused (other_thing)";

const cardId = fc.constantFrom("T-1", "T-2", "T-3", "T-9");
const calls = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ cardId, to: fc.constantFrom("todo", "done", "none") }).map((args): Call => ["move", args]),
  },
  {
    weight: 3,
    arbitrary: fc.record({ cardId, title: fc.constantFrom("a", "b") }).map((args): Call => ["rename", args]),
  },
  { weight: 1, arbitrary: cardId.map((id): Call => ["remove", { cardId: id }]) },
);
const conversations = fc.array(fc.array(calls, { minLength: 2, maxLength: 6 }), { minLength: STEPS, maxLength: STEPS });

describe.each(forms)("random steps of parallel calls, with %s", (name, form) => {
  it("are reported, recorded and done alike", async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async (steps) => {
        const model = fakeModel();
        for (const step of steps) model.respond(call(...step));
        model.respond(say("done"));
        const { messages, state } = await (await form(model)).say("go");
        const oracle = new HandBoard();
        const told = results(messages).map(firstWords);
        const words = steps.flat().map((made, at) => (told[at] === OTHER_THING ? OTHER_THING : oracle.run(made)));
        expect(told).toEqual(words);
        expect(told.every((word) => word !== OTHER_THING || name === "a thread")).toBe(true);
        expect(results(model.calls.at(-1)?.messages ?? []).map(firstWords)).toEqual(words);
        expect(layout(state)).toEqual(oracle.layout);
      }),
      { numRuns: runs(40, 1_000 / STEPS) },
    );
  });
});

function firstWords({ text }: { readonly text: string }): string {
  return text.split(/[:\n]/, 1)[0] ?? "";
}
