// Twenty scenarios. Places are named by index where a host could hit something else by accident.

import { board } from "./board.ts";
import type { Call, Step } from "./script.ts";

export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
  /** The agent works on a branch, which Ada merges at the end. */
  readonly onBranch?: true;
  /** The host makes its calls again under new ids. */
  readonly newIds?: true;
}

const says = (...calls: readonly Call[]): Step => ({ says: calls });
const does = (...[act]: [Extract<Step, { does: unknown }>["does"]]): Step => ({ does: act });
const yes: Step = { answers: { yes: true } };
const no = (message?: string): Step => ({ answers: message === undefined ? { yes: false } : { yes: false, message } });
const ends = (what: "run" | "process"): Step => ({ ends: what });

const add = (id: string, card: string, title = `Card ${card}`): Call => ({
  id,
  name: "add",
  input: { id: card, title },
});
const rename = (id: string, index: number, title: string): Call => ({ id, name: "rename", input: { index, title } });
const finish = (id: string, card: string): Call => ({ id, name: "finish", input: { id: card } });
const pay = (id: string, invoice: string): Call => ({ id, name: "pay", input: { invoice } });
const clear = (id: string): Call => ({ id, name: "clear", input: {} });

export const scenarios: readonly Scenario[] = [
  { title: "one call", steps: [says(add("c1", "D"))] },
  {
    title: "calls of one message that conflict: the first one wins",
    steps: [says(add("c1", "D", "First"), add("c2", "D", "Second"), add("c3", "E"), add("c4", "E"))],
  },
  {
    title: "a call of a message needs what the one before it did",
    steps: [says(add("c1", "D"), finish("c2", "D"), finish("c3", "D"), finish("c4", "A"))],
  },
  { title: "a refusal, then what is right", steps: [says(finish("c1", "Z")), says(finish("c2", "A"))] },
  {
    title: "arguments of a wrong shape",
    steps: [
      says({ id: "c1", name: "add", input: { id: 5 } }, { id: "c2", name: "finish", input: {} }),
      says(add("c3", "D")),
    ],
  },
  { title: "a title that is too long", steps: [says(add("c1", "D", "x".repeat(41))), says(add("c2", "D", "short"))] },
  {
    title: "a call that is refused twice",
    steps: [says(rename("c1", 7, "x")), says(rename("c2", 7, "x")), says(rename("c3", 0, "x"))],
  },
  {
    title: "an edit in the middle beside the agent's work",
    steps: [
      says(add("c1", "D")),
      does((people) => people.edit(board.op.rename({ index: 0, title: "Hers" }))),
      says(add("c2", "E")),
    ],
  },
  {
    title: "an edit in the middle moves what the agent means",
    steps: [
      says(add("c1", "D")),
      does((people) => people.edit(board.op.finish({ id: "A" }))),
      says(rename("c2", 0, "First")),
      says(rename("c3", 0, "First")),
    ],
  },
  {
    title: "an edit in the middle does what the agent means to do",
    steps: [does((people) => people.edit(board.op.finish({ id: "A" }))), says(finish("c1", "A"), finish("c2", "B"))],
  },
  { title: "a yes", steps: [says(finish("c1", "A")), says(clear("c2")), yes, says(add("c3", "D"))] },
  {
    title: "a no, with a reason",
    steps: [says(finish("c1", "A")), says(clear("c2")), no("Keep them"), says(add("c3", "D"))],
  },
  {
    title: "a yes after what it was about has changed",
    steps: [
      says(finish("c1", "A")),
      says(clear("c2")),
      does((people) => people.edit(board.op.finish({ id: "B" }))),
      yes,
    ],
  },
  {
    title: "a question beside other calls of its message",
    steps: [says(finish("c1", "A")), says(add("c2", "D"), clear("c3"), add("c4", "D")), yes, says(add("c5", "E"))],
  },
  {
    title: "two runs, with a person between them",
    steps: [
      says(add("c1", "D")),
      ends("run"),
      does((people) => people.edit(board.op.finish({ id: "D" }))),
      says(finish("c2", "D")),
    ],
  },
  {
    title: "a process that ends: its calls are made again",
    steps: [
      says(add("c1", "D"), finish("c2", "A")),
      ends("process"),
      says(add("c1", "D"), finish("c2", "A")),
      says(add("c3", "E")),
    ],
  },
  {
    title: "a process that ends: its calls are made again under new ids",
    newIds: true,
    steps: [says(pay("c1", "7")), ends("process"), says(pay("c9", "7")), says(pay("c10", "8"), pay("c11", "7"))],
  },
  {
    title: "a run that a person takes back, and the next one",
    steps: [
      says(add("c1", "D"), finish("c2", "A")),
      ends("run"),
      does((people) => people.undoRun()),
      says(finish("c3", "D"), finish("c4", "A")),
    ],
  },
  {
    title: "an undo that later work of the agent needs",
    steps: [
      does((people) => people.edit(board.op.add({ id: "D", title: "Hers" }))),
      ends("run"),
      says(finish("c1", "D")),
      does((people) => people.undo(1)),
      says(add("c2", "E")),
    ],
  },
  {
    title: "work on a branch",
    onBranch: true,
    steps: [says(add("c1", "D"), finish("c2", "A"), finish("c3", "A")), says(clear("c4"))],
  },
];
