// What people ask of any agent that others work beside: to take back what it did, why it did it,
// what changed meanwhile, and what it can do. A table of it: the board's and the debate's offline
// models read it, and each answers in its own words. A new intent is a new row.

const THIS = "(?:it|that|this|them|those|these|everything|all)";
const YOURS =
  "(?:(?:all |everything |everything that |all that |what |whatever )(?:of it |that )?(?:you|the agent)(?:'ve| have| has)? (?:just )?(?:did|done|changed|moved|made)(?: just now| there)?|(?:all )?(?:of )?(?:your|the|the agent's|that) (?:last |latest |previous |recent )?(?:run|changes?|edits?|steps?|actions?|moves?|requests?|things?|ones?)(?: only| alone)?)";
const WHAT = `(?:all of |all )?(?:${THIS}|${YOURS})`;
const AS_BEFORE =
  "(?: again| now| please)?(?: (?:where|how|as|to (?:how|where|the way|what|its place|their place)|the way)(?: (?:it|they|things|everything) (?:was|were|came from|had been|looked|belongs?))?(?: before)?(?: (?:the|your) (?:last )?run)?)?";
const EVERYTHING_BACK = new RegExp(
  `^(?:(?:no|oops|wrong|hey|ah|oh(?: no)?|nope|wait|stop|sorry|(?:not (?:that|this)|(?:i )?didn'?t mean (?:that|it)|that was (?:wrong|a mistake)|my mistake)(?=[,.!]))[,.!]* )*(?:${[
    `un-?do|revert|roll ?back|ctrl[+ -]?z`,
    `(?:un-?do|revert|reverse|roll back|take back|restore|cancel) ${WHAT}`,
    `(?:take|roll|put|bring|move|get|set|give|turn|change|switch|have) ${WHAT}(?: all)? back${AS_BEFORE}`,
    `put back ${WHAT}`,
    "take back",
    `(?:go|step|take me|take us|bring me|get me|bring us) back${AS_BEFORE}(?: (?:to )?(?:just |right )?before(?: (?:that|this|it|(?:the|your|that|this)(?: last| latest)? (?:run|changes?|requests?|edits?|move)))?)?`,
    `back to (?:just )?(?:before|how it was)(?: (?:the|your|that)(?: last)? (?:run|changes?|requests?))?(?: before)?`,
    `(?:restore|reset|return|revert) (?:it |this |the board |everything )?to (?:how it was|the state)? ?(?:before)?(?: (?:the|your|that)(?: last)? (?:run|changes?|requests?))?`,
    `as it was(?: before)?`,
  ].join("|")})(?: again| please)?$`,
  "i",
);

const HELP =
  /^(?:help(?: me)?|what (?:else )?(?:can|could|should) (?:you|i|one|u)(?: do| ask| say| type)?(?: (?:here|for me|with you|you))?|what do you (?:do|understand|know)|how (?:does this|do you|does it) work|what (?:is|are) (?:this|you)(?: for)?|how (?:can|do) i use (?:this|you)|show me what you can do|i (?:don'?t|do not) (?:understand|get)(?: (?:this|it|you|the board|anything|this board|how (?:this|it) works))?|i(?:'m| am) (?:lost|confused|new here)|(?:commands|instructions|examples))$/i;
const OWN =
  /^(?:(?:what|why) (?:did|have|had) you (?:just |do |done |change |move |remove |add )*(?:do|done|that|this|it|so|change|move|remove|add|there|just now|last|again)*|why(?: (?:that|this|so|not))?|what was (?:that|your last change)|explain (?:that|yourself|what you did)|what (?:just )?happened (?:just now|there))$/i;
/** The debate has no board, and no person says so there. */
export const ON_BOARD = "(?: (?:on|in|to|with|of|for) (?:the|this|my|our)(?: whole)? board)?";
/** When: the log is listed newest first, whatever the time. */
export const LATELY =
  "(?: (?:(?:in|over|during|within|for) the (?:last|past) (?:(?:few|couple of|\\w+) )?(?:minutes?|hours?|days?|weeks?|while)|since (?:this |last |the )?(?:yesterday|morning|noon|lunch|monday|tuesday|wednesday|thursday|friday|weekend|week|beginning|start)|just|lately|recently|today|yesterday|so far|last|since|since then|since that|since (?:i|we) (?:last )?(?:left|looked|opened (?:it|this|(?:the|this|my|our) (?:board|page|tab|app))|came|came back|joined|started|arrived|signed in|logged in|was (?:away|here|gone))(?: last| here)?|while (?:i|we) (?:was|were) (?:away|gone|out|offline|asleep|sleeping|on holiday)|meanwhile|in the meantime|now|just now|here|this (?:morning|week)|before|until now))*";
const CHANGES = new RegExp(
  `^(?:what(?:'s| is| has| have|s| was)?(?: been| just)? (?:changed|happened|been done|been (?:moved|added|removed|edited|going on)|happening|new|different|going on)|what (?:did|have|has) (?:i|we|they|anyone|someone|somebody|others|other people|people|everyone) (?:just )?(?:do|done|changed?|miss(?:ed)?|moved?)|(?:is there )?anything new|(?:show|list|give)(?: me)?(?: all)?(?: the)?(?: recent| latest| last)? (?:changes|edits|history|log)|what(?:'s| is| was| were| are) (?:the )?(?:last|latest|most recent) (?:changes?|edits?|thing(?:s)? (?:that )?changed)|(?:the )?(?:history|log|changes|(?:latest|last|most recent|recent) changes?)|(?:was|did) (?:there )?(?:anything|something) (?:changed?|happen(?:ed)?)|who (?:changed|moved|did|edited|added|removed|made) (?:what|it|that|this|things|the last changes?|changes))${ON_BOARD}${LATELY}$`,
  "i",
);
const SINCE = /\b(?:since (?:then|that)|meanwhile|in the meantime|after that)\b/i;

export type CommonIntentName = "undo" | "help" | "why" | "since" | "changes";

export interface CommonIntent {
  readonly name: CommonIntentName;
  /** Texts that it fits, and that a test reads. */
  readonly examples: readonly string[];
  readonly fits: (text: string) => boolean;
}

export const COMMON_INTENTS: readonly CommonIntent[] = [
  {
    name: "undo",
    examples: ["undo that", "take it back", "undo the last one only", "go back to before the run"],
    fits: (text) => EVERYTHING_BACK.test(text),
  },
  { name: "help", examples: ["help", "what can you do"], fits: (text) => HELP.test(text) },
  { name: "why", examples: ["why did you do that", "what did you just do", "why"], fits: (text) => OWN.test(text) },
  {
    name: "since",
    examples: ["what happened since then", "what changed meanwhile"],
    fits: (text) => CHANGES.test(text) && SINCE.test(text),
  },
  {
    name: "changes",
    examples: ["what changed", "what did I miss", "who changed that"],
    fits: (text) => CHANGES.test(text),
  },
];

/** The intent of a text without its polite words; undefined if it has none of these. */
export const commonIntent = (text: string): CommonIntentName | undefined =>
  COMMON_INTENTS.find(({ fits }) => fits(text))?.name;
