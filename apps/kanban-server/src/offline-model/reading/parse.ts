// A request read as steps: "then" and full stops put steps one after the other, "and" and commas put intents into one step.

import { readClause, readElliptical } from "./clause.ts";
import type { Intent, Step } from "../intent.ts";
import { maskQuotes } from "./quotes.ts";

const between =
  /\s*(?:[;\n]+|(?<=[^\s\d])[.!?]\s+(?=\S)|(?<=\d)[.!?]\s+(?=[A-Z])|,?\s*\b(?:and\s+)?(?:then|after that|afterwards|finally)\b[,:]?)\s*/;
const numbering = /^\s*(?:\d+[.)]|[-*•])\s+/;
const joints = /\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s+&\s+|\s+plus\s+)(?:also\s+)?/gi;

/** Longer ones are for a language model; reading takes more than linear time. */
const longest = 1000;

/** The steps of a request, in order. What is not understood is kept as an intent of kind "unknown". */
export function parseRequest(request: string): readonly Step[] {
  if (request.length > longest) return [[{ kind: "unknown", text: request }]];
  const { text, restore } = maskQuotes(request.replaceAll(/→|\s->\s/g, " to ").replaceAll(/[^\S\n]+/g, " "));
  const steps: Step[] = [];
  let previous: Intent | undefined;
  for (const line of text.split(between)) {
    const sentence = line.replace(numbering, "").trim();
    if (!/[\p{L}\p{N}\uE000]/u.test(sentence)) continue;
    const step = readStep(sentence, previous);
    previous = step.at(-1) ?? previous;
    steps.push(step);
  }
  return restore(steps);
}

/** Cuts at the first joint where both sides make sense by themselves; so "T-1 and T-2" stays whole. */
function readStep(sentence: string, previous: Intent | undefined): Step {
  for (const joint of sentence.matchAll(joints)) {
    const left = read(sentence.slice(0, joint.index), previous);
    if (!left) continue;
    const rest = readStep(sentence.slice(joint.index + joint[0].length), left);
    if (rest.every((intent) => intent.kind !== "unknown")) return [left, ...rest];
  }
  return [read(sentence, previous) ?? { kind: "unknown", text: sentence }];
}

const read = (clause: string, previous: Intent | undefined): Intent | undefined => readElliptical(clause, previous) ?? readClause(clause);
