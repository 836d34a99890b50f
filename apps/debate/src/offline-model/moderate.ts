// The moderator's turn: the round's theme, both sides' points, and what is open. After the last
// round a conclusion.

import { angleOf } from "./argue.ts";
import type { Brief } from "./brief.ts";
import { pick, pointOf } from "./quote.ts";

export function moderate(brief: Brief): string {
  const { topic, round, maxRounds, said } = brief;
  const { theme, open } = angleOf(brief);
  const pointBy = (by: string) => pointOf(said.findLast((turn) => turn.by === by)?.text ?? "") ?? "nothing new";
  const [pro, con] = [pointBy("optimist"), pointBy("skeptic")];
  if (round < maxRounds) {
    const next = angleOf({ topic, round: round + 1 }).theme;
    return [
      pick(
        [`This round turned on ${theme}.`, `So far it is a question of ${theme}.`, `Both sides spoke about ${theme}.`],
        topic,
        round,
      ),
      `For: “${pro}”. Against: “${con}”.`,
      `Neither side said ${open}.`,
      pick(
        [`The next round should look at ${next}.`, `Next: ${next}.`, `I would like to hear about ${next} now.`],
        topic,
        round,
      ),
    ].join(" ");
  }
  const rounds = maxRounds === 1 ? "one round" : `${maxRounds} rounds`;
  return [
    `After ${rounds}, the two sides are closer than they sound.`,
    `The strongest point in favour was “${pro}”, and the strongest against “${con}”.`,
    `What stays open is ${open}.`,
    "Someone careful would try it where it can be taken back, agree beforehand on what counts as success, and look again on a fixed date.",
  ].join(" ");
}
