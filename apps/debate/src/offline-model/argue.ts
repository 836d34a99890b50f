// A turn of the optimist or the skeptic: an answer to the other side, a point with its reason, and
// a closing line.

import type { Angle } from "./angles.ts";
import { ANGLES } from "./angles.ts";
import type { Brief, Said } from "./brief.ts";
import { answerToRemark } from "./audience.ts";
import { hash, pick, pointOf } from "./quote.ts";
import { subjectOf } from "./subject.ts";

type Side = "optimist" | "skeptic";
type Lines = readonly [string, ...string[]];

/** The angle of a round. Each round has another one, and each topic another order. */
export function angleOf({ topic, round }: Pick<Brief, "topic" | "round">): Angle {
  const { name } = subjectOf(topic);
  const [first = () => ({}) as Angle] = ANGLES;
  return (ANGLES[(hash(topic) + 3 * round) % ANGLES.length] ?? first)(name);
}

export function argue(brief: Brief, side: Side): string {
  const { topic, round } = brief;
  const angle = angleOf(brief);
  const [point, why] = side === "optimist" ? [angle.pro, angle.proWhy] : [angle.con, angle.conWhy];
  const line = (lines: Lines) => pick(lines, topic + side, round);
  return [...answerToAudience(brief, side, line), opening(brief, side, line), point, why, line(CLOSINGS[side])].join(
    " ",
  );
}

function opening({ said, round, topic }: Brief, side: Side, line: (lines: Lines) => string): string {
  const { claim, denial } = subjectOf(topic);
  const theirs = said.findLast(({ by }) => by === (side === "optimist" ? "skeptic" : "optimist"));
  const point = theirs && pointOf(theirs.text);
  if (round === 1 && side === "optimist") return `My case is short: ${claim}.`;
  const position = round === 1 ? ` My answer: ${denial}.` : "";
  return point === undefined ? position.trim() : line(ANSWERS[side]).replace("{point}", () => point) + position;
}

/** Both debaters first answer a person's remark. */
function answerToAudience({ said }: Brief, side: Side, line: (lines: Lines) => string): string[] {
  const own = said.findLastIndex(({ by }) => by === side);
  const word = said.slice(own + 1).findLast((turn: Said) => turn.by === "person");
  if (!word) return [];
  const text = word.text.length > 120 ? `${word.text.slice(0, 120)} …` : word.text.replace(/[.!]+$/, "");
  const answer = answerToRemark(word.text) ?? line(AUDIENCE_ANSWERS[side]);
  return [`To the comment from the audience, “${text}”: ${answer}`];
}

const ANSWERS: Readonly<Record<Side, Lines>> = {
  optimist: [
    "The skeptic says: “{point}”. That is a reason to go carefully, not a reason to stay.",
    "“{point}”, I was told. Take it seriously, then ask whether doing nothing is any safer.",
    "“{point}” is a fair worry, and it has an answer.",
    "When the skeptic says “{point}”, the present is let off without a question.",
  ],
  skeptic: [
    "“{point}” is easily said from a distance.",
    "The optimist offers this: “{point}”. I would like to see it before I pay for it.",
    "“{point}” holds on a good day, and plans are made for the other days.",
    "Grant that “{point}”. It still does not follow that it is worth it.",
  ],
};

const CLOSINGS: Readonly<Record<Side, Lines>> = {
  optimist: [
    "What would the skeptic need to see to say yes?",
    "I grant that the first months can be rough.",
    "Name a date and a measure, and I will accept the result.",
    "The question is how, and no longer whether.",
  ],
  skeptic: [
    "Which number would make the optimist stop?",
    "I do not say never; I say not like this.",
    "Show me the part of the plan that deals with this.",
    "I would change my mind for a plan with a way out.",
  ],
};

const AUDIENCE_ANSWERS: Readonly<Record<Side, Lines>> = {
  optimist: [
    "that is where it can help first.",
    "it belongs in the plan from the first day.",
    "it is a good test, and I think we can pass it.",
  ],
  skeptic: [
    "that is exactly what the plan leaves out.",
    "I have heard no answer to it in this room.",
    "it should be settled before anything is promised.",
  ],
};
