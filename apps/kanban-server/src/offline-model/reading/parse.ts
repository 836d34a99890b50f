// Reads a request as steps. "then" and full stops separate steps; "and" and commas separate intents
// of one step.

import { readClause, readElliptical } from "./clause.ts";
import type { Intent, Step } from "../intent.ts";
import { maskQuotes } from "./quotes.ts";

const STEP_SEPARATOR =
  /\s*(?:[;\n]+|(?<=[^\s\d])[.!?]\s+(?=\S)|(?<=\d)[.!?]\s+(?=[A-Z])|,?\s*\b(?:and\s+)?(?:then|after that|afterwards|finally)\b[,:]?)\s*/;
const NUMBERING = /^\s*(?:\d+[.)]|[-*•])\s+/;
const COURTESY = /^(?:please|thanks(?: a lot)?|thank you(?: very much)?|cheers|ok(?:ay)?)[\s.!]*$/i;
const JOINTS = /\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s+&\s+|\s+plus\s+)(?:also\s+)?/gi;

/** Longer requests are not read: reading takes more than linear time. */
const MAX_LENGTH = 1000;

/** The steps of a request, in order. Unclear text becomes an intent of kind "unknown". */
export function parseRequest(request: string): readonly Step[] {
  if (request.length > MAX_LENGTH) return [[{ kind: "unknown", text: request }]];
  const { text, restore } = maskQuotes(request.replaceAll(/→|\s->\s/g, " to ").replaceAll(/[^\S\n]+/g, " "));
  const steps: Step[] = [];
  let previous: Intent | undefined;
  const sentences = text
    .split(STEP_SEPARATOR)
    .map((line) => line.replace(NUMBERING, "").trim())
    .filter((sentence) => /[\p{L}\p{N}\uE000]/u.test(sentence));
  const requests = sentences.filter((sentence) => !COURTESY.test(sentence));
  for (const sentence of requests.length > 0 ? requests : sentences) {
    const step = readStep(sentence, previous);
    previous = step.at(-1) ?? previous;
    steps.push(step);
  }
  // A greeting before a request needs no answer.
  const withoutGreetings = steps
    .map((step) => step.filter((intent) => !isGreeting(intent)))
    .filter((step) => step.length > 0);
  const read = withoutGreetings.length > 0 ? withoutGreetings : steps;
  // "clear Done, then undo that" is ambiguous.
  const isMixed = read.flat().length > 1 && read.flat().some(({ kind }) => kind === "undo");
  return restore(isMixed ? [[{ kind: "unknown", text: text.trim() }]] : read);
}

const isGreeting = (intent: Intent): boolean => intent.kind === "ask" && intent.about === "help";

/** Cuts at the first joint where both sides are understood, so "T-1 and T-2" stays whole. */
function readStep(sentence: string, previous: Intent | undefined): Step {
  for (const joint of sentence.matchAll(JOINTS)) {
    const left = read(sentence.slice(0, joint.index), previous);
    if (!left) continue;
    const rest = readStep(sentence.slice(joint.index + joint[0].length), left);
    if (rest.every((intent) => intent.kind !== "unknown")) return [left, ...rest];
  }
  return [read(sentence, previous) ?? { kind: "unknown", text: sentence }];
}

const read = (clause: string, previous: Intent | undefined): Intent | undefined =>
  readElliptical(clause, previous) ?? readClause(clause);
