// The answer that LangGraph's next `interrupt` would return. It is read before, because whether it
// can be used may take a while to find out, and `interrupt` uses it up at once.
//
//   resume: ["perhaps"]                the task's answers, which LangGraph gives it again, in
//                  |                   their order, whenever it runs again
//                  v
//   resume: [{ opstate: "unused" }]    an answer that was not used is replaced: no other one's
//                                      rights, and no later code, find an approval in it

//
// LangGraph keeps an answer that names no interrupt, and gives it again in each run of the
// superstep. So it counts only in the run that it resumed:
// - A run that is resumed with answers by id brings no other.
// - One that was refused is replaced where it is kept.

import type { RunnableConfig } from "@langchain/core/runnables";
import { isObject } from "@opstate/core/json";
import { saverOf } from "../fields/saver.ts";

/** LangGraph's own keys, which its `interrupt` reads, too. */
const KEY = "__pregel_scratchpad";
const ANSWERS_BY_ID = "__pregel_resume_map";
/** The task among whose writes LangGraph keeps such an answer. */
const NO_TASK = "00000000-0000-0000-0000-000000000000";

const UNUSED = "unused";
const MAX_PROBLEM_CHARACTERS = 1_000;

/** The part of it that `interrupt` uses. */
interface Scratchpad {
  readonly interruptCounter: number;
  readonly resume: unknown[];
  /** An answer that names no interrupt. */
  nullResume?: unknown;
  consumeNullResume: () => unknown;
}

export interface GivenAnswer {
  readonly value: unknown;
  /** Whether it was given under the id of an interrupt, or is an answer of an earlier run. */
  readonly isAddressed: boolean;
  /** Makes the next `interrupt` return, and store, that the answer was not used. */
  replace(problem: string): void;
}

/** Undefined while there is no answer. */
export function nextAnswer(config: RunnableConfig): GivenAnswer | undefined {
  const pad = scratchpadOf(config);
  if (pad === undefined) return undefined;
  const at = pad.interruptCounter + 1;
  if (at < pad.resume.length)
    return {
      value: pad.resume[at],
      isAddressed: true,
      replace: (problem) => void (pad.resume[at] = unused(problem)),
    };
  if (pad.nullResume === undefined) return undefined;
  if (config.configurable?.[ANSWERS_BY_ID] !== undefined || problemOfUnused(pad.nullResume) !== undefined) {
    delete pad.nullResume;
    return undefined;
  }
  const consume = pad.consumeNullResume;
  return {
    value: pad.nullResume,
    isAddressed: false,
    replace: (problem) => {
      pad.consumeNullResume = () => {
        consume();
        return unused(problem);
      };
    },
  };
}

/** Why an answer was not used, of one that was replaced. */
export function problemOfUnused(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || !("opstate" in answer)) return undefined;
  if (answer.opstate !== UNUSED) return undefined;
  return "problem" in answer && typeof answer.problem === "string"
    ? answer.problem.slice(0, MAX_PROBLEM_CHARACTERS)
    : "It could not be used.";
}

const turns = new WeakMap<object, Promise<unknown>>();

/** Runs what reads an answer after what reads another one of the same task. */
export async function inTurn<Result>(config: RunnableConfig, read: () => Promise<Result>): Promise<Result> {
  const pad = scratchpadOf(config);
  if (pad === undefined) return read();
  const turn = (turns.get(pad) ?? Promise.resolve()).then(read);
  turns.set(
    pad,
    turn.catch(() => undefined),
  );
  return turn;
}

/** Replaces an answer that names no interrupt, where LangGraph keeps it. */
export async function replaceKept({ configurable = {} }: RunnableConfig, problem: string): Promise<void> {
  const { checkpoint_map }: Record<string, unknown> = configurable;
  const found = saverOf({ configurable });
  if (found === undefined || !isObject(checkpoint_map)) return;
  const { saver, thread_id } = found;
  for (const [namespace, checkpoint] of Object.entries(checkpoint_map)) {
    const at = { configurable: { thread_id, checkpoint_ns: namespace, checkpoint_id: checkpoint } };
    const { pendingWrites = [] } = (await saver.getTuple(at)) ?? {};
    if (pendingWrites.some(([task, channel]) => task === NO_TASK && channel === "__resume__"))
      await saver.putWrites(at, [["__resume__", unused(problem)]], NO_TASK);
  }
}

function unused(problem: string): { readonly opstate: typeof UNUSED; readonly problem: string } {
  return { opstate: UNUSED, problem };
}

function scratchpadOf({ configurable }: RunnableConfig): Scratchpad | undefined {
  const pad: unknown = configurable?.[KEY];
  return isScratchpad(pad) ? pad : undefined;
}

function isScratchpad(value: unknown): value is Scratchpad {
  return (
    typeof value === "object" &&
    value !== null &&
    "consumeNullResume" in value &&
    typeof value.consumeNullResume === "function" &&
    "interruptCounter" in value &&
    typeof value.interruptCounter === "number" &&
    "resume" in value &&
    Array.isArray(value.resume)
  );
}
