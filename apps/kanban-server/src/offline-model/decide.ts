// Decides the model's next message, one step of the request at a time. A refused call is first
// corrected if the refusal says how.
//
// Invariants:
// - A sentence about a call is made from its verdict.
// - A request with a part that was not understood is not started.
// - A card that is named and not shown is looked for before the step that needs it.

import { answer, DID_NOTHING, notUnderstood } from "./answers.ts";
import type { Conversation } from "./conversation.ts";
import type { Board } from "@opstate/kanban-domain";
import type { Intent, Step } from "./intent.ts";
import { LOOK_UP, textsToFind } from "./look-up.ts";
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
  /** Whether the calls look for the cards of the step. */
  readonly look: boolean;
}

export function decide({ request, turns, board, news }: Conversation, tools: readonly string[]): Decision {
  const run = turns.flat();
  const last = turns.at(-1) ?? [];
  const step = (last[0]?.step ?? -1) - (last[0]?.look === true ? 1 : 0);
  const steps = parseRequest(request);
  const questions = steps
    .flat()
    .flatMap((intent) => (intent.kind === "ask" && intent.about !== "changes" ? [intent] : []));
  // Changes by others before the first call are known to the user; later ones are reported.
  const meanwhile = turns.length > 0 && news.length > 0 ? [`Meanwhile, ${news.join("; ")}.`] : [];

  const toFind = (each: Step) => (tools.includes(LOOK_UP) ? textsToFind(each, board) : []);
  const obstacles = turns.length === 0 ? obstaclesIn(steps, board, (each) => toFind(each).length > 0) : [];
  if (obstacles.length > 0) {
    const answers = steps.some(acts) ? [] : questions.map((ask) => answer(ask, board));
    return {
      text: [...answers, paragraph([...obstacles, DID_NOTHING])].join("\n\n"),
      calls: [],
      step: 0,
      retry: false,
      look: false,
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
      look: false,
    };
  }

  const acting = steps.filter(acts);
  for (let next = step + 1; next < acting.length; next += 1) {
    const texts = last[0]?.look === true && last[0].step === next ? [] : toFind(acting[next] ?? []);
    if (texts.length > 0) {
      const looking = `I look for ${texts.map((text) => `'${text}'`).join(" and ")}.`;
      const looks = texts.map((text) => ({ name: LOOK_UP, args: { text } }));
      return { text: paragraph([...said, looking]), calls: looks, step: next, retry: false, look: true };
    }
    const { calls: planned, notes, unclear } = planStep(acting[next] ?? [], board);
    if (unclear.length > 0) {
      said.push(...unclear, run.some(({ call }) => changes(call)) ? "So I stop here." : DID_NOTHING);
      break;
    }
    const calls = planned.filter(({ name }) => tools.includes(name));
    const missing = new Set(planned.filter((call) => !calls.includes(call)).map(({ name }) => name));
    said.push(...notes, ...[...missing].map((name) => `I have no tool '${name}' here.`));
    if (calls.length === 0) continue;
    const which = acting.length > 1 ? [`Step ${next + 1} of ${acting.length}.`] : [];
    return { text: paragraph([...said, ...which]), calls, step: next, retry: false, look: false };
  }

  const answers = [
    ...run.filter(({ call }) => call.name === RECENT_CHANGES).map(({ verdict }) => verdict.text),
    ...questions.map((ask) => answer(ask, board)),
  ];
  const text = [paragraph(said), ...answers].filter((part) => part !== "").join("\n\n");
  return { text: text === "" ? DID_NOTHING : text, calls: [], step: acting.length, retry: false, look: false };
}

/**
 * Why a request cannot be started, one sentence each: words that are unclear, or unknown names. A
 * step that `waits` for cards to be found may still be clear.
 */
function obstaclesIn(steps: readonly Step[], board: Board | null, waits: (step: Step) => boolean): readonly string[] {
  const unknown = steps.flat().flatMap((intent) => (intent.kind === "unknown" ? intent.text : []));
  if (unknown.length > 0) return [notUnderstood(unknown)];
  // Later steps may name what this step creates.
  const making = steps.findIndex((step) => step.some(({ kind }) => MAKING_KINDS.has(kind)));
  const known = making === -1 ? steps : steps.slice(0, making + 1);
  return known.flatMap((step) => (waits(step) ? [] : planStep(step, board).unclear));
}

const MAKING_KINDS: ReadonlySet<Intent["kind"]> = new Set(["addCards", "addColumns", "build", "rename"]);

const acts = (step: Step): boolean =>
  step.some((intent) => (intent.kind === "ask" ? intent.about === "changes" : intent.kind !== "unknown"));
const RECENT_CHANGES = "recentChanges";
const changes = ({ name }: Call): boolean => name !== RECENT_CHANGES && name !== LOOK_UP;
const paragraph = (sentences: readonly string[]): string => sentences.map(capital).join(" ");
