// Other ways to say the same: a table of phrases and what they mean, in the words that the intents
// read. A new way is a new row. `$1` is the first part that is kept; quotes are masked.
//
// What says the same of cards, columns and priorities by other verbs is in the grammar.
//
// Invariant: a phrase is matched whole, so that no word of a clause is lost.
//
// (Long because it is a table.)

export interface Phrasing {
  /** A clause that it fits, and that a test reads. */
  readonly example: string;
  readonly says: RegExp;
  readonly means: string;
  /** In a question it is no wish: "priority of T-3 is 1?" */
  readonly isTold?: true;
}

/** What a statement does not begin with: a question or a request. */
export const NOT_A_QUESTION =
  "(?!(?:what|which|who|how|why|where|when|if|that|is|are|do|does|did|can|show|tell|list|find|give|count|because|after|before|everyone|nobody|add|create|new|insert|write|note|move|put|rename|retitle|remove|delete|clear|set|make|mark|call|build|swap|sort|change|please)\\b)";

/** A title: a condition and a second wish are none. */
const WITHOUT_HINGE = "(?:(?!\\b(?:and|or|if|unless|but|until|instead|not)\\b|[,;?]).)+";
const IDS = "[a-z]{1,10}-\\d+(?:(?:,| and|, and) [a-z]{1,10}-\\d+)*";

export const PHRASINGS: readonly Phrasing[] = [
  row(
    "wipe out Done",
    "(?:wipe|flush|blank)(?: out| clean)? (?!(?:out |off |clean )?(?:the |this |my |our )?(?:whole |entire |complete )?board\\b)(.+)",
    "clear $1",
  ),
  row(
    "put T-3 first",
    "(?:put|move|place|make|bring) (?!an? )(.+?) (?:come )?(first|last)",
    "move $1 to the $2 position",
  ),
  row(
    "todo: buy milk",
    "(?:to[- ]?do|task|card|new|note|idea|bug|feature|reminder|remember|new (?:card|task)): (.+)",
    "add a card: $1",
  ),
  row("don't let me forget: buy milk", "(?:do not|don'?t) let (?:me|us) forget(?: to|:) (.+)", "add a card: $1"),
  told(
    "in Review there should also be 'Fix the door'",
    "(?:in|under) (.+?) there (?:should|must|has to) (?:also |still )?be (?:a card )?(\uE000\\d+\uE001|'[^']+')",
    "add a card $2 to $1",
  ),
  row("close out Review", "close out (.+)", "close $1"),
  row(
    "do not move T-3, but remove T-4",
    "(?:do not|don'?t|never) .+?,? (?:but|rather) (?:rather |instead )?(?:please )?(.+)",
    "$1",
  ),
  row(
    "keep T-3 and remove everything else in Done",
    "keep (.+?)(?:,| and| but)+ (?:please )?(?:delete|remove|clear|drop|bin|trash|erase|throw out|get rid of) (?:the rest|everything else|all (?:the )?(?:others?|rest)|the others?)(?: (of|in|from) (.+))?",
    "remove everything $2 $3 except $1",
  ),
  row("keep only T-3", "(?:keep|leave) (?:only|just|nothing but) (.+)", "remove everything except $1"),
  row(
    "remove everything but keep T-3",
    "((?:delete|remove|clear|erase|bin) (?:all|every|each|everything)\\b.*?),? but (?:please )?(?:keep|leave|spare) (?!everything)(.+)",
    "$1 except $2",
  ),
  row(
    "move all cards in Review to Done except T-3",
    "((?:move|put|send|shift|bring|push|transfer|set|mark) (?:everything|all|every|each)\\b.*?) (to|into|as) ((?:(?! (?:to|into|as) ).)+?),? (?:except(?: for)?|but(?: not)?|besides|other than|apart from|excluding) (?!(?:keep|leave|please|then|now|also|move|put)\\b)(.+)",
    "$1 except $4 $2 $3",
  ),
  row(
    "wipe it all",
    "(?:throw|chuck|toss|clear|wipe|take) (?:it|this|that|them|everything) all (?:away|out|off)|(?:delete|remove|erase|clear|wipe|bin|scrap|trash) it all",
    "clear the board",
  ),
  row(
    "forget this and build a board for a fair",
    "(?:scrap|forget|wipe|clear|delete|ditch|discard|drop|trash|erase|remove|throw away|throw|chuck|toss|bin|dump|lose) (?:about |away |out )?(?:this|that|it|everything|it all|all (?:of )?(?:this|it|that)|(?:the|this|my|our) (?:whole |entire |current |old )?board)(?: away| out)?(?:,| and| then)* (?:make|build|create|start|set up|give me|plan|do) (?:me |us )?(?:a |an )?(?:new |fresh )?(?:board|one) (for|about|on) (.+)",
    "build a board for $2",
  ),
  row(
    "replace the board with a plan for a fair",
    "(?:replace|swap|exchange|substitute) (?:everything|(?:the|this|my|our) (?:whole |entire |current )?board|this|it all|all(?: of)? (?:it|this)|all (?:the )?cards|what(?:'s| is) (?:here|there|on it)) (?:with|by|for) (?:a |an |another )?(?:(?:new |fresh )?(?:board|plan|one) (?:for|about|of) )?(.+)",
    "build a board for $1",
  ),
  row(
    "turn the board into a fair planner",
    "(?:turn|change|transform|convert|make|rework|remake) (?:this|it|(?:the|this|my|our) (?:whole )?board) (?:in)?to (?:a |an )?(?:(?:board|plan) for )?(.+?)(?: board)?",
    "build a board for $1",
  ),
  row(
    "draft a fair plan",
    "(?:make|create|write|start|set up|draft|build|design|give me|prepare) (?:me |us )?(?:a|an|my|our) (?!(?:new|copy|list|plan|card|task|ticket|column)\\b)(.+? (?:plan|pipeline|roadmap|planner|checklist|schedule))(?: (?:for|of) (.+))?",
    "build a board for $1 $2",
  ),
  row(
    "take T-3 and put it in Review",
    "(?:take|grab|get|pick(?: up)?|find) (.+?) and (?:then )?(?:put|stick|move|pop|place|drop|send|bring|shove|slot|throw|drag|push) (?:it|them|that|those) (?:back |over )?(?:into|in|to|under|onto) (.+)",
    "move $1 to $2",
  ),
  row(
    "get all cards out of Done",
    "(?:move|get|take|bring|pull) (everything|all|all .+?|every .+?) out of (?!the board|here)(.+)",
    "move $1 in $2",
  ),
  row(
    "change every priority to 2",
    "(?:set|change|make|put) (?:all|every|each)(?: of)?(?: the)? priorit(?:y|ies) (?:to|=) ?(\\d)",
    "set priority of all cards to $1",
  ),
  row(
    "change 'A' to 'B'",
    "(?:change|turn|update|correct|fix) (\uE000\\d+\uE001|'[^']+') (?:in)?to (\uE000\\d+\uE001|'[^']+')",
    "rename $1 to $2",
  ),
  row(
    "raise a ticket to call Bob",
    "(?:throw in|chuck in|stick in|pop in|slip in|squeeze in|raise|log|register|set up|write|draft|put in|get me|start) (?:a|an|another) (?:new )?(card|task|ticket|todo|item) (.+)",
    "add a $1 $2",
  ),
  row(
    "put call Bob on my list",
    "(?:put|get|stick|add) (?!(?:an?|another) )(.+?) (?:on|to|onto) (?:the|my|our) (?:board|list|to-?do(?: list)?|todo)",
    "add a card $1",
  ),
  row(
    "put everything in Review back in Backlog",
    "(?:put|place|stick|drop|throw) (everything|all|every .+?) (?:in|from) (.+?) (?:in|into|to|under) (.+)",
    "move $1 in $2 to $3",
  ),
  row(
    "make T-3 the first card of Review",
    "(?:make|put) (.+?) (?:the )?(first|top|last) (?:card |one |place )?(?:of|in|on) (.+)",
    "move $1 to the $2 of $3",
  ),
  row(
    "change T-3's title to Find",
    "(?:change|set|edit|update) (.+?)'s (?:title|name|text) (?:to|into|as) (.+)",
    "rename $1 to $2",
  ),
  row(
    "call T-3 Find",
    "(?:call|name|title|retitle|rename) ([a-z]{1,10}-?\\d+) (?!(?:to|into|as|and|or)\\b)(.+)",
    "rename $1 to $2",
  ),
  row(
    "wipe the whole board",
    "(?:wipe|erase|reset|clear out|clear off|clean out|empty out|nuke|purge|delete|remove|destroy|trash|scrap|drop) (?:out |off |clean )?(?:the |this |my |our )?(?:whole |entire |complete )?board(?: clean| completely)?",
    "clear the board",
  ),
  row(
    "clear out the Review column",
    "(?:clear|clean|empty|wipe)(?: out| up)? (?:the )?(.+?) (?:column|list|lane)",
    "clear $1",
  ),
  row(
    "T-3 out of Done, back to Review",
    "(?!(?:move|get|take|bring|pull)\\b)(.+?) out of (.+?),? (?:and )?(?:back )?(?:in)?to (.+)",
    "move $1 from $2 to $3",
  ),
  row(
    "all of Review to Done apart from T-3",
    "(?:all|everything|the rest) (?:of|in|from) (.+?) (to|into) (.+?),? (?:except(?: for)?|but(?: not)?|apart from|other than) (.+)",
    "move everything in $1 except $4 $2 $3",
  ),
  told(
    "T-3 down to the bottom",
    "([a-z]{1,10}-\\d+)(?: up| down)?(?: all the way)? to the (?:very )?(top|bottom)( of .+)?",
    "move $1 to the $2 $3",
  ),
  told("into Review with T-3", "(?:(?:in|on)to|to) (.+?) with (it|that|them|[a-z]{1,10}-\\d+)", "move $2 to $1"),
  row(
    "can Done be on the far left?",
    "(?:can|could) (?:the )?(.+?)(?: column)? be (?:on|at) the (?:far |very )?(left|right)(?: side| end)?\\??",
    "move the $1 column to the $2",
  ),
  told(
    "T-3 should be called Find",
    `${NOT_A_QUESTION}(.+?) (?:should|must|needs to|has to|ought to) (?:rather |better |just )?be (?:called|named|titled) (?!(?:by|at|on|when|to|first|last|a|again)\\b)(${WITHOUT_HINGE})`,
    "rename $1 to $2",
  ),
  told(
    "T-3 should say 'Find'",
    `${NOT_A_QUESTION}(.+?) (?:should|must|needs to|has to|ought to) (?:rather |better |just )?(?:say|read) (\uE000\\d+\uE001|'[^']+')`,
    "rename $1 to $2",
  ),
  row(
    "make the whole Review p2",
    "(?:make|set|put) (?:the )?(?:whole|entire|complete) (?:of )?(.+?)(?: column)? (?:to )?(?:p|prio |priority )([1-4])",
    "set priority of all cards in $1 to $2",
  ),
  told("prio of T-3 to 1", "(?:prio|priority) (?:of|for) (.+?) (?:to|=) ?([1-4])", "set priority of $1 to $2"),
  row(
    "summarise the board for my boss",
    "(?:summari[sz]e|sum up) (?:the|this|our|my) board (?:for|in) .+",
    "summarise the board",
  ),
  told(
    "T-3 should be bumped to priority 2",
    `${NOT_A_QUESTION}(.+?) (?:should|must|has to|have to|needs? to) be (?:bumped|raised|lowered|set|changed|put|downgraded|upgraded)(?: up| down)? to (?:p|prio |priority )([1-4])`,
    "set priority of $1 to $2",
  ),
  told("high priority: T-3", `(?:high|top)[- ]prio(?:rity)?: (${IDS})`, "set priority of $1 to 1"),
  told("low priority: T-3", `low[- ]prio(?:rity)?: (${IDS})`, "set priority of $1 to 4"),
  told(
    "for Review, a card called 'Test on a phone'",
    `(?:for|in|into) (\\S+(?: \\S+)?), (?:a|another)(?: new)? (?:card|task|ticket) (?:called|named) (${WITHOUT_HINGE})`,
    "add a card $2 to $1",
  ),
  told(
    "into Review goes a new one: 'Fix the door'",
    `(?:in|into|to) (\\S+(?: \\S+)?) (?:goes|comes) (?:a|another)(?: new)? (?:one|card|task|ticket)[,:] (${WITHOUT_HINGE})`,
    "add a card $2 to $1",
  ),
  row(
    "we need a card for the party, prio 1",
    `(?:(?:i|we)(?:'d| would)?(?: also| still)? )?(?:need|want|like) (?:a|another)(?: new)? (?:card|task|ticket) (?:for|called|named) (${WITHOUT_HINGE}), ?(?:with |at )?(?:p|prio |priority )([1-4])`,
    "add a card $1 with priority $2",
  ),
  told(
    "the last card of Review should go first",
    "(the (?:first|second|third|fourth|fifth|middle|last) (?:card|one) (?:of|in) .+?|[a-z]{1,10}-\\d+) (?:should|must|has to) (?:go|be|come|stand) (first|last)",
    "move $1 to the $2 position",
  ),
  row(
    "swapping the columns Backlog and Review round",
    "(?:swap|swapping|switch|switching|exchange|exchanging) (?:the )?columns (.+?) and (.+?)(?: round| around| over)?",
    "swap $1 and $2",
  ),
  row(
    "what's the id of T-3",
    "(?:what(?:'s| is) )?(?:the )?(?:id|number|key) of (?!cards?\\b|tasks?\\b)(.+)",
    "where is $1",
  ),
  row(
    "which cards mention limits",
    "(?:which|what)(?: of the)? (?:cards|tasks|tickets|ones) (?:mention|contain|talk about|deal with|have to do with) (.+)",
    "which cards are about $1",
  ),
  row(
    "what's the next thing I should pick up",
    "(?:what(?:'s| is) )?the next (?:thing|card|task|one) (?:i|we) (?:should|could|can|need to|have to) (?:pick up|do|take|start|tackle|work on)",
    "what should I do next",
  ),
  row("wats in Review", "(?:wats|whats|wots|wat is|wot is) (.+)", "what is $1"),
  row(
    "have T-3 moved to Review",
    "(?:have|get|see) (.+?) (?:moved|put|sent|brought|dragged|shifted|pushed|pulled) (back |over )?(to|into|in|onto) (.+)",
    "move $1 to $4",
  ),
  row(
    "swap both cards in Review",
    "(?:swap|switch|exchange|flip|interchange) (?:the two|both(?: of the)?|the)(?: only)? (?:cards|tasks|tickets|ones) (?:in|of|from) (.+?)(?: around)?",
    "swap the first card in $1 and the last card in $1",
  ),
  row(
    "everything goes back to Backlog",
    "(everything|all(?: of)?(?: the| my| our)? cards|every (?:single )?card)(?: here| now)? (?:goes|go|moves?|belongs?|(?:should|can|must|has to|have to|needs? to) (?:go|move)) (?:back )?(?:to|into|in) (.+)",
    "move $1 to $2",
  ),
  row("swap T-3 with T-4", "(?:swap|exchange|switch|interchange) (.+?) with (.+)", "swap $1 and $2"),
  row(
    "order Done by priority",
    "(?:sort|order|arrange|rank|organi[sz]e|reorder|re-order) (?:the )?(?:cards (?:of|in|on) )?(.+?) (?:by|on|after) (?:their )?(?:priority|priorities|urgency|importance)(?:,? (?:the )?(?:most )?(?:urgent|important|highest|top)(?: (?:ones|cards|priority))?(?: on top| at the top| first))?",
    "sort $1 by priority",
  ),
  row(
    "that was wrong",
    "(?:no,? )?(?:that|this|it)(?:'s| was| is) (?:all )?(?:wrong|a mistake|an error|not right|incorrect)|(?:my mistake|my bad|oops|whoops|wrong|wrong (?:one|card|column))|(?:i )?didn'?t mean (?:that|it|to)|not that(?: one)?|i changed my mind",
    "was that wrong",
  ),
];

/** The clause in other words; undefined if no row fits. */
export function rephrased(clause: string, isQuestion = false): string | undefined {
  for (const { says, means, isTold = false } of PHRASINGS) {
    const found = isTold && isQuestion ? null : says.exec(clause);
    if (found) {
      const said = means
        .replace(/\$(\d)/g, (_, n: string) => (found[Number(n)] ?? "").trim())
        .replaceAll(/\s+/g, " ")
        .trim();
      if (said !== clause) return said;
    }
  }
  return undefined;
}

function row(example: string, says: string, means: string): Phrasing {
  return { example, says: new RegExp(`^(?:${says})$`, "i"), means };
}

function told(example: string, says: string, means: string): Phrasing {
  return { ...row(example, says, means), isTold: true };
}
