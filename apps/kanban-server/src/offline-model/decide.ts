// Decides the model's next message, one step of the request at a time. A refused call is first
// corrected if the refusal says how.
//
// Invariants:
// - A sentence about a call is made from its verdict.
// - A request with a part that was not understood is not started.
// - Steps that together need a person's approval are sent as one.
// - A card that is named and not shown is looked for before the step that needs it.

import { type Board, findCard } from "@opstate/kanban-domain";
import { answer, DID_NOTHING } from "./answers.ts";
import { capital } from "./words/capital.ts";
import { withIds, withNames } from "./words/card-names.ts";
import type { Conversation } from "./conversation.ts";
import type { Intent, Step } from "./intent.ts";
import { judgedTogether } from "./judged-together.ts";
import { LOOK_UP, textsToFind } from "./look-up.ts";
import { reasonInWords } from "./words/reason-in-words.ts";
import { newsInWords } from "./words/news-in-words.ts";
import { type Call, planStep } from "./plan.ts";
import { recover } from "./recover.ts";
import { atMostThree, OFFER_REPLIES, repliesToRefusal } from "./replies.ts";
import { report } from "./report.ts";
import { isUnderstood, subjectBefore, understood } from "./understand.ts";

/** The model's next message. All calls of one message belong to one step. */
export interface Decision {
  readonly text: string;
  readonly calls: readonly Call[];
  readonly step: number;
  readonly retry: boolean;
  /** Whether the calls look for the cards of the step. */
  readonly look: boolean;
  /** Which wording of the request was read. */
  readonly reading: number;
}

/** Beside a question, the tool for replies is called, where there is one. */
export function decide(conversation: Conversation, tools: readonly string[]): Decision {
  const { replies, ...decision } = answerTo(conversation, tools);
  if (replies === undefined || decision.calls.length > 0 || !tools.includes(OFFER_REPLIES)) return decision;
  return {
    ...decision,
    calls: [
      {
        name: OFFER_REPLIES,
        args: { replies: atMostThree(replies).map((reply) => withNames(reply, conversation.board)) },
      },
    ],
  };
}

function answerTo(
  { request: asked, turns, board, news, earlier }: Conversation,
  tools: readonly string[],
): Decision & { readonly replies?: readonly string[] } {
  const request = withIds(asked, board);
  const run = turns.flat();
  const last = turns.at(-1) ?? [];
  const step = (last[0]?.step ?? -1) - (last[0]?.look === true ? 1 : 0);
  const toFind = (each: Step) => (tools.includes(LOOK_UP) ? textsToFind(each, board) : []);
  const waits = (each: Step) => toFind(each).length > 0;
  const { steps, reading, obstacles, replies } = understood(
    { request, earlier: subjectBefore(earlier, board), board, waits },
    turns[0]?.[0]?.reading,
  );
  const questions = steps
    .flat()
    .flatMap((intent) => (intent.kind === "ask" && intent.about !== "changes" ? [intent] : []));
  // Changes by others before the first call are known to the user; later ones are reported.
  const before = askedFirst(steps);
  const meanwhile = turns.length > 0 && news.length > 0 ? [`Meanwhile, ${news.map(newsInWords).join("; ")}.`] : [];

  if (obstacles.length > 0) {
    const clear = questions.filter((ask) => planStep([ask], board).unclear.length === 0);
    const answers = steps.some(acts) ? [] : clear.map((ask) => answer(ask, board, earlier.at(-1)));
    const isQuestion = obstacles.some((each) => each.endsWith("?"));
    return {
      text: [...answers, paragraph([...obstacles, isQuestion ? "I did nothing yet." : DID_NOTHING])].join("\n\n"),
      calls: [],
      step: 0,
      retry: false,
      look: false,
      reading,
      // Nothing is offered that would be asked about again.
      replies: replies.filter((reply) => isUnderstood(reply, board)),
    };
  }

  const recoveries = last.map((outcome) => (outcome.retry ? undefined : recover(outcome, board)));
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
      reading,
    };
  }

  if (turns.length === 0)
    said.push(...questions.filter((ask) => before.includes(ask)).map((ask) => answer(ask, board, earlier.at(-1))));

  const acting = steps.filter(acts);
  const further: string[] = [];
  for (let next = step + 1; next < acting.length; next += 1) {
    const texts = last[0]?.look === true && last[0].step === next ? [] : toFind(acting[next] ?? []);
    if (texts.length > 0) {
      const looking = `I look for ${texts.map((text) => `'${text}'`).join(" and ")}.`;
      const looks = texts.map((text) => ({ name: LOOK_UP, args: { text } }));
      return { text: paragraph([...said, looking]), calls: looks, step: next, retry: false, look: true, reading };
    }
    const { calls: planned, notes, unclear, replies: offered = [] } = planStep(acting[next] ?? [], board);
    if (unclear.length > 0) {
      further.push(...offered);
      said.push(...unclear, run.some(({ call }) => changes(call)) ? "So I stop here." : DID_NOTHING);
      break;
    }
    const together = judgedTogether(acting.slice(next), board);
    if (together !== undefined && together.count > 1 && together.calls.every(({ name }) => tools.includes(name)))
      return {
        text: paragraph([...said, ...notes]),
        calls: together.calls,
        step: next + together.count - 1,
        retry: false,
        look: false,
        reading,
      };
    const calls = planned.filter(({ name }) => tools.includes(name));
    const missing = new Set(planned.filter((call) => !calls.includes(call)).map(({ name }) => name));
    said.push(...notes, ...[...missing].map((name) => `I have no tool '${name}' here.`));
    if (calls.length === 0) continue;
    const which = acting.length > 1 ? [`Step ${next + 1} of ${acting.length}.`] : [];
    return { text: paragraph([...said, ...which]), calls, step: next, retry: false, look: false, reading };
  }

  const answers = [
    ...run
      .filter(({ call }) => call.name === RECENT_CHANGES)
      .map(({ call, verdict }) =>
        asksWhy(steps)
          ? [reasonInWords(verdict.text, call.args.about, earlier), ...placeOf(call.args.about, board)].join("\n")
          : verdict.text,
      ),
    ...questions.filter((ask) => !before.includes(ask)).map((ask) => answer(ask, board, earlier.at(-1))),
    ...steps.flat().flatMap((intent) => (intent.kind === "talk" ? small(intent) : [])),
  ];
  if (board !== null && turns.length > 0)
    for (const { call, verdict } of last.filter((outcome) => outcome.retry || recover(outcome, board) === undefined))
      if (!verdict.accepted && !verdict.proposed) further.push(...repliesToRefusal(call, verdict.reason, board));
  const text = [paragraph(said), ...new Set(answers)].filter((part) => part !== "").join("\n\n");
  const offers = text === "" || further.length > 0 ? { replies: further } : {};
  return {
    text: text === "" ? DID_NOTHING : text,
    calls: [],
    step: acting.length,
    retry: false,
    look: false,
    reading,
    ...offers,
  };
}

/** What is answered to small talk, with what else there is to say. */
function small({ name, answer: words }: Intent & { kind: "talk" }): string {
  if (name === "greeting")
    return `${words} I look after this board: tell me to move, add or remove cards, or ask what changed.`;
  return name === "who" ? `${words} I look after this board and understand plain requests; 'help' shows some.` : words;
}

const acts = (step: Step): boolean =>
  step.some((intent) =>
    intent.kind === "ask" ? intent.about === "changes" : intent.kind !== "unknown" && intent.kind !== "talk",
  );
/** Beside why: where the card is now. */
const placeOf = (about: unknown, board: Board | null): readonly string[] =>
  board !== null && typeof about === "string" && findCard(board, about) !== undefined
    ? [answer({ kind: "ask", about: "card", name: about }, board)]
    : [];

const asksWhy = (steps: readonly Step[]): boolean =>
  steps.flat().some((intent) => intent.kind === "ask" && intent.about === "changes" && intent.asks === "why");
/** What is asked before the first wish is answered before it is done. */
function askedFirst(steps: readonly Step[]): readonly Intent[] {
  const intents = steps.flat();
  const first = intents.findIndex((intent) => acts([intent]));
  return first === -1 ? [] : intents.slice(0, first);
}
const RECENT_CHANGES = "recentChanges";
const changes = ({ name }: Call): boolean => name !== RECENT_CHANGES && name !== LOOK_UP;
const paragraph = (sentences: readonly string[]): string => sentences.map(capital).join(" ");
