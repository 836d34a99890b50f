// Requests that have more than one meaning, or that this board cannot fulfil: a table of them, with
// a question and what a person may answer. Each answer is a whole request.

import type { Intent } from "../intent.ts";
import { NOT_A_QUESTION } from "./phrasings.ts";

interface Choice {
  readonly example: string;
  readonly says: RegExp;
  /** `{1}` is the first part of the text as it stands, `{card}` the card or cards that it means. */
  readonly question: string;
  readonly replies: readonly string[];
}

const CARD = "{card}";
const NO_SUCH_THING = "A card here has a title, a priority and a column.";
const WHAT_NOW = ["What is on the board?", "What can you do?"];

const CHOICES: readonly Choice[] = [
  row("reopen T-3", "(?:re-?open|reactivate|resume)(?: the)? (.+)", `Where should ${CARD} go?`, [
    `Move ${CARD} to In Progress`,
    `Move ${CARD} to Backlog`,
  ]),
  row(
    "we don't need T-3 any more",
    "(?:we|i)(?:'ll| will)? (?:don'?t|do not|no longer|won'?t) (?:need|want)(?: to have)? (.+?)(?: any ?more| any longer)?|(.+?) (?:is|are) (?:no longer (?:needed|relevant|necessary)|obsolete|not needed(?: any ?more)?|irrelevant|cancel+ed)|cancel (.+)",
    `Shall I remove ${CARD}?`,
    [`Remove ${CARD}`, `Move ${CARD} to Done`, "Leave it"],
  ),
  row(
    "T-3 isn't urgent any more",
    "(.+?) (?:isn'?t|is not|aren'?t|are not|is no longer|are no longer) (?:so |that |very |really )?(?:urgent|important|critical)(?: any ?more| any longer| now)?",
    `Which priority should ${CARD} have?`,
    [`Set priority of ${CARD} to 2`, `Set priority of ${CARD} to 3`, `Set priority of ${CARD} to 4`],
  ),
  row(
    "T-3 is not done",
    "(.+?) (?:isn'?t|is not|aren'?t|are not|is not yet|was never) (?:yet )?(?:done|finished|complete|ready)(?: yet| after all)?",
    `Where should ${CARD} go?`,
    [`Move ${CARD} to In Progress`, `Move ${CARD} to Backlog`],
  ),
  row("archive T-3", "(?:archive|hide|store) (.+)", `This board has no archive. Shall I remove ${CARD}?`, [
    `Remove ${CARD}`,
    "Leave it",
  ]),
  row("close T-3", "close (.+)", `What does closing mean for ${CARD}?`, [
    `Move ${CARD} to Done`,
    `Remove ${CARD}`,
    "Leave it",
  ]),
  row(
    "assign T-3 to Bob",
    "(?:assign|allocate|delegate|hand(?: over)?|give) (.+?) to (?!in progress|review|done|backlog)(\\w+)|(?:who is|who'?s) (?:assigned to|working on|responsible for) (.+)",
    `Cards cannot be assigned to people on this board. ${NO_SUCH_THING}`,
    [`Where is ${CARD}?`, ...WHAT_NOW],
  ),
  row(
    "set a due date for T-3",
    "(?:set|add|change|give|put)(?: me)? (?:a |the |an )?(?:due date|deadline|date|reminder|estimate|time)(?: (?:of|for|to|on) (.+?))?(?: (?:to|on|by|until) .+)?|(.+?) is due .+|when is (.+?) due",
    `There are no dates on this board. ${NO_SUCH_THING}`,
    [`Make ${CARD} urgent`, `Where is ${CARD}?`],
  ),
  row(
    "add a comment to T-3",
    "(?:add|write|leave|put|set|change|attach)(?: a| an| the| some| this)? (comment|note|description|label|tag|attachment|file|image|checklist|subtask|colou?r|link)s?(?: .*?)? (?:to|on|for|of|in) ([a-z]{1,10}-?\\d+)(?:[: ].*)?|(?:comment|tag|label|describe|colou?r) (?:on |with )?([a-z]{1,10}-?\\d+)(?:[: ].*)?",
    `A card here has no {1}: it has a title, a priority and a column.`,
    ["Where is {2}?", "Make {2} urgent"],
  ),
  row(
    "start over",
    "(?:(?:let'?s |i want to |can we )?(?:start|begin)(?: all)? (?:over|again|anew|afresh|from scratch)|reset|restart|new start)(?: again| please)?",
    "Do you want to take back what I did last, or to clear the board?",
    ["Undo that", "Clear the board", "Leave it"],
  ),
  row(
    "close the sprint",
    "(?:close|end|finish|start|begin|open|plan|complete) (?:the|this|our|a|a new|the new|the next) (?:sprint|iteration|milestone|release|project|week)",
    "This board has no sprints. What shall I do with the cards?",
    ["Clear Done", "Move every card in Review to Done", "What is left to do?"],
  ),
  row(
    "tidy up the board",
    "(?:tidy|clean)(?: up)?(?: the| my| our| this)? (?:board|cards|things)(?: up)?|organi[sz]e (?:the |my |our )?(?:board|cards|tasks)",
    "How shall I tidy up?",
    ["Sort Backlog by priority", "Clear Done", "What is left to do?"],
  ),
  row(
    "rename the board to Roadmap",
    "(?:rename|call|name|retitle) (?:the|this|my|our) board(?: (?:to|as|into))? (.+)",
    "A board has no name of its own here. Its columns and cards have.",
    ["Rename Backlog to {1}", "Add a column {1}"],
  ),
  row(
    "we need to call the lawyer",
    "(?:(?:we|i|someone|somebody|you)(?:'ve| have)? (?:really |still |also )?(?:need|have|ought|must|should|got)(?: to)?|(?:please )?remind (?:me|us) to|don'?t forget to|remember to) (?!(?:move|remove|delete|clear|rename|add|create|see|know|build|plan|undo|find)\\b)(.+)",
    "Shall I add a card '{1}'?",
    ["Add a card '{1}'", "Add a card '{1}' with priority 1"],
  ),
  row(
    "delete duplicates",
    "(?:delete|remove|find|show|merge|are there|any|clean up)(?: me)?(?: the| all| any)? duplicates?(?: cards| tasks)?|merge (?:.+) (?:and|with|into) (?:.+)",
    "I do not merge cards or compare their titles. Tell me which card to remove.",
    WHAT_NOW,
  ),
  row("was that wrong", "was that wrong", "Shall I take back what I did last?", [
    "Undo that",
    "What did you just do?",
    "Leave it",
  ]),
  row(
    "add T-3 to Done",
    "(?:add|insert|create) ((?:card )?t-\\d+|everything|all (?:of )?(?:them|it)|all cards) (?:to|in|into|onto) (.+)",
    `Shall I move ${CARD} there?`,
    [`Move ${CARD} to {2}`, "Leave it"],
  ),
  row(
    "restore T-3",
    "(?:restore|recover|un-?delete|bring back) (.+?)(?: back)?",
    "I can take back my last run as a whole. Shall I?",
    ["Undo that", "What changed?"],
  ),
  row(
    "duplicate T-3",
    "(?:duplicate|copy|clone|(?:add|make|create) a copy of) (.+?)(?: (?:to|in|into) .+)?",
    "I cannot copy cards. I can add one with a title.",
    WHAT_NOW,
  ),
  row(
    "block T-3",
    "(?:block|pause|hold|park|snooze|postpone|delay|defer) (.+?)(?: (?:until|for|to) .+)?",
    `Where should ${CARD} go?`,
    [`Move ${CARD} to Backlog`, `Lower the priority of ${CARD}`, "Leave it"],
  ),
  row(
    "add a card",
    "(?:add|create|make|new|open)(?: me)?(?: a| an| another| some| the)?(?: new)? (?:card|task|ticket|item|todo)s?(?: (?:to|in|into|on) (?:[^:\\s]+ ?){1,3})?",
    "What should the new card say? For example: add a card 'Write docs' to Backlog.",
    ["Add a card 'Write docs'", "Add a card 'Ask for feedback' to Backlog"],
  ),
  row(
    "add a column",
    "(?:add|create|make|new)(?: me)?(?: a| an| another| the)?(?: new)? (?:column|list|lane)",
    "What should the new column be called?",
    ["Add a column Blocked", "Add a column Later"],
  ),
];

/** The question that a clause calls for. */
export function choose(clause: string): Intent | undefined {
  for (const { says, question, replies } of CHOICES) {
    const found = says.exec(clause);
    if (!found) continue;
    const parts = found.slice(1).filter((part) => part !== undefined);
    const fill = (text: string) => text.replaceAll(/\{(\d)\}/g, (_, n: string) => parts[Number(n) - 1] ?? "");
    const [phrase] = parts;
    return {
      kind: "choose",
      question: fill(question),
      replies: replies.map(fill),
      ...(phrase !== undefined && [question, ...replies].some((text) => text.includes(CARD)) ? { phrase } : {}),
    };
  }
  return undefined;
}

/** One clause of each row. */
export const choiceExamples: readonly string[] = CHOICES.map(({ example }) => example);

function row(example: string, says: string, question: string, replies: readonly string[]): Choice {
  // What begins a statement is no verb: "remove all cards that are not done" is a request.
  const statements = says.replaceAll(
    /(^|\|)(?=\(\.\+\?\) (?:\(\?:)?is)/g,
    (_, start: string) => start + NOT_A_QUESTION,
  );
  return { example, says: new RegExp(`^(?:${statements})$`, "i"), question, replies };
}
