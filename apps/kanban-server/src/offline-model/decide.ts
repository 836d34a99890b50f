// What to say and to call next: one step of the request at a time, a second try first where a
// refusal named what was meant.
//
// Invariants: a sentence about a call is made from its verdict, after the verdict; a request of
// which a part was not understood is not begun.

import { answer, DID_NOTHING, notUnderstood } from "./answers.ts";
import type { Conversation } from "./conversation.ts";
import type { Board } from "@opstate/kanban-domain";
import type { Intent, Step } from "./intent.ts";
import { type Call, planStep } from "./plan.ts";
import { parseRequest } from "./reading/parse.ts";
import { recover } from "./recover.ts";
import { capital, report } from "./report.ts";

/** The model's next message. All calls of one message belong to one step. */
export interface Decision {
  readonly text: string;
  readonly calls: readonly Call[];
  readonly step: number;
  readonly retry: boolean;
}

export function decide({ request, turns, board, news }: Conversation, tools: readonly string[]): Decision {
  const run = turns.flat();
  const last = turns.at(-1) ?? [];
  const step = last[0]?.step ?? -1;
  const steps = parseRequest(request);
  const questions = steps
    .flat()
    .flatMap((intent) => (intent.kind === "ask" && intent.about !== "changes" ? [intent] : []));
  // Before the first call, what others did is what the user knows; afterwards it happened under
  // way.
  const meanwhile = turns.length > 0 && news.length > 0 ? [`Meanwhile, ${news.join("; ")}.`] : [];

  const obstacles = turns.length === 0 ? obstaclesIn(steps, board) : [];
  if (obstacles.length > 0) {
    const answers = steps.some(acts) ? [] : questions.map((ask) => answer(ask, board));
    return {
      text: [...answers, paragraph([...obstacles, DID_NOTHING])].join("\n\n"),
      calls: [],
      step: 0,
      retry: false,
    };
  }

  const recoveries = last.map((outcome) => (outcome.retry ? undefined : recover(outcome)));
  const finished = last.filter(({ call }, index) => recoveries[index] === undefined && changes(call));
  const said = [...report(finished, run, board), ...meanwhile];
  const retries = recoveries.filter((recovery) => recovery !== undefined);
  if (retries.length > 0) {
    return {
      text: paragraph([...said, ...new Set(retries.map(({ because }) => because))]),
      calls: retries.map(({ call }) => call),
      step,
      retry: true,
    };
  }

  const acting = steps.filter(acts);
  for (let next = step + 1; next < acting.length; next += 1) {
    const { calls: planned, notes, unclear } = planStep(acting[next] ?? [], board);
    if (unclear.length > 0) {
      said.push(...unclear, "So I stop here.");
      break;
    }
    const calls = planned.filter(({ name }) => tools.includes(name));
    const missing = new Set(planned.filter((call) => !calls.includes(call)).map(({ name }) => name));
    said.push(...notes, ...[...missing].map((name) => `I have no tool '${name}' here.`));
    if (calls.length === 0) continue;
    const which = acting.length > 1 ? [`Step ${next + 1} of ${acting.length}.`] : [];
    return { text: paragraph([...said, ...which]), calls, step: next, retry: false };
  }

  const answers = [
    ...run.filter(({ call }) => !changes(call)).map(({ verdict }) => verdict.text),
    ...questions.map((ask) => answer(ask, board)),
  ];
  const text = [paragraph(said), ...answers].filter((part) => part !== "").join("\n\n");
  return { text: text === "" ? DID_NOTHING : text, calls: [], step: acting.length, retry: false };
}

/**
 * What keeps a request from being begun, a sentence each: words that nobody understands, or that
 * the board has nothing for.
 */
function obstaclesIn(steps: readonly Step[], board: Board | null): readonly string[] {
  const unknown = steps.flat().flatMap((intent) => (intent.kind === "unknown" ? intent.text : []));
  if (unknown.length > 0) return [notUnderstood(unknown)];
  // What a step makes is known once it was done.
  const making = steps.findIndex((step) => step.some(({ kind }) => MAKING_KINDS.has(kind)));
  const known = making === -1 ? steps : steps.slice(0, making + 1);
  return known.flatMap((step) => planStep(step, board).unclear);
}

const MAKING_KINDS: ReadonlySet<Intent["kind"]> = new Set(["addCards", "addColumns", "build", "rename"]);

const acts = (step: Step): boolean =>
  step.some((intent) => (intent.kind === "ask" ? intent.about === "changes" : intent.kind !== "unknown"));
const changes = ({ name }: Call): boolean => name !== "recentChanges";
const paragraph = (sentences: readonly string[]): string => sentences.map(capital).join(" ");
