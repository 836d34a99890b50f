// Verbs in groups of one meaning: what each says of a card, in the words that the intents read. A
// new verb is a new word in its group. These wordings are tried only where a request is not clear
// as it stands, and taken only if they are clear on the board.
//
// Invariant: a wording is matched whole, so that no word of a request is lost.

import { NOT_A_QUESTION } from "./phrasings.ts";

/** A card in words: not something to be made, and no word that only refers. */
const CARD = "(?!(?:an?|another|new|some|me|us|i|we|you|it all|what|which|who|how|when|where|why)\\b)(\\S.*?)";
/** What a set of cards begins with, or ends with. */
const SET =
  "(?:(?:all|every|everything|each|any|both|anything|whatever|cards|tasks|first|last|top|bottom|next|most|the (?:first|last|top|bottom|rest|\\w*st|two|three|\\d+)|\\d+|two|three)\\b|.*\\b(?:cards|tasks|tickets|items|ones|stuff|things)\\b)";
const ONE_CARD = `(?!${SET})${CARD}`;
const PLACE = "(?:the )?(.+?)(?: (?:column|list|lane|pile|bucket|section|state|status|stage))?";
const WHERE = "(?:back|forwards?|ahead|over|up|down|out|along|across|straight|right|directly|on|off|away)";
const SO =
  "(?:(?:now|already|all|finally|actually|also|really|very|just|fully|completely|totally|pretty much|officially|basically|currently|well) )*";
const NOW = "(?: (?:now|already|finally|at last|today|yesterday|just now|this morning))?";

const SENDING =
  "move|put|place|stick|pop|throw|chuck|toss|shove|slide|shift|push|pull|drag|send|bring|get|take|bump|kick|sling|slot|plonk|plop|park|stash|transfer|switch|promote|demote|return|relegate|advance|file|lob|fling|swing|nudge|flip|hand|carry|walk|roll|set|have|want|need|mark|tag|flag|label";
const FINISHING =
  "finish|complete|wrap up|ship|sign off|sign off on|tick off|check off|cross off|knock out|polish off|finali[sz]e|conclude";
const FINISHED =
  "done|finished|completed?|wrapped up|shipped|closed out|ticked off|checked off|crossed off|knocked out|polished off|finali[sz]ed|concluded|merged|deployed|released|delivered|live|ready|signed off|taken care of|dealt with|sorted|sorted out|nailed|in the bag|good to go|over and done with|over|all set|implemented|accomplished";
const DID_FINISH =
  "finished|completed|wrapped up|shipped|closed out|ticked off|checked off|crossed off|knocked out|polished off|finali[sz]ed|concluded|merged|deployed|released|delivered|signed off(?: on)?|taken care of|took care of|dealt with|sorted(?: out)?|nailed|did|done|got done with|implemented|accomplished";
const STARTING =
  "start|begin|kick off|pick up|tackle|jump on|jump onto|dive into|take on|crack on with|get going (?:with|on)|get started (?:with|on)|get cracking (?:with|on)|work on|start on|start with|start work on|start working on|get to work on|commence|activate|launch into";
const STARTED =
  "started|begun|kicked off|picked up|under ?way|in the works|being worked on|being done|in work|ongoing|in motion|active|work in progress|wip";
const DID_START = "started|begun|began|kicked off|picked up|jumped on|started (?:on|with|work on|working on)";
const DOING = "starting|starting on|beginning|kicking off|picking up|tackling|working on|doing|busy with|on";
const REMOVING =
  "erase|drop|scrap|bin|ditch|kill|eliminate|purge|dump|get rid of|throw out|throw away|toss|cut|destroy|axe|zap|lose|do away with|chuck out|chuck|trash|nix|junk|delete|remove";
const URGENT =
  "(?:urgent|critical|top priority|(?:the )?(?:top|highest|number one|#1) priority|(?:the )?most urgent|(?:very )?high(?:est)?[- ]prio(?:rity)?)";
const MUST = "(?:should|must|has to|have to|needs? to|ought to|can)(?: probably| really| now| please)?(?: to)?";
const CARD_NOUN = "(?:action item|entry|sticky|sticky note|story|issue|bug|to-?do(?: item)?|item|task|ticket|card)";

export interface Wording {
  /** A request that it fits, and that a test reads. */
  readonly example: string;
  readonly says: RegExp;
  readonly means: string;
}

/** Wishes, which a request for them may ask: "could you shove T-3 into Review?" */
export const WISHES: readonly Wording[] = [
  row(
    "shove T-3 over into Review",
    `(?:${SENDING}) ${CARD} (?:${WHERE} )*(?:in ?to|onto|to|under) ${PLACE}`,
    "move $1 to $2",
  ),
  row("chuck T-3 in Review", `(?:${SENDING}) ${ONE_CARD} (?:${WHERE} )*(?:in|on|as|at|for) ${PLACE}`, "move $1 to $2"),
  row(
    "get T-3 done",
    `(?:get|have|see|consider|count|declare|mark|make|set) ${CARD} (?:as )?${SO}(?:${FINISHED})`,
    "mark $1 as done",
  ),
  row("ship T-3", `(?:${FINISHING}) ${ONE_CARD}`, "mark $1 as done"),
  row(
    "wrap T-3 up",
    `(?:wrap|tick|check|cross|close|polish|knock|finish) ${ONE_CARD} (?:up|off|out)`,
    "mark $1 as done",
  ),
  row("kick off T-3", `(?:${STARTING}) ${ONE_CARD}${NOW}`, "move $1 to In Progress"),
  row("kick T-3 off", `(?:kick|pick) ${ONE_CARD} (?:off|up)${NOW}`, "move $1 to In Progress"),
  row(
    "bump T-3 up",
    `(?:bump|prioriti[sz]e|escalate|boost|raise|upgrade|increase) ${CARD} (?:up|in (?:priority|importance|urgency))(?: (?:a|one) (?:bit|notch|level|step))?`,
    "raise the priority of $1",
  ),
  row(
    "make T-3 a priority 1",
    `(?:make|set|give|put) (?:to )?${CARD} (?:to |at |as |on )?(?:be |have )?(?:the |a )?(?:priority|prio|p) ?(?:level |of |number )?([1-4])`,
    "set priority of $1 to $2",
  ),
  row(
    "make T-3 to be urgent",
    `(?:make|mark|set|put|flag|treat) ${CARD} (?:to (?:be )?|as |be |with )?${SO}${URGENT}`,
    "set priority of $1 to 1",
  ),
  row(
    "bin T-3 altogether",
    `(?:${REMOVING}) ${ONE_CARD}(?: (?:altogether|entirely|completely|for good|once and for all|from (?:the|our|my|this) (?:board|list)))+`,
    "remove $1",
  ),
  row(
    "make a new card with name Buy bread",
    `(?:make|create|add|open|new|write|have|need|want|put|file|log) (?:(?:me|us) )?(?:an?|one|the|another)? ?(?:new )?(?:card|task|ticket|item|todo) (?:(?:with|by|of|under|having) (?:the |a )?(?:name|title|text)(?: of| is)?:?|which says|saying|that reads|reading|named) (.+)`,
    "add a card called $1",
  ),
  row(
    "have a card that says water the plants",
    `(?:have|need|want|get|see) (?:a|one|another) (?:new )?(?:card|task|ticket) (?:that says|saying|called|named|titled) (.+)`,
    "add a card called $1",
  ),
  row(
    "add an action item in Review: Call Ada",
    `(?:add|create|make|open|new|log|file) (?:a|an|another|one) (?:new )?${CARD_NOUN} (?:in|to|into|under|on) (?:the )?([^:]+?): (.+)`,
    "add a card to $1: $2",
  ),
  row(
    "log an action item: Call Ada",
    `(?:add|create|make|open|new|log|file) (?:a|an|another|one) (?:new )?${CARD_NOUN}: (.+)`,
    "add a card: $1",
  ),
  row(
    "bump T-3 to prio 1",
    `(?:bump|raise|lower|set|change|put|make|mark|move|drop|increase) ${CARD} (?:up |down )?(?:to|at|as|on) (?:a )?(?:priority|prio|p) ?([1-4])`,
    "set priority of $1 to $2",
  ),
  row(
    "change priority for T-3 on 1",
    `(?:set|change|make|put|update|give) (?:the )?(?:priority|prio) (?:of|for|on|from|to) ${CARD} (?:to |on |at |as |in |= ?|: ?)([1-4])`,
    "set priority of $1 to $2",
  ),
  row(
    "make T-3 more high priority",
    `(?:make|give|set) (?:to )?${CARD} (?:a )?(?:bit |little )?(?:more high|higher|more) (?:priority|prio)`,
    "raise the priority of $1",
  ),
  row(
    "make new column with name Testing",
    "(?:make|create|add|new) (?:an? )?(?:new )?(?:column|list|lane) (?:with|by|of|having) (?:the |a )?(?:name|title)(?: of)? (.+)",
    "add a column $1",
  ),
  row(
    "move to Review the card T-3",
    `(?:${SENDING}) (?:in ?to|to|in) (?:the )?(\\S+(?: \\S+)?) (?:the |a )?card (.+)`,
    "move $2 to $1",
  ),
];

/** Statements, which wish that the board says the same; with a question mark they ask. */
export const STATEMENTS: readonly Wording[] = [
  row(
    "T-3 goes into Review",
    `${NOT_A_QUESTION}${CARD} (?:goes|go|belongs?|moves?|comes?) (?:${WHERE} )*(?:in ?to|in|to|under) ${PLACE}`,
    "move $1 to $2",
  ),
  row(
    "T-3 should go to Review",
    `${NOT_A_QUESTION}${CARD} ${MUST} (?:be|go|move|come)(?: moved| put| placed| pushed| sent)? (?:${WHERE} )*(?:in ?to|in|to|under) ${PLACE}`,
    "move $1 to $2",
  ),
  row("T-3 is in Review", `${NOT_A_QUESTION}${ONE_CARD} (?:is|are) ${SO}(?:in|under) ${PLACE}${NOW}`, "move $1 to $2"),
  row(
    "T-3 is ready for review",
    `${NOT_A_QUESTION}${ONE_CARD} (?:is|are)? ?${SO}(?:ready for|up for|waiting for|awaiting) ${PLACE}${NOW}`,
    "move $1 to $2",
  ),
  row("T-3: Review", `${NOT_A_QUESTION}${ONE_CARD}\\s*(?::| -+| =) ${PLACE}`, "move $1 to $2"),
  row(
    "T-3 is shipped",
    `${NOT_A_QUESTION}${ONE_CARD}(?: is| are|'s| was| were| got| has been| have been| has| looks) ${SO}(?:${FINISHED})${NOW}`,
    "mark $1 as done",
  ),
  row("T-3 should be done", `${NOT_A_QUESTION}${CARD} ${MUST} be ${SO}(?:${FINISHED})${NOW}`, "mark $1 as done"),
  row(
    "we've just wrapped up T-3",
    `(?:i|we)(?:'ve| have)? ${SO}(?:${DID_FINISH})(?: with)? ${ONE_CARD}${NOW}`,
    "mark $1 as done",
  ),
  row(
    "just shipped T-3",
    `(?:all |now |just |already )*(?:${DID_FINISH})(?: with)? ${ONE_CARD}${NOW}`,
    "mark $1 as done",
  ),
  row(
    "T-3 is under way",
    `${NOT_A_QUESTION}${ONE_CARD}(?: is| are|'s| was| got| has been| have been| has) ${SO}(?:${STARTED})${NOW}`,
    "move $1 to In Progress",
  ),
  row(
    "we have started T-3",
    `(?:i|we)(?:'ve| have)? ${SO}(?:${DID_START})(?: with| on)? ${ONE_CARD}${NOW}`,
    "move $1 to In Progress",
  ),
  row("I'm tackling T-3", `(?:i|we)(?:'m| am|'re| are) ${SO}(?:${DOING}) ${ONE_CARD}${NOW}`, "move $1 to In Progress"),
  row(
    "T-3 should be priority 1",
    `${NOT_A_QUESTION}${CARD} (?:${MUST} (?:be|have|get)|is|becomes|gets|has|have|are)(?: set to| at| of)? ?(?:a )?(?:priority|prio|p) ?(?:level |of |number )?([1-4])`,
    "set priority of $1 to $2",
  ),
  row(
    "T-3 should be urgent",
    `${NOT_A_QUESTION}${CARD} (?:${MUST} (?:be|become|get)|becomes|gets|is now|just became) ${SO}${URGENT}${NOW}`,
    "set priority of $1 to 1",
  ),
  row(
    "T-3 can be dropped",
    `${NOT_A_QUESTION}${ONE_CARD} (?:should|must|has to|needs to|can|may) (?:be (?:deleted|removed|binned|dropped|erased|scrapped|ditched|thrown (?:out|away)|trashed)|go)`,
    "remove $1",
  ),
  row(
    "I want that T-3 goes to Review",
    `(?:i|we)(?:'d| would)? (?:want|need|like|prefer)(?: that)? ${CARD} (?:goes|to go|to be|go|moves|be|is)(?: moved| put)? (?:in|to|into|under) ${PLACE}`,
    "move $1 to $2",
  ),
  row(
    "I need T-3 at the top of Backlog",
    `(?:i|we)(?:'d| would)? (?:want|need|like|prefer) ${CARD} (?:at|on|in|to) (?:the )?(top|bottom) of (.+)`,
    "move $1 to the $2 of $3",
  ),
  row(
    "T-3 now in Review",
    `${NOT_A_QUESTION}${ONE_CARD} (?:now|already|finally) (?:in|under) ${PLACE}`,
    "move $1 to $2",
  ),
  row(
    "T-3 put in Review",
    `${NOT_A_QUESTION}${ONE_CARD} (?:put|move|set|place) (?:it )?(?:in ?to|in|to|under) ${PLACE}`,
    "move $1 to $2",
  ),
  row("picked up T-3", `(?:just |already )*(?:${DID_START}) ${ONE_CARD}${NOW}`, "move $1 to In Progress"),
  row("T-3 to top priority", `${NOT_A_QUESTION}${ONE_CARD} (?:to|gets|at) ${URGENT}`, "set priority of $1 to 1"),
];

function row(example: string, says: string, means: string): Wording {
  return { example, says: new RegExp(`^(?:${says})$`, "i"), means };
}
