// Other ways to say the same: a table of phrases and what they mean, in the words that the intents
// read. A new way is a new row. `$1` is the first part that is kept; quotes are masked.
//
// Invariant: a phrase is matched whole, so that no word of a clause is lost.
//
// (Long because it is a table.)

export interface Phrasing {
  /** A clause that it fits, and that a test reads. */
  readonly example: string;
  readonly says: RegExp;
  readonly means: string;
}

/** What a statement does not begin with: a question or a request. */
export const NOT_A_QUESTION =
  "(?!(?:what|which|who|how|why|where|when|if|that|is|are|do|does|did|can|show|tell|because|after|before|everyone|nobody|add|create|new|insert|write|note|move|put|rename|retitle|remove|delete|clear|set|make|mark|call|build|swap|sort|change|please)\\b)";
const SO = "(?:(?:now|already|all|finally|actually|also|really|very|too|so|just|super|extremely|quite) )*";
const URGENT =
  "(?:urgent|critical|top priority|(?:the )?highest priority|(?:the )?most urgent|high(?:est)?[- ]priority)";
const LEAST = "(?:(?:the )?least (?:urgent|important)|(?:the )?lowest priority|lowest[- ]priority)";
const ENSURE = "(?:please )?(?:ensure|make sure|see to it|be sure|take care)(?: that)?";
const FINISHED = "(?:done|finished|complete|completed|ready|over with)";

export const PHRASINGS: readonly Phrasing[] = [
  row(
    "wipe out Done",
    "(?:wipe|flush|blank)(?: out| clean)? (?!(?:out |off |clean )?(?:the |this |my |our )?(?:whole |entire |complete )?board\\b)(.+)",
    "clear $1",
  ),
  row(
    "make sure that T-3 is moved to Review",
    `${ENSURE} (.+?) (?:is|are|gets?|be|goes?|will be)(?: moved| put| placed)?(?: back)? (?:into|in|to|under) (.+)`,
    "move $1 to $2",
  ),
  row(
    "ensure T-3 gets done",
    `${ENSURE} (.+?) (?:is|are|gets?|be|will be) (?:done|finished|completed)`,
    "mark $1 as done",
  ),
  row(
    "see to it that T-3 is deleted",
    `${ENSURE} (.+?) (?:is|are|gets?|be|will be) (?:deleted|removed|gone)`,
    "remove $1",
  ),
  row("see all urgent cards", "(?:see|view|display) (.+)", "show me $1"),
  row(
    "bump T-3",
    "(?:raise|bump|escalate) (?!(?:an?|another|the (?:priority|prio))\\b)(?!.*\\b(?:to|priority|prio|up|p\\d)\\b)(.+)",
    "raise the priority of $1",
  ),
  row(
    "dark mode to Review",
    `${NOT_A_QUESTION}(?!.*\\b(?:not|don'?t|never)\\b)(?!(?:merge|combine|join|assign|copy|duplicate|split|remind|tell|ask|reopen|archive|close|restore|link|compare|turn|convert|open|undo|revert|prioriti[sz]e|give|get|bring|take|return|pop|stick|slot|send|drag|push|shift|bump|kick|promote|switch|transfer|place|drop|throw|go|back)\\b)((?:the )?(?!i |we |you )\\S.*?) (?:in)?to (backlog|in progress|progress|review|done)`,
    "move $1 to $2",
  ),
  row(
    "T-3 done",
    `(?:the )?([a-z]{1,10}-?\\d+|${NOT_A_QUESTION}.+? (?:card|task|ticket|one)) (?:done|finished|complete)`,
    "mark $1 as done",
  ),
  row(
    "put T-3 first",
    "(?:put|move|place|make|bring) (?!an? )(.+?) (?:come )?(first|last)",
    "move $1 to the $2 position",
  ),
  row("todo: buy milk", "(?:to-?do|task|card|new|note|reminder|remember|new (?:card|task)): (.+)", "add a card: $1"),
  row(
    "edit T-3 title to Find",
    "(?:change|set|edit|update) (?!(?:the )?(?:title|name)\\b)(.+?) (?:title|name) (?:to|into|as) (.+)",
    "rename $1 to $2",
  ),
  row(
    "change T-3 priority to 2",
    "(?:change|update|set|put|lower|raise|increase|bump) (?!(?:the )?(?:priority|prio)\\b)(?!(?:all|every|each|an?)\\b)(.+?) (?:priority|prio) (?:to |at |= ?)(\\d)",
    "set priority of $1 to $2",
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
    "everything in Done can go",
    `${NOT_A_QUESTION}((?:all|everything|every|each|the)\\b.*|[a-z]{1,10}-?\\d+) (?:can|may) (?:go|be (?:binned|dropped|thrown (?:out|away)|trashed|erased))(?: away| now)?`,
    "remove $1",
  ),
  row(
    "wipe it all",
    "(?:throw|chuck|toss|clear|wipe|take) (?:it|this|that|them|everything) all (?:away|out|off)|(?:delete|remove|erase|clear|wipe|bin|scrap|trash) it all",
    "clear the board",
  ),
  row(
    "forget this and build a board for a fair",
    "(?:scrap|forget|wipe|clear|delete|ditch|discard|drop|trash|erase|remove|throw away|bin|dump|lose) (?:about )?(?:this|that|it|everything|it all|all (?:of )?(?:this|it|that)|(?:the|this|my|our) (?:whole |entire |current |old )?board)(?:,| and| then)* (?:make|build|create|start|set up|give me|plan|do) (?:me |us )?(?:a |an )?(?:new |fresh )?board (for|about|on) (.+)",
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
    "put T-3 on top of Done",
    "(?:put|move|place|bring|stick|pop) (.+?) (?:on|at|to|in) (?:the )?(top|bottom|end) of (.+)",
    "move $1 to the $2 of $3",
  ),
  row(
    "get all cards out of Done",
    "(?:move|get|take|bring|pull) (everything|all|all .+?|every .+?) out of (?!the board|here)(.+)",
    "move $1 in $2",
  ),
  row(
    "I want T-3 in Review",
    "(?:i|we)(?:'d| would)? (?:like|want|need|prefer)(?: to (?:see|have))? (?!.*\\bnot\\b)(?!an? |another |some |to )(.+?) (?:to (?:be|go|move) )?(?:moved )?(?:into|in|under|to) (.+)",
    "move $1 to $2",
  ),
  row(
    "T-3 is in Review now",
    `${NOT_A_QUESTION}(.+?) (?:is|are) (?:now|already|finally) in (.+)|${NOT_A_QUESTION}(.+?) (?:is|are) in (.+?) now`,
    "move $1$3 to $2$4",
  ),
  row(
    "done with T-3",
    "(?:all |now )?(?:done|finished) with (.+)|(?:finished|completed) (?!(?:cards?|tasks?|tickets?|items?|ones|stuff|work)\\b)(.+)",
    "mark $1$2 as done",
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
  row("the login card is done", `${NOT_A_QUESTION}(.+?)(?: is| are|'s)(?: now)? ${SO}${FINISHED}`, "mark $1 as done"),
  row(
    "I have finished T-3",
    `(?:i|we)(?:'ve| have)? ${SO}(?:finished|completed|did|closed)(?: with| off)? (.+)`,
    "mark $1 as done",
  ),
  row("I'm done with T-3", `(?:i|we)(?:'m| am|'re| are) ${SO}${FINISHED} with (.+)`, "mark $1 as done"),
  row("finish T-3", "(?:finish|complete|tick off|check off|wrap up)(?: off| up)? (.+)", "mark $1 as done"),
  row(
    "start working on T-3",
    "(?:start|begin|continue)(?: (?:to )?work(?:ing)?)?(?: on| with)? (?!(?:a|an|my|over|again|from)\\b)(.+)",
    "move $1 to In Progress",
  ),
  row(
    "work on T-3",
    "(?:let'?s |i(?:'ll| will) |we(?:'ll| will) )?(?:work on|pick up|tackle)(?: now)? (.+)",
    "move $1 to In Progress",
  ),
  row("get going with T-3", "(?:let'?s )?get (?:going|started|cracking) (?:with|on) (.+)", "move $1 to In Progress"),
  row(
    "I am working on T-3",
    `(?:i|we)(?:'m| am|'re| are) ${SO}(?:working on|doing|starting(?: on| with)?)(?: now)? (.+?)(?: now)?`,
    "move $1 to In Progress",
  ),
  row(
    "T-3 is ready for review",
    `${NOT_A_QUESTION}(.+?) (?:is|are) ${SO}(?:ready for|up for|waiting for) (.+)`,
    "move $1 to $2",
  ),
  row(
    "T-3 should be in Review",
    `${NOT_A_QUESTION}(.+?) (?:should|must|has to|have to|needs? to|can|ought to) (?:be (?:moved (?:back )?)?(?:in|to|into|under)|go (?:back )?(?:in|to|into|under)|move (?:back )?to) (.+)`,
    "move $1 to $2",
  ),
  row(
    "T-3 goes to Done",
    `${NOT_A_QUESTION}(.+?) (?:goes|go|belongs?) (?:back )?(?:to|in|into|under) (.+)`,
    "move $1 to $2",
  ),
  row(
    "T-3 needs to be deleted",
    `${NOT_A_QUESTION}(.+?) (?:should|must|has to|have to|needs? to|can) (?:be (?:deleted|removed|binned|dropped|erased)|go away|disappear)`,
    "remove $1",
  ),
  row(
    "return T-3 back to Backlog",
    "(?:return|send|move|put|bring|take) (.+?) back (?:in|into|to|onto)(?: to)? (.+)",
    "move $1 to $2",
  ),
  row(
    "put everything in Review back in Backlog",
    "(?:put|place|stick|drop|throw) (everything|all|every .+?) (?:in|from) (.+?) (?:in|into|to|under) (.+)",
    "move $1 in $2 to $3",
  ),
  row(
    "make T-3 urgent",
    `(?:make|mark|set|flag|label|treat) (?!(?:an?|another) (?:new )?(?:card|task|ticket|todo|item)\\b)(.+?)(?: as| to)? ${SO}${URGENT}`,
    "set priority of $1 to 1",
  ),
  row(
    "T-3 is urgent",
    `${NOT_A_QUESTION}(.+?) (?:is|are|'s|has become|became) ${SO}${URGENT}(?: now)?`,
    "set priority of $1 to 1",
  ),
  row(
    "make T-3 the lowest priority",
    `(?:make|mark|set|flag) (.+?)(?: as| to)? ${SO}${LEAST}`,
    "set priority of $1 to 4",
  ),
  row(
    "T-3 priority 1",
    "(?!(?:add|create|new|make|move|put|remove|delete|clear|rename|set|give|drop|erase|throw|sort|send|how|what|which|show|list|find|are|is|do)\\b)(.+?) (?:priority|prio|p)(?: of| to| is| =|:)? ?([1-9])",
    "set priority of $1 to $2",
  ),
  row(
    "change T-3's priority to 2",
    "(?:change|update|set|put|lower|raise|increase|decrease|drop|bump) (.+?)'s (?:priority|prio) (?:to |at |= ?)?(\\d+)",
    "set priority of $1 to $2",
  ),
  row("priority 2 for T-3", "(?:priority|prio) (\\d+) (?:for|to|on) (.+)", "set priority of $2 to $1"),
  row(
    "make T-3 the first card of Review",
    "(?:make|put) (.+?) (?:the )?(first|top|last) (?:card |one |place )?(?:of|in|on) (.+)",
    "move $1 to the $2 of $3",
  ),
  row(
    "give T-3 the highest priority",
    `(?:give|assign) (.+?) (?:the )?(?:highest|top|urgent) priority`,
    "set priority of $1 to 1",
  ),
  row(
    "give the highest priority to T-3",
    `(?:give|assign) (?:the )?(?:highest|top|urgent) priority to (.+)`,
    "set priority of $1 to 1",
  ),
  row("bump up T-3", "(?:bump|move) up (.+?)|(?:up|bump) (.+?) in priority", "raise the priority of $1$2"),
  row(
    "T-3 could have a lower priority",
    `${NOT_A_QUESTION}(.+?) (?:should|could|can|needs?|must|may) (?:to )?(?:have |get |be |given )*(?:a |of )?(?:lower|less) (?:priority|prio|urgent)`,
    "lower the priority of $1",
  ),
  row(
    "T-3 needs a higher priority",
    `${NOT_A_QUESTION}(.+?) (?:should|could|can|needs?|must|may) (?:to )?(?:have |get |be |given )*(?:a |of )?(?:higher|more) (?:priority|prio|urgent)`,
    "raise the priority of $1",
  ),
  row(
    "raise T-3's priority",
    "(?:raise|increase|bump(?: up)?|up|escalate) (.+?)'s (?:priority|prio)",
    "raise the priority of $1",
  ),
  row("lower T-3's priority", "(?:lower|reduce|decrease|drop) (.+?)'s (?:priority|prio)", "lower the priority of $1"),
  row(
    "make T-3 more urgent",
    "(?:make|mark) (.+?) (?:a bit |a little )?(?:more urgent|more important|higher priority)",
    "raise the priority of $1",
  ),
  row(
    "make T-3 less urgent",
    "(?:make|mark) (.+?) (?:a bit |a little )?(?:less urgent|less important|lower priority)",
    "lower the priority of $1",
  ),
  row("prioritise T-3", "(?:prioriti[sz]e|escalate) (?!.* (?:to|at|as) p?\\d)(.+)", "raise the priority of $1"),
  row("deprioritise T-3", "(?:de-?prioriti[sz]e|downgrade) (.+)", "lower the priority of $1"),
  row("call the Done column Shipped", "(?:call|name) (?:the )?(.+? (?:column|list|lane)) (.+)", "rename $1 to $2"),
  row(
    "change the title of T-3 to Find",
    "(?:change|set|edit|update) (?:the )?(?:title|name|text) (?:of|for|on) (.+?) (?:to|into|as) (.+)",
    "rename $1 to $2",
  ),
  row(
    "change T-3's title to Find",
    "(?:change|set|edit|update) (.+?)'s (?:title|name|text) (?:to|into|as) (.+)",
    "rename $1 to $2",
  ),
  row(
    "T-3's title should be Find",
    `${NOT_A_QUESTION}(.+?)'s (?:title|name) (?:should|must|needs to|has to) be (.+)`,
    "rename $1 to $2",
  ),
  row("retitle T-3: Find", "(?:rename|retitle) ([a-z]{1,10}-?\\d+): (.+)", "rename $1 to $2"),
  row(
    "T-3 should be called Find",
    `${NOT_A_QUESTION}(.+?) (?:should|must|has to|needs to) be (?:called|named|renamed(?: to)?) (.+)`,
    "rename $1 to $2",
  ),
  row(
    "call T-3 Find",
    "(?:call|name|title|retitle|rename) ([a-z]{1,10}-?\\d+) (?!(?:to|into|as|and|or)\\b)(.+)",
    "rename $1 to $2",
  ),
  row("rename T-3 as Find", "(?:rename|retitle) (?!.*(?::| to | into ))(.+?) as (.+)", "rename $1 to $2"),
  row(
    "get T-3 into Review",
    "(?:get|take|bring|return|relocate|change|switch|kick|promote|bump)\\b (?!me\\b|us\\b)(.+?) (?:back |up |over |straight )*(?:in)?to (?!priority|p?\\d)(.+)",
    "move $1 to $2",
  ),
  row(
    "wipe the whole board",
    "(?:wipe|erase|reset|clear out|clear off|clean out|empty out|nuke|purge|delete|remove|destroy|trash|scrap|drop) (?:out |off |clean )?(?:the |this |my |our )?(?:whole |entire |complete )?board(?: clean| completely)?",
    "clear the board",
  ),
  row(
    "erase T-3",
    "(?:erase|drop(?!.* (?:in|into|on|onto|to) )|scrap|bin|ditch|kill|eliminate|purge|dump|get rid of|throw out|throw away|toss|cut|destroy|nuke|axe|zap|lose|do away with|clear away|chuck out) (.+)",
    "remove $1",
  ),
  row("throw T-3 out", "(?:throw|toss|take|chuck) (.+?) (?:out|away|off)", "remove $1"),
  row(
    "take T-3 off the board",
    "(?:take|get|pull|clear|kick) (.+?) (?:off|from|out of) (?:(?:the|this|my|our) board|here)(.*)",
    "remove $1 $2",
  ),
  row(
    "clear out the Review column",
    "(?:clear|clean|empty|wipe)(?: out| up)? (?:the )?(.+?) (?:column|list|lane)",
    "clear $1",
  ),
  row("a Later column before Done", "(an?|another) (?:new )?(\\S+(?: \\S+)?) (column|lane)(.*)", "add $1 $2 $3 $4"),
  row(
    "add a column Later between Review and Done",
    "((?!.*\\b(?:card|task|ticket|rename|call)\\b).+? (?:column|list|lane)(?: .+?)?) between (?:the )?.+? and (?:the )?(.+)",
    "$1 before $2",
  ),
  row(
    "put the Done column in front of Review",
    "((?!.*\\b(?:card|task|ticket|rename|call)\\b).+? (?:column|list|lane)(?: .+?)?) (?:in front of|to the left of|left of|ahead of) (?:the )?(.+)",
    "$1 before $2",
  ),
  row(
    "put the Done column to the right of Review",
    "((?!.*\\b(?:card|task|ticket|rename|call)\\b).+? (?:column|list|lane)(?: .+?)?) (?:to the right of|right of|behind) (?:the )?(.+)",
    "$1 after $2",
  ),
  row(
    "there should be a column Later",
    "(?:there (?:should|must) be|we need|i need|i want|i'd like|let'?s have|can we have|can i have|could we have|give me|give us|please have) (?:a |another |an )?(?:new |extra )?(column|list|lane) (.+)",
    "add a $1 $2",
  ),
  row(
    "I need a Later column",
    "(?:there (?:should|must) be|we need|i need|i want|i'd like|let'?s have|can we have|can i have|could we have|give me|give us) (a |an |another )(?:new |extra )?(.+? (?:column|list|lane)(?: .+)?)",
    "add $1$2",
  ),
  row(
    "I need a card for the lawyer",
    "(?:there (?:should|must) be|we need|i need|i want|i'd like|let'?s have|can we have|can i have|could we have|give me|give us) (?:a |another |an )?(?:new |extra )?(card|task|ticket|todo|item) (.+)",
    "add a $1 $2",
  ),
  row(
    "write down: buy milk",
    "(?:write down|note(?: down)?|jot down|put down)(?: that)?:? (?!(?:an?|the|another) )(.+)",
    "add a card $1",
  ),
  row("swap T-3 with T-4", "(?:swap|exchange|switch|interchange) (.+?) with (.+)", "swap $1 and $2"),
  row(
    "order Done by priority",
    "(?:sort|order|arrange|rank|organi[sz]e|reorder|re-order) (?:the )?(?:cards (?:of|in|on) )?(.+?) (?:by|on|after) (?:their )?(?:priority|priorities|urgency|importance)",
    "sort $1 by priority",
  ),
  row(
    "that was wrong",
    "(?:no,? )?(?:that|this|it)(?:'s| was| is) (?:all )?(?:wrong|a mistake|an error|not right|incorrect)|(?:my mistake|my bad|oops|whoops|wrong|wrong (?:one|card|column))|(?:i )?didn'?t mean (?:that|it|to)|not that(?: one)?|i changed my mind",
    "was that wrong",
  ),
  row(
    "how many are there in Done",
    "how (?:many|much)(?: cards| tasks| tickets| items| things| stuff)?(?: do (?:we|i) have| have (?:we|i)(?: got)?| are(?: there)?| is(?: there)?)(?: left)? (?:in|on|under) (.+)",
    "how many cards are in $1",
  ),
];

/** The clause in other words; undefined if no row fits. */
export function rephrased(clause: string): string | undefined {
  for (const { says, means } of PHRASINGS) {
    const found = says.exec(clause);
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
