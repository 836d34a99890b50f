// The prompts: the model's role, the topic, and what was said so far.
//
// Invariant: the topic is quoted as JSON, as data.

import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { type Agent, isSpeaker, type Speaker } from "../debate/speakers.ts";
import type { Fact } from "../debate/state.ts";

export interface Situation {
  readonly topic: string;
  readonly round: number;
  readonly maxRounds: number;
  readonly messages: readonly BaseMessage[];
  readonly facts: readonly Fact[];
}

const TASKS: Readonly<Record<Agent, string>> = {
  optimist: "You argue in favour. Answer what the skeptic said last, then make one new point.",
  skeptic: "You argue against. Answer what the optimist said last, then make one new point.",
  moderator:
    "You take no side. Say what the round turned on, what each side did not answer, and what the next round should settle.",
};
const VERDICT =
  "You take no side. This was the last round: say what was settled, what was not, and what a careful person would do now.";

export function turnPrompt(speaker: Agent, { topic, round, maxRounds, messages, facts }: Situation): BaseMessage[] {
  const isLast = round === maxRounds;
  const brief = [
    `Role: ${speaker}`,
    `Topic: ${JSON.stringify(topic)}`,
    `Round: ${round} of ${maxRounds}`,
    "You take part in a public debate between an optimist and a skeptic, led by a moderator. People watch, and may say something between rounds: answer them first.",
    speaker === "moderator" && isLast ? VERDICT : TASKS[speaker],
    "Write at most 90 words, in plain sentences, without headings, lists or markdown. Do not begin with your role. Never claim more than you can show.",
  ];
  const checked = facts.map(({ quote, label }) => `- ${label}: ${JSON.stringify(quote)}`);
  if (speaker === "moderator" && checked.length > 0) brief.push(`Fact check so far:\n${checked.join("\n")}`);
  return [
    new SystemMessage(brief.join("\n")),
    ...messages.map((message) => heardBy(speaker, message)),
    new HumanMessage("It is your turn."),
  ];
}

function heardBy(listener: Agent, { name, text }: BaseMessage): BaseMessage {
  if (name === listener) return new AIMessage(text);
  return new HumanMessage(`${NAMES[isSpeaker(name) ? name : "person"]}: ${text}`);
}

const NAMES: Readonly<Record<Speaker, string>> = {
  optimist: "Optimist",
  skeptic: "Skeptic",
  moderator: "Moderator",
  person: "Someone who watches",
};

export interface CheckedTurn {
  readonly turn: string;
  readonly text: string;
}

export function factPrompt(topic: string, turns: readonly CheckedTurn[]): BaseMessage[] {
  return [
    new SystemMessage(
      [
        "Role: fact checker",
        `Topic: ${JSON.stringify(topic)}`,
        "You check what two debaters said. Pick at most two claims of each turn and label each:",
        "plausible (true, or a modest claim), overstated (says more than can be shown), unsourced (needs a source and names none), prediction (about the future), wrong (contradicts what is known).",
        'Answer with a JSON array and nothing else: [{ "turn": "1-optimist", "quote": "...", "label": "overstated", "note": "..." }].',
        "Copy each quote letter by letter from the turn. A note is one short sentence for a reader.",
      ].join("\n"),
    ),
    new HumanMessage(JSON.stringify(turns)),
  ];
}
