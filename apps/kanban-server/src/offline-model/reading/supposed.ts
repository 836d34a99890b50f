// What is only supposed or asked about, and not wished: "can you delete cards?", "should I drop
// T-3?", "what happens if I clear Done?", "if T-3 is done, move it". The wish in it is offered.

import type { Intent } from "../intent.ts";
import { clauseFor } from "../words/in-words.ts";
import type { Reader } from "./intents.ts";

const DO = "(?:move|delete|remove|add|create|rename|clear|sort|swap|raise|lower|change|edit|undo|prioriti[sz]e|drag)";
const ABLE = new RegExp(
  `^(?:can|could|do|are) you (?:able to |also |even )*(${DO} (?:cards|tasks|columns|titles|priorities|things|stuff|names))(?: too| as well| here)?[?\\s]*$`,
  "i",
);
const WHAT_IF =
  /^(?:so )?(?:and )?(?:what(?:'s| will| would| does)? (?:happens?|changes?|be|become)|what|tell me what happens)(?: then| here)? (?:if|when) (?:i|we|you|someone) (?:would |should |were to )?(.+?)[?\s]*$/i;
const SHOULD =
  /^(?:should|shall|must|may|do) (?:i|we) (?:better |really |rather |also |have to )?(.+?)(?: or not| or keep it)?\?*$/i;
const ADVICE = /^(?:is it (?:ok|okay|safe|fine|a good idea)|would it be (?:ok|okay|safe|wise|better)) to (.+?)\?*$/i;
const WOULD = /^(?:what|which|how many|who|where)\b.*\b(?:would|will|could)\b.*\bif\b/i;
const CONDITION =
  /^(?:if|when|whenever|as soon as|once|in case|unless|provided) (?!you\b|possible\b|it(?:'s| is) (?:ok|possible|no)\b)\S+ .+/i;

/** `read` reads the wish within. */
export function supposed(clause: string, read: Reader): Intent | undefined {
  const text = clause.trim().replace(/[.!\s]+$/, "");
  const able = ABLE.exec(text)?.[1];
  if (able !== undefined)
    return choose(
      `Yes. Say which, for example: ${EXAMPLES[able.split(" ")[0]?.toLowerCase() ?? ""] ?? "move 'Dark mode' to Done"}.`,
    );
  const within = WHAT_IF.exec(text)?.[1];
  const happens = within === undefined ? undefined : wishIn(within, read);
  if (happens !== undefined)
    return choose(`I would ${happens}, and you can take it back afterwards. Shall I?`, [capital(happens), "Leave it"]);
  const advised = (SHOULD.exec(text) ?? ADVICE.exec(text))?.[1];
  const offered = advised === undefined ? undefined : wishIn(advised, read);
  if (offered !== undefined) return choose(`That is up to you. Shall I ${offered}?`, [capital(offered), "Leave it"]);
  if (WOULD.test(text) || within !== undefined)
    return choose("I cannot tell what would be if something changed, only what is.");
  return CONDITION.test(text)
    ? choose("I do not follow an 'if': I can tell what is on the board, and do what you decide then.")
    : undefined;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  delete: "delete 'Dark mode'",
  remove: "remove 'Dark mode'",
  add: "add a card 'Write docs' to Backlog",
  create: "create a card 'Write docs'",
  rename: "rename 'Dark mode' to 'Night mode'",
  clear: "clear Done",
  sort: "sort Done by priority",
};

/** The wish of a clause in words; undefined if it is none, or one that is asked back. */
function wishIn(clause: string, read: Reader): string | undefined {
  // "if you deleted T-3"
  const forms = [clause, clause.replace(/^(\w+)d\b/i, "$1"), clause.replace(/^(\w+)ed\b/i, "$1")];
  const intent = forms.map(read).find((each) => each !== undefined);
  return intent === undefined || intent.kind === "undo" ? undefined : clauseFor(intent);
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const choose = (
  question: string,
  replies: readonly string[] = ["What is on the board?", "What can you do?"],
): Intent => ({
  kind: "choose",
  question,
  replies,
  isSupposed: true,
});
