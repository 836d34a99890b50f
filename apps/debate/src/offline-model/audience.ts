// What a debater answers to a remark that is no argument: thanks, a greeting, a question about
// itself, or another language.

import { type CommonIntentName, commonIntent } from "@opstate/chat-model/common-intents.ts";
import { answerInEnglish, smallTalk } from "@opstate/chat-model/talk.ts";

const ANSWERS: Readonly<Record<CommonIntentName, string>> = {
  undo: "what was said stays said. A later turn can take it back.",
  help: "say what you think of the topic, and each side answers it in its next turn.",
  why: "my reasons are in my turns, and you may say what is wrong with them.",
  since: "all that was said is above, in its order.",
  changes: "all that was said is above, in its order.",
};

/** "No" and "never do that" are arguments here. */
const NO_ARGUMENT: ReadonlySet<string> = new Set(["thanks", "praise", "greeting", "farewell", "who"]);

/** Undefined for a remark on the topic. */
export function answerToRemark(remark: string): string | undefined {
  const text = remark.trim().replace(/[.!?\s]+$/, "");
  const intent = commonIntent(text);
  if (intent !== undefined) return ANSWERS[intent];
  const talk = smallTalk(text);
  return talk !== undefined && NO_ARGUMENT.has(talk.name) ? talk.answer : answerInEnglish(text);
}
