// Requests that have more than one meaning, or that this board cannot fulfil: a table of them, with
// a question and what a person may answer. Each answer is a whole request.
// (Long because it is a table.)

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
/** A reply for each column that the cards may go to. */
export const COLUMN = "{column}";
const NO_SUCH_THING = "A card here has a title, a priority and a column.";
const WHAT_NOW = ["What is on the board?", "What can you do?"];

const MOVING = "(?:move|drag|shift|relocate|transfer|send|push|advance)";
/** What says where to. */
const PLACE_WORDS =
  "\\b(?:to|into|onto|on|under|before|after|above|below|behind|up|down|left|right|top|bottom|front|end|next|out|back|over|ahead|forwards?|column|list|lane|nothing|if|unless)\\b";

const CHOICES: readonly Choice[] = [
  row(
    "move T-3",
    `${MOVING} (?!(?:it|them|this|that|one|something|cards?|some|half|most|any)\\b)((?:(?!${PLACE_WORDS}).)+)`,
    `Where should ${CARD} go?`,
    [`Move ${CARD} to ${COLUMN}`],
  ),
  row(
    "move every card in Review",
    `${MOVING} ((?:everything|all|every|each|the)\\b(?:(?!${PLACE_WORDS}).)* (?:in|from|of) (?:(?!${PLACE_WORDS}).)+)`,
    `Where should ${CARD} go?`,
    [`Move ${CARD} to ${COLUMN}`],
  ),
  row(
    "T-3 should not stay in Done",
    "(?:(?:i|we)(?:'d| would)? (?:like|want|prefer) )?(.+?) (?:to not|not to|should not|shouldn'?t|must not|does not|doesn'?t) (?:be|belong|stay|stand|remain) (?:in|under) (?:.+)|(.+?) (?:is|are) still (?:in|under) (?:.+)",
    `Where should ${CARD} go?`,
    [`Move ${CARD} to ${COLUMN}`],
  ),
  row(
    "tackle T-3 first",
    "(?:do|take|handle|start with|tackle) (.+?) (?:next|first|now)|(?!(?:what|which|who|how|why)\\b)(.+?) (?:should|must|needs to|has to|can) be (?:(?:worked on|done|tackled|handled|taken)(?: next| first| now| soon)|next|first)",
    `Where should ${CARD} go?`,
    [`Move ${CARD} to In Progress`, `Move ${CARD} to the top`, "Leave it"],
  ),
  row(
    "rename T-3",
    "(?:rename|retitle) (?!(?:all|every|each|cards|everything)\\b)((?:(?! (?:to|as|into)\\b|:).)+)|change (?:the )?(?:title|name) of ((?:(?! (?:to|as|into)\\b|:).)+)",
    `What should ${CARD} be called? For example: rename it to 'Night mode'.`,
    [`Where is ${CARD}?`, "Leave it"],
  ),
  row(
    "rename all cards to X",
    "(?:rename|retitle|call|name) (?:all|every|each|both|the cards|cards|everything)\\b.*",
    "I rename one card at a time. Which one, and to what?",
    WHAT_NOW,
  ),
  row(
    "rename",
    "(move|delete|remove|rename|clear|change|edit|erase|mark|update)(?: (?:it|this|that|them|something|a card|a task|cards|one|all of (?:these|those|them)|(?:these|those)(?: cards| ones)?))?",
    "Which card do you mean? Say its title, for example: {1} 'Dark mode'.",
    WHAT_NOW,
  ),
  row("into Review", "(?:in|on)?to (?:the )?(.+)", "Which card should go to {1}?", WHAT_NOW),
  row(
    "change the priority of T-3",
    "(?:change|set|update|adjust) (?:the )?(?:priority|prio) (?:of|for|on) ((?:(?! (?:to|at)\\b|=).)+)|(?:(?:make|mark|set) )?(.+?) (?:is|are|as|to|a|=)+ (?:a )?(?:low|medium|normal|middle|average)(?:[- ]?prio(?:rity)?)?",
    `Which priority should ${CARD} have? 1 is the most urgent, 4 the least.`,
    [`Set priority of ${CARD} to 2`, `Set priority of ${CARD} to 3`, `Set priority of ${CARD} to 4`],
  ),
  row(
    "paint T-3 green",
    "(?:colou?r|paint|highlight|make|mark|turn|dye) (.+?) (?:in )?(?:red|green|blue|yellow|orange|purple|pink|black|white|gr[ae]y|brown)",
    "Cards here have no colours. A card has a title, a priority and a column.",
    [`Make ${CARD} urgent`, `Where is ${CARD}?`],
  ),
  row(
    "break up T-3",
    "(?:split|divide|break(?: up)?)(?: up)? (.+?)(?: (?:in|into|up) .+)?",
    "I cannot split a card. I can add another one with a title of its own.",
    ["Add a card 'The second half'", `Where is ${CARD}?`],
  ),
  row(
    "T-3 depends on T-4",
    "(.+?) (?:depends on|blocks|is blocked by|relates to|is linked to|comes before) (?:.+)|(?:link|connect|relate) (.+?) (?:to|with|and) .+",
    "Cards here are not linked to each other. I can put one before the other.",
    [`Move ${CARD} to the top`, `Where is ${CARD}?`],
  ),
  row(
    "notify me on Monday",
    "(?:please )?(?:remind|notify|alert|ping|message|email|wake) (?:me|us|everyone|the team)(?:(?! to ).)*? (?:tomorrow|later|tonight|today|next .+|in .+|on .+|at .+|when .+|about .+)",
    "I cannot remind anybody: I act only when I am asked. I can add a card.",
    ["Add a card 'Reminder'", "What is left to do?"],
  ),
  row(
    "do that again",
    "re-?do(?: (?:it|that|this|the last .+))?|(?:do|apply) (?:it|that) again|undo (?:the|your|that|my) undo",
    "I cannot redo. Say what I should do again, or take it back under Timeline.",
    ["What changed?", "What did you just do?"],
  ),
  row(
    "take back my last edit",
    "(?:undo|revert|reverse|take back|roll back|cancel) (?:(?:it|that|this) (?:twice|again|\\w+ times)|(?:the|your|my|our) last (?:two|three|four|five|six|few|couple|\\d+)(?: .+)?|(?:everything|all|whatever)(?: that)?(?: (?:you|i|we)(?:'ve| have)?(?: \\w+)?)? .*(?:today|yesterday|ever|this \\w+|so far|since .+)|(?:the|my|our|ada's|\\w+'s) (?:last )?(?:change|edit|move|changes|edits)(?: (?:to|of|on|by|in) .+)?|[a-z]{1,10}-?\\d+)|(?:go|roll|jump|switch|get) back (?:to|by) (?:version|step|state|revision|\\d+|two|three|the (?:start|beginning|first|original)|yesterday|this morning).*|(?:go|take me|take us|bring me|bring us|put (?:it|everything)) back to (?:how|where|the way|what) (?:it|they|things|everything|we) (?:was|were|had been|looked|stood)(?: like)? before (?:all|any|both|everything)\\b.*|(?:restore|revert to|open) (?:version|revision) \\d+",
    "I can take back my last run, and no more. Other changes and earlier versions are under Timeline.",
    ["Undo that", "What changed?", "Leave it"],
  ),
  row(
    "we are opening a shop in May, could you help us",
    "(?:i|we)(?:'m|'re| am| are)(?: going to be)? (\\w+ing .+?)[,.;]? (?:can|could|would|will) you help(?: me| us)?(?: with (?:it|that|this))?",
    "Shall I build a board for {1}? It would take the place of this one, so I would propose it first.",
    ["Build a board for {1}", "Add a card '{1}'", "Leave it"],
  ),
  row(
    "give me another board",
    "(?:(?:create|make|build|start|set up|give me|i want|i need|open)(?: me| us)? )?(?:a|an|another|some|new)?(?: ?(?:new|fresh|blank|empty|clean|better|other|second|whole))* (?:board|kanban)",
    "What should the new board be for? It would take the place of this one, so I would propose it first.",
    ["Build a board for launching a website", "Build a board for a birthday party", "Leave it"],
  ),
  row(
    "write a packing list",
    "(?:make|create|write|start|build)(?: me| us)? (?:a|an|my|our) (?!(?:new|copy)\\b)(\\w+(?: \\w+)?) list",
    "Do you want a column '{1}', or a whole new board for it?",
    ["Add a column {1}", "Build a board for {1}", "Leave it"],
  ),
  row(
    "merge In Progress into Review",
    "merge (?:the )?((?:(?!t-?\\d| and ).)+?)(?: column)? (?:into|with|to) (?:the )?((?:(?!t-?\\d).)+?)(?: column)?",
    "I do not merge columns. Shall I move every card in {1} to {2}?",
    ["Move every card in {1} to {2}", "Leave it"],
  ),
  row(
    "sort Done",
    "(?:sort|order|arrange|reorder|rank) (?:the )?(?!(?:a|an|my|our)\\b)((?:(?! by ).)+?)(?: column)?",
    "I can sort by priority, the most urgent on top. Shall I?",
    ["Sort {1} by priority", "Leave it"],
  ),
  row(
    "who is working on what",
    "(?:who is|who'?s|who are) (?:working on|doing|assigned to|on) (?:what|which .+|the board|it|this)",
    "Cards are not assigned to people here. I can say who changed what.",
    ["What changed?", "What is in In Progress?"],
  ),
  row(
    "what does Bob have on his plate",
    "(?:what|which cards|which tasks|how much)(?: all)? (?:does|do|has|have|is|are) (?!(?:you|i|we|the|this|that|it|everything)\\b)(\\w+) (?:(?:have|got|has) (?:left )?(?:on|in) (?:his|her|their|its) (?:plate|list|desk|agenda)|(?:working|busy) (?:on|with)(?: now| today)?|assigned to|responsible for|(?:have|has) to do)|(?:what(?:'s| is)|which cards are) (?:on (\\w+)'s (?:plate|list|desk|agenda)|assigned to (\\w+)|(\\w+)'s (?:job|cards|tasks))",
    "Cards are not assigned to people here. I can say what they changed.",
    ["What changed?", "What is in In Progress?"],
  ),
  row(
    "turn Done upside down",
    "(?:turn|flip|reverse|invert|shuffle|mix(?: up)?|randomi[sz]e)(?: the order of)?(?: the)? (.+?)(?: column)?(?: (?:upside down|around|over|round|up|order))?(?:, .+ first)?",
    "I cannot turn the order around. I can sort by priority, or move single cards.",
    ["What is on the board?", "What can you do?"],
  ),
  row(
    "move it to Done",
    `(?:move|put|send|drag|shift|push|bring|mark|set|make|rename|call) (?:it|this|that|them|those|these) (?:to|into|in|as|back|over|up|down|on|onto|urgent|done|p[1-4]|first|last)\\b.*|(?:move|put|send|drag|shift|push|bring|delete|remove|mark|set|make) (?:one|some|two|half|most|any|a few|a couple) of (?:them|those|these|it)\\b.*`,
    "Which card do you mean? Say its title.",
    WHAT_NOW,
  ),
  row(
    "make this my packing list instead: tent, stove",
    "(?:make|turn) (?:this|it|that|the board|this board) (?:into |in to )?(?:my|a|an|our|the) (.+?)(?: instead)?: (.+)",
    "Shall I add cards, or build a new board? That would take the place of this one, so I would propose it.",
    ["Add cards: {2}", "Build a board for a {1}", "Leave it"],
  ),
  row(
    "replace all that with three cards: tent, stove",
    "(?:replace|swap|exchange) (?:everything|(?:the|this) (?:whole )?board|what(?:'s| is)(?: here| there| on (?:it|the board|this board))|all (?:of )?(?:this|it|that|the cards)) (?:with|by|for) (?:\\w+ )?(?:new )?(?:cards|tasks)[:,]? (.+)",
    "Shall I clear the board first? I would propose that before anything is removed.",
    ["Clear the board", "Add cards: {1}", "Leave it"],
  ),
  row(
    "start over with the columns Ideas and Live",
    "(?:start|begin)(?: all)? (?:over|again|anew|afresh|fresh) with (?:the )?(?:columns|lists|lanes):? (.+)",
    "Shall I build a new board? It would take the place of this one, so I would propose it first.",
    ["Build a board for a fresh start with the columns {1}", "Add columns {1}", "Leave it"],
  ),
  row(
    "release it",
    "(?:ship|deploy|release|launch|finish|fix|approve|publish|do|send) (?:it|this|that|them)",
    "Which card do you mean, and where should it go?",
    ["Move every card in Review to Done", "What is in Review?", "What is left to do?"],
  ),
  row(
    "move all cards with priority above 3",
    "(.+?) (?:with|of|whose|that have|having) (?:a )?(?:priority|prio) (?:is )?(?:lower|higher|less|more|greater|smaller|better|worse|above|below|over|under|at least|at most)(?: than| or equal to)? (\\d)",
    "Priority 1 is the most urgent and 4 the least. Which priority do you mean?",
    ["{1} with priority 1", "{1} with priority 3", "{1} with priority 4"],
  ),
  row(
    "which cards were not edited",
    "(?:which|what|show(?: me)?|list|how many)(?: the)? (?:cards|tasks|tickets)(?: that)? (?:(?:have|has|are|were)(?: not|n't)?|haven't|aren't|weren't) (?:been )?(?:un)?(?:touched|changed|moved|edited)(?: .*)?",
    "I can say what changed, of the whole board or of one card, and not what did not.",
    ["What changed?", "What is on the board?"],
  ),
  row("reopen T-3", "(?:re-?open|reactivate|resume) (.+)", `Where should ${CARD} go?`, [
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
  row("close T-3", "(?:close|knock off|do away with) (.+)", `What does that mean for ${CARD}?`, [
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
    "(?:add|write|leave|put|set|change|attach)(?: a| an| the| some| this)? (comment|note|description|label|tag|attachment|file|image|checklist|subtask|colou?r|link)s?(?: .*?)? (?:to|on|for|of|in) ([a-z]{1,10}-?\\d+)(?:[: ].*)?|(comment|tag|label|annotate|number)(?: on| with)? ([a-z]{1,10}-?\\d+)(?:[: ].*)?",
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
    "(?:tidy|clean)(?: up)?(?:(?: the| my| our| this)? (?:board|cards|things|place|mess|it|everything))?(?: up)?|(?:sort|straighten|clean) (?:it|this|things|everything) out|organi[sz]e (?:the |my |our )?(?:board|cards|tasks)",
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
    "(?:(?:we|i|someone|somebody|you)(?:'ve| have)? (?:really |still |also )?(?:need(?: really| also)?(?: to)?|must|should(?: really| also)?|(?:have|ought|got)(?: really| also)? to)|(?:please )?remind (?:me|us) to|don'?t forget to|remember to) (?!(?:move|remove|delete|clear|rename|add|create|see|know|build|plan|undo|find)\\b)(.+)",
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
    "(?:add|create|make|new|open)(?: me)?(?: a| an| another| some| the)?(?: new)? (?:card|task|ticket|item|todo)s?(?: (?:to|in|into|on) (?:[^:\\s]+ ?){1,3})?|add|create|new",
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
