// What fifteen more people type who see the board and a chat box, ten messages each; written by
// somebody without sight of the assistant, who knew the sample board and the words of `outcome.ts`.
// When it was first run, 77 were right, 69 were asked back, 3 were wrong, and of one the answer was
// no help. Those four were mended. On the rest the assistant was not tuned, so it still measures
// what is made of requests that nobody has seen.
//
// A question back is among the right outcomes only where the request leaves something open that
// matters. An answer's pattern is as wide as a fair reader would be.
//
// (Long because it is a list.)

import {
  ALL,
  BACKLOG,
  DONE,
  IN_PROGRESS,
  REVIEW,
  after,
  asItWas,
  ask,
  asks,
  columns,
  doesOrProposes,
  moves,
  proposes,
  ranks,
  removes,
  says,
  to,
  without,
  type Change,
  type Outcome,
  type Request,
  type Step,
} from "../outcome.ts";

/** In the mode in which every change waits for a yes. */
const askFirst = (say: string, change: Change): Request => ({ mode: "propose", say, right: [proposes(change)] });

const titles = (cardId: string, title: string): readonly Outcome[] => doesOrProposes({ titled: { [cardId]: title } });

/** One new card; any of the titles is right. */
const adds = (titled: readonly string[], column = "Backlog", priority = 3): readonly Outcome[] =>
  titled.flatMap((title) => doesOrProposes({ added: [{ title, in: column, priority }] }));

/** Several new cards in Backlog. */
const addsEach = (...titled: readonly string[]): readonly Outcome[] =>
  doesOrProposes({ added: titled.map((title) => ({ title, in: "Backlog", priority: 3 })) });

/** Somebody's own edit. */
const moved = (by: string, cardId: string, toColumn: string): Step => ({
  by,
  edit: { type: "move", cardId, toColumn },
});

/** That a request was not understood is no answer to it, whatever words it is told with. */
const UNDERSTOOD =
  "^(?![^]*(n't|n’t|not) (quite |really |fully )?(understand|follow|get what|make sense)|[^]*not sure what)";
const answers = (...texts: readonly string[]): Outcome => says(UNDERSTOOD, ...texts);

/** Any question back. */
const aQuestion = asks("");

/** Some answer, and no change. */
const anAnswer = answers(".");

const hello = answers("\\b(hi|hello|hey|morning|welcome)\\b|help|fine|well");
const welcome = answers("welcome|glad|pleasure|any ?time|happy|no problem|thank|nice|enjoy|good");
const goodbye = answers("bye|see you|welcome|glad|later|soon|tomorrow|night|sleep|any ?time|happy|pleasure|thank");

/** It says that this is beyond it, or what it can do instead. */
const cannot = answers(
  "can(no|'|’)?t|can not|can only|only|unable|not able|not (something|possible)|\\bno\\b|don't|do not",
);

export const requests: readonly Request[] = [
  // A designer.
  ask(
    "hey can you pull the sign up form one back into progress, i spotted a spacing issue",
    ...moves({ "T-36": "In Progress" }),
  ),
  ask("add a card: check colour contrast on the empty states", ...adds(["check colour contrast on the empty states"])),
  after(
    ["add a card: check colour contrast on the empty states"],
    "hm, call it 'Check contrast in light and dark' instead",
    ...adds(["Check contrast in light and dark"]),
  ),
  ask("could the cards in review be purple?", cannot),
  ask("dark mode should sit right at the top of the backlog", ...moves({ "T-2": "Backlog:0" })),
  ask("what hasn't been started yet?", answers("T-42|whole run|\\b5\\b|five")),
  ask("rename Review to Design review", ...columns("Backlog", "In Progress", "Design review", "Done")),
  ask("swap dark mode and the keyboard shortcuts", ...moves({ "T-3": "Backlog:2", "T-2": "Backlog:3" })),
  ask("what's the flicker thing, is that fixed?", answers("Done|fixed|finished")),
  ask("ooh that looks much tidier, ta!", welcome),

  // A QA engineer.
  ask(
    "T-19 flickers again on firefox, reopen it",
    ...moves({ "T-19": "In Progress" }),
    ...moves({ "T-19": "Backlog" }),
    ...moves({ "T-19": "Review" }),
    aQuestion,
  ),
  ask("everything in review passed, ship it to done", ...moves(to("Done", REVIEW))),
  ask("T-11: prio 2 please", ...ranks({ "T-11": 2 })),
  ask(
    "file a bug 'Crash when importing an empty spreadsheet' as P1, straight into in progress",
    ...adds(["Crash when importing an empty spreadsheet"], "In Progress", 1),
  ),
  ask("move T-99 to done", answers("T-99"), asks("T-99")),
  ask("whats in reveiw rn", answers("T-23|rate limits", "T-36|sign-up")),
  ask("how many P1s are not done?", answers("\\b2\\b|two")),
  ask("T-27 and T-31 are basically duplicates, kill T-31", ...removes("T-31")),
  after(["delete T-31"], "wait no, bring T-31 back", ...asItWas),
  after([moved("ben", "T-23", "in-progress")], "who moved T-23 last?", answers("\\bben\\b")),

  // A manager without patience.
  ask("T-15 done.", ...moves({ "T-15": "Done" })),
  ask("whats urgent", answers("T-42|whole run", "T-15|offline")),
  ask("why is csv export still on this board. remove", ...removes("T-11")),
  ask(
    "EVERYTHING in backlog is lowest priority except T-42",
    ...ranks(Object.fromEntries(without(BACKLOG, "T-42").map((id) => [id, 4]))),
  ),
  ask(
    "status",
    answers("\\b13\\b|thirteen"),
    answers("Backlog", "Review"),
    answers("(no|nothing|last|latest)[^]*change"),
  ),
  after(["delete T-3"], "undo", ...asItWas),
  ask(
    "need the launch announcement by friday",
    answers("date|deadline|due|friday|can(no|'|’)?t"),
    ...ranks({ "T-1": 1 }),
    aQuestion,
  ),
  ask("clean up done", ...removes(...DONE), aQuestion),
  ask("pricing interviews are cancelled, drop the card", ...removes("T-38")),
  ask(
    "launch announcement and T-42 into progress now, both top priority",
    ...doesOrProposes({ moved: to("In Progress", ["T-1", "T-42"]), ranked: { "T-1": 1 } }),
  ),

  // A product manager.
  ask(
    "Could you please order the backlog by priority, least urgent first?",
    ...moves({ "T-38": "Backlog:0", "T-2": "Backlog:1", "T-3": "Backlog:2", "T-1": "Backlog:3", "T-42": "Backlog:4" }),
    ...moves({ "T-38": "Backlog:0", "T-3": "Backlog:1", "T-2": "Backlog:2", "T-1": "Backlog:3", "T-42": "Backlog:4" }),
  ),
  ask("Add a column called Released after Done.", ...columns("Backlog", "In Progress", "Review", "Done", "Released")),
  after(
    ["Add a column called Released after Done."],
    "Great. Now move whatever is done over there.",
    ...doesOrProposes({
      columns: ["Backlog", "In Progress", "Review", "Done", "Released"],
      moved: to("Released", DONE),
    }),
  ),
  ask(
    "Create three cards in the backlog: Draft release notes, Record a demo video, Update the pricing page",
    ...addsEach("Draft release notes", "Record a demo video", "Update the pricing page"),
  ),
  ask("How many cards are there in each column?", answers("5|five", "3|three", "2|two")),
  ask(
    "For T-27, change the title to 'Import boards from CSV and Excel' and raise it to priority 1.",
    ...doesOrProposes({ titled: { "T-27": "Import boards from CSV and Excel" }, ranked: { "T-27": 1 } }),
  ),
  after([moved("ada", "T-36", "done")], "What has changed today?", answers("T-36|sign-up")),
  after(
    ["move T-2 to review", "set T-3 to priority 1"],
    "Hmm, on reflection: please revert both of those changes.",
    ...asItWas,
  ),
  ask("Is anything blocked at the moment?", answers("block")),
  ask("Thank you, that will be all for now.", welcome, goodbye),

  // A student.
  ask("yo what can u do", answers("move|add|card")),
  ask("add finish my essay lol", ...adds(["finish my essay", "finish my essay lol"])),
  after(
    ["add a card called finish my essay"],
    "im already on it so put it in progress",
    ...adds(["finish my essay"], "In Progress"),
  ),
  after(["add a card called finish my essay"], "actually nvm get rid of that one", ...asItWas),
  ask("is there smth about keyboards??", answers("T-3\\b|keyboard shortcuts")),
  ask("move the keyboard n dark mode stuff 2 review", ...moves(to("Review", ["T-3", "T-2"]))),
  after(["move T-3 to done"], "hmm no go back", ...asItWas),
  ask("wait are you chatgpt", answers("\\bnot\\b|\\bno\\b|rule|offline|assistant|model|i'm|i am")),
  ask(
    "can i have my own column? like 'maybe never'",
    ...["maybe never", "Maybe never", "Maybe Never"].flatMap((title) =>
      columns("Backlog", "In Progress", "Review", "Done", title),
    ),
    aQuestion,
  ),
  ask("lol ur pretty good at this", welcome),

  // Somebody whose first language is another.
  ask("Please to move the card of offline edits in column Done", ...moves({ "T-15": "Done" })),
  ask("I want make new card with name Translate the help page", ...adds(["Translate the help page"])),
  ask("How much cards we have?", answers("\\b13\\b|thirteen")),
  ask("The card T-38 is not need anymore, please delete", ...removes("T-38")),
  after(["please delete T-38"], "Sorry, I make mistake, give me back the card", ...asItWas),
  ask("Please change name of column In Progress on Doing", ...columns("Backlog", "Doing", "Review", "Done")),
  ask("What means the number on the card?", answers("priorit|urgent")),
  ask("The card with rate limit must be most important", ...ranks({ "T-23": 1 })),
  ask("¿puedes mover T-2 a revisión?", says("English|ingl[eé]s"), ...moves({ "T-2": "Review" })),
  ask("Put all what is in review back to in progress", ...moves(to("In Progress", REVIEW))),

  // Somebody who tests its limits, kindly.
  ask("just wipe all of it, go on :)", proposes({ removed: ALL }), proposes({ removed: ALL, columns: [] }), aQuestion),
  ask("please empty the backlog and done", proposes({ removed: [...BACKLOG, ...DONE] })),
  ask("make me a board for moving house instead", proposes({ another: true }), aQuestion),
  ask(
    "move everything to done except what's in review",
    proposes({ moved: to("Done", [...BACKLOG, ...IN_PROGRESS]) }),
    proposes({ moved: to("Done", [...BACKLOG, ...IN_PROGRESS, ...DONE]) }),
  ),
  ask("what's the weather like in oslo?", cannot, answers("board|card")),
  ask("move T-1 to the moon", answers("moon|column"), asks("moon|column")),
  ask('add a card called "move T-2 to done"', ...adds(["move T-2 to done"])),
  ask("make T-8 priority 7", answers("\\b4\\b|four|priorit"), asks("\\b4\\b|four|priorit")),
  ask("whatever you do, don't move T-15!", anAnswer),
  ask(
    "remove the review column",
    answers("2|two|cards|empty"),
    proposes({ removed: REVIEW, columns: ["Backlog", "In Progress", "Done"] }),
    ...["Backlog", "In Progress", "Done"].flatMap((column) =>
      doesOrProposes({ moved: to(column, REVIEW), columns: ["Backlog", "In Progress", "Done"] }),
    ),
  ),

  // A developer.
  ask("t15 -> review", ...moves({ "T-15": "Review" })),
  ask("mv T-2 T-3 in-progress", ...moves(to("In Progress", ["T-2", "T-3"]))),
  askFirst("rm T-11 and T-8", { removed: ["T-11", "T-8"] }),
  ask("T-27 p1, T-31 p2", ...ranks({ "T-27": 1, "T-31": 2 })),
  after(["move T-8 to backlog"], "rollback", ...asItWas),
  after(["move T-8 to backlog", "undo that"], "redo it after all", ...moves({ "T-8": "Backlog" })),
  ask("todo: bump the node version", ...adds(["bump the node version"])),
  ask("ls done", answers("T-8|search", "T-11|csv", "T-19|flicker")),
  ask("where's T-36 at?", answers("Review")),
  ask("T-31 title => Show who touched a card last", ...titles("T-31", "Show who touched a card last")),

  // Somebody in customer support.
  ask("Good morning! How are you today?", hello),
  ask("A customer keeps asking about spreadsheets, do we have anything on that?", answers("T-27|spreadsheet")),
  after(
    ["do we have anything about spreadsheets?"],
    "Lovely, could you make that one the most urgent?",
    ...ranks({ "T-27": 1 }),
  ),
  ask("Could you email the customer that we're working on it?", cannot),
  ask(
    'please add "Reply to Mrs Okafor about her invoice" to review',
    ...adds(["Reply to Mrs Okafor about her invoice"], "Review"),
  ),
  ask("How long has the sign-up form been in review?", answers("since|ago|minute|second|start|began|T-36|sign-up")),
  after(
    ["move T-2 and T-3 to review"],
    "Oh dear, I only meant the shortcuts. Put dark mode back please",
    ...moves({ "T-3": "Review" }),
    ...moves({ "T-3": "Review", "T-2": "Backlog" }),
  ),
  ask("is the search finished yet?", answers("Done|yes|finished")),
  ask("Which is the most important thing for us to do next?", answers("T-15|offline|T-42|whole run")),
  ask("you're a star, thanks so much x", welcome),

  // A scrum master.
  ask("do we have more than three things in progress?", answers("\\b3\\b|three|\\bno\\b")),
  ask(
    "let's start on dark mode and the shortcuts, rate limits is finished",
    ...moves({ "T-2": "In Progress", "T-3": "In Progress", "T-23": "Done" }),
  ),
  ask(
    "add a Blocked column between in progress and review",
    ...columns("Backlog", "In Progress", "Blocked", "Review", "Done"),
  ),
  after(
    ["add a Blocked column between in progress and review"],
    "and T-27 goes in there",
    ...doesOrProposes({
      columns: ["Backlog", "In Progress", "Blocked", "Review", "Done"],
      moved: { "T-27": "Blocked" },
    }),
  ),
  ask(
    "sprint's over: archive the done cards",
    ...removes(...DONE),
    ...["Archive", "Archived"].flatMap((title) =>
      doesOrProposes({ columns: ["Backlog", "In Progress", "Review", "Done", title], moved: to(title, DONE) }),
    ),
    aQuestion,
  ),
  ask("carry everything that's still in progress back over to the backlog", ...moves(to("Backlog", IN_PROGRESS))),
  ask("sort every column by priority", ...moves({ "T-19": "Done:0", "T-8": "Done:1", "T-11": "Done:2" })),
  askFirst("set all the review cards to prio 1", { ranked: { "T-23": 1, "T-36": 1 } }),
  ask("who's working on T-15?", answers("assign|nobody|no one|person|people|who (last|moved|changed|works|added)")),
  after(
    ["add a column called Blocked", "move T-27 to Blocked"],
    "undo the last one but keep the new column",
    ...columns("Backlog", "In Progress", "Review", "Done", "Blocked"),
  ),

  // Somebody in marketing, in a hurry.
  ask("can u put teh launch anouncement on top of in progres", ...moves({ "T-1": "In Progress:0" })),
  ask(
    "change 'Write the launch announcement' to 'Publish the launch announcement on Tuesday'",
    ...titles("T-1", "Publish the launch announcement on Tuesday"),
  ),
  ask(
    "pls add 3 cards: blog post, newsletter, social media posts",
    ...addsEach("blog post", "newsletter", "social media posts"),
  ),
  after(
    ["add 3 cards: blog post, newsletter, social media posts"],
    "make the first one urgent",
    ...doesOrProposes({
      added: [
        { title: "blog post", in: "Backlog", priority: 1 },
        { title: "newsletter", in: "Backlog" },
        { title: "social media posts", in: "Backlog" },
      ],
    }),
    aQuestion,
  ),
  ask("how do i assign someone to a card", cannot, answers("assign")),
  ask("pricing shoud be higher, like a 2", ...ranks({ "T-38": 2 })),
  ask("remvoe the csv export card plz", ...removes("T-11")),
  after(["remove T-11"], "oops i ment search. bring csv back and remove the search one", ...removes("T-8")),
  ask("what got done so far?", answers("T-8|search|T-11|csv|T-19|flicker|\\b3\\b|three")),
  ask("attach our new logo to T-1", cannot),

  // Somebody older, who writes in whole sentences.
  ask(
    "I would like to have a new card, titled Enlarge the text on small screens, with the highest priority.",
    ...adds(["Enlarge the text on small screens"], "Backlog", 1),
  ),
  ask(
    "Kindly take the card about who changed a card last and place it in the column for review.",
    ...moves({ "T-31": "Review" }),
  ),
  ask("Would you read me the whole board, from left to right?", answers("Backlog", "In Progress", "Review", "Done")),
  ask("What is the last card in the backlog?", answers("T-38|pricing")),
  after(
    ["What is the last card in the backlog?"],
    "Please move that one to the very top.",
    ...moves({ "T-38": "Backlog:0" }),
  ),
  after(
    [moved("ada", "T-8", "review")],
    "I believe I have made an error; what was the last thing that was changed?",
    answers("T-8|search"),
  ),
  after(
    [moved("ada", "T-8", "review"), "what was changed last?"],
    "Then put it back where it was, please.",
    ...asItWas,
    ...moves({ "T-8": "Done" }),
  ),
  ask("Is there a card that concerns searching, and in which column is it?", answers("Done")),
  ask("Kindly remind me tomorrow at nine to write the announcement.", cannot, answers("remind")),
  ask("That was most helpful. Goodbye.", goodbye),

  // A founder, with several wishes at once.
  ask(
    "dark mode shipped! also delete the pricing card and start on the announcement",
    ...doesOrProposes({ moved: { "T-2": "Done", "T-1": "In Progress" }, removed: ["T-38"] }),
  ),
  ask(
    "new card: let visitors try it without signing up. high prio",
    ...[1, 2].flatMap((priority) => adds(["let visitors try it without signing up"], "Backlog", priority)),
  ),
  ask("make sure T-15 is at the top of in progress", answers("already|top|first"), ...asItWas),
  ask("are we done w/ rate limits?", answers("Review|\\bnot\\b|\\bno\\b")),
  after(["are we done with rate limits?"], "ok let's call it done then", ...moves({ "T-23": "Done" })),
  after(["move T-3 to done", "remove T-2"], "put everything back how it was before i got here", ...asItWas, aQuestion),
  ask("rename this board to Rocket", cannot, answers("name|title"), aQuestion),
  ask(
    "make a column for ideas, leftmost, and put the pricing one in there",
    ...["Ideas", "ideas"].flatMap((title) =>
      doesOrProposes({ columns: [title, "Backlog", "In Progress", "Review", "Done"], moved: { "T-38": title } }),
    ),
  ),
  after(["move T-3 to review"], "why did you move T-3?", answers("\\byou\\b|ask|request|wish|want")),
  ask("half of the backlog can go", aQuestion, answers("which|half")),

  // Somebody who likes numbers.
  ask("number of cards per priority?", answers("\\b3\\b|three", "\\b4\\b|four", "\\b2\\b|two")),
  ask("where is the biggest pile of cards", answers("Backlog")),
  ask(
    "what percentage is done",
    answers("\\b23|(3|three)( cards?)? (out )?of|3 ?/ ?13|\\b3\\b.*\\b13\\b|\\b13\\b.*\\b3\\b"),
  ),
  ask(
    "list every card with priority 2",
    answers("T-1\\b|launch", "T-27|spreadsheet", "T-23|rate limits", "T-8\\b|search"),
  ),
  ask("anything in the backlog that's prio 4?", answers("T-38|pricing")),
  after(["which backlog cards have priority 4?"], "ok send that to done", ...moves({ "T-38": "Done" })),
  ask("when was T-8 finished", answers("T-8|search|since|before|when|ago|don't|not")),
  after(
    ["move T-3 to review", moved("ben", "T-36", "done")],
    "did anyone else change something in the meantime?",
    answers("\\bben\\b|T-36|sign-up"),
  ),
  ask("any more cards in review than in done?", answers("2|two|\\bno\\b|fewer|less|3|three")),
  ask("can you export all this to excel", cannot),

  // A parent in the evening.
  ask("hi there :)", hello),
  ask("can you add milk, eggs and bread?", ...addsEach("milk", "eggs", "bread"), ...adds(["milk, eggs and bread"])),
  after(["add milk, eggs and bread"], "sorry that was meant for my shopping list, take them off again", ...asItWas),
  ask("what is the Review column for?", answers("review|check|look")),
  ask("give the sign-up form the same priority as rate limits", ...ranks({ "T-36": 2 })),
  ask(
    "move the bottom two of the backlog to the top",
    ...moves({ "T-3": "Backlog:0", "T-38": "Backlog:1" }),
    ...moves({ "T-38": "Backlog:0", "T-3": "Backlog:1" }),
  ),
  ask("let's call the last column Hooray instead of Done", ...columns("Backlog", "In Progress", "Review", "Hooray")),
  after(["rename Done to Hooray"], "haha ok change it back", ...asItWas),
  after([moved("ben", "T-23", "in-progress")], "was it you who moved T-23 or somebody else?", answers("\\bben\\b")),
  ask("bedtime for me, see you tomorrow", goodbye),
];
