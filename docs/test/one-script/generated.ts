// Scripts made at random, whose course is the same in every host.
//
// Left out is what hosts do differently, by their nature: a question stands last in its message; no
// run is taken back after one, for AG-UI's answer begins a run of its own; no refused call is
// repeated three times.

import fc from "fast-check";
import { board } from "./board.ts";
import type { Scenario } from "./scenarios.ts";
import type { Call, Step } from "./script.ts";

type Act =
  | { readonly does: "add" | "finish" | "pay"; readonly card: string }
  | { readonly does: "rename"; readonly index: number };

interface Message {
  readonly acts: readonly Act[];
  /** What Ada does while the model thinks. */
  readonly edit: Act | undefined;
  readonly question: "yes" | "no" | undefined;
}

interface Run {
  readonly messages: readonly Message[];
  /** The process ends after the first message, whose calls are made again. */
  readonly crashes: boolean;
  readonly isTakenBack: boolean;
}

const card = fc.constantFrom("A", "B", "C", "D", "E", "Z");
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ does: fc.constantFrom("add" as const, "finish" as const, "pay" as const), card }),
  fc.record({ does: fc.constant("rename" as const), index: fc.integer({ min: 0, max: 3 }) }),
);
const message: fc.Arbitrary<Message> = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
  edit: fc.option(
    act.filter(({ does }) => does !== "pay"),
    { nil: undefined },
  ),
  question: fc.option(fc.constantFrom("yes" as const, "no" as const), { nil: undefined, freq: 3 }),
});
const run: fc.Arbitrary<Run> = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 3 }),
  crashes: fc.boolean(),
  isTakenBack: fc.boolean(),
});

export const generated: fc.Arbitrary<Scenario> = fc
  .array(run, { minLength: 1, maxLength: 2 })
  .map((runs) => ({ title: "a generated script", steps: stepsOf(runs) }));

function stepsOf(runs: readonly Run[]): readonly Step[] {
  let made = 0;
  let hasAsked = false;
  const finished = new Map<string, number>();
  const callsOf = ({ acts, question }: Message): Call[] => {
    const calls: Call[] = [];
    for (const one of acts) {
      const name = `${one.does} ${"card" in one ? one.card : one.index}`;
      const times = (finished.get(name) ?? 0) + 1;
      finished.set(name, times);
      if (times <= 2) calls.push({ id: `c${++made}`, name: one.does, input: inputOf(one, `By the agent ${made}`) });
    }
    if (question !== undefined) calls.push({ id: `c${++made}`, name: "clear", input: {} });
    return calls;
  };
  return runs.flatMap(({ messages, crashes, isTakenBack }, index) => {
    const steps: Step[] = [];
    hasAsked ||= messages.some(({ question }) => question !== undefined);
    for (const [nth, one] of messages.entries()) {
      const calls = callsOf(one);
      const { edit, question } = one;
      if (edit !== undefined) steps.push(editStep(edit, `By Ada ${index}.${nth}`));
      if (calls.length === 0) continue;
      steps.push({ says: calls });
      if (question !== undefined)
        steps.push({ answers: question === "yes" ? { yes: true } : { yes: false, message: "Not now" } });
      else if (crashes && nth === 0 && calls.every(({ name }) => name !== "pay"))
        steps.push({ ends: "process" }, { says: calls });
    }
    steps.push({ ends: "run" });
    if (isTakenBack && !hasAsked) steps.push({ does: (people) => people.undoRun() });
    return steps;
  });
}

function inputOf(one: Act, title: string): Call["input"] {
  if (one.does === "rename") return { index: one.index, title };
  if (one.does === "add") return { id: one.card, title };
  return one.does === "pay" ? { invoice: one.card } : { id: one.card };
}

function editStep(one: Act, title: string): Step {
  if (one.does === "rename") return { does: (people) => people.edit(board.op.rename({ index: one.index, title })) };
  if (one.does === "add") return { does: (people) => people.edit(board.op.add({ id: one.card, title })) };
  return { does: (people) => people.edit(board.op.finish({ id: one.card })) };
}
