// Labels claims by their words: overstated, without a source, about the future, or modest.

import { z } from "zod";
import { sentencesOf } from "./quote.ts";

interface Rule {
  readonly label: "overstated" | "unsourced" | "prediction" | "plausible";
  readonly sign: RegExp;
  readonly note: (sign: string) => string;
}

/** A sentence gets the label of the first rule that matches. More doubtful labels come first. */
const RULES: readonly Rule[] = [
  {
    label: "overstated",
    sign: /\b(?:always|never|everybody|everyone|every year|nobody|no one|nothing ever|certain|guaranteed|impossible|all of them)\b/i,
    note: (sign) => `“${sign}” leaves no exceptions, and none were ruled out.`,
  },
  {
    label: "unsourced",
    sign: /\b(?:\d+ percent|studies show|research shows|experts say|most|usually|seldom)\b|\d+ ?%/i,
    note: (sign) => `“${sign}” needs a source, and none was named.`,
  },
  {
    label: "prediction",
    sign: /\b(?:will|would|going to|in \w+ years|soon)\b/i,
    note: () => "About the future: it can be argued, not checked.",
  },
  {
    label: "plausible",
    sign: /\b(?:often|some|many|can|may|sometimes|few)\b/i,
    note: (sign) => `A modest claim: it says “${sign}”.`,
  },
];

const MAX_PER_TURN = 2;
const Turns = z.array(z.object({ turn: z.string(), text: z.string() }));

export function labelClaims(asked: string): readonly object[] {
  const turns = Turns.safeParse(parse(asked));
  return turns.success
    ? turns.data.flatMap(({ turn, text }) => labelled(text).map((claim) => ({ turn, ...claim })))
    : [];
}

function labelled(text: string) {
  const claims = sentencesOf(text).flatMap((sentence) => {
    // A quotation is checked in its own turn, and a question is not a claim.
    if (/[“”?]/.test(sentence) || /^I\b|^My\b/.test(sentence)) return [];
    const rule = RULES.find(({ sign }) => sign.test(sentence));
    const sign = rule?.sign.exec(sentence)?.[0];
    return rule && sign !== undefined ? [{ quote: sentence, label: rule.label, note: rule.note(sign) }] : [];
  });
  const doubt = ({ label }: (typeof claims)[number]) => RULES.findIndex((rule) => rule.label === label);
  return claims.toSorted((a, b) => doubt(a) - doubt(b)).slice(0, MAX_PER_TURN);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
