// A hundred requests of people who have only seen the board: short, chatty, misspelt, non-native,
// several wishes at once, and what the board cannot do. Written before the grammar, which was then
// tuned on them: what it makes of requests that nobody has seen, they do not measure.

import {
  ALL,
  BACKLOG,
  DONE,
  IN_PROGRESS,
  REVIEW,
  after,
  ask,
  asks,
  does,
  doesOrProposes,
  proposes,
  says,
  to,
  without,
  type Request,
  type Step,
} from "../outcome.ts";

const ADA_MOVED: Step = { by: "ada", edit: { type: "move", cardId: "T-23", toColumn: "done" } };
const inBacklog = (...titles: readonly string[]) => does({ added: titles.map((title) => ({ title, in: "Backlog" })) });

const short: readonly Request[] = [
  ask("T-1 review", does({ moved: { "T-1": "Review" } }), asks()),
  ask("dark mode -> done", does({ moved: { "T-2": "Done" } })),
  ask("shortcuts done", does({ moved: { "T-3": "Done" } }), asks()),
  ask("pricing p1", does({ ranked: { "T-38": 1 } }), asks()),
  ask("del T-8", does({ removed: ["T-8"] }), asks()),
  ask("new: fix login", inBacklog("fix login")),
  ask("+ buy milk", inBacklog("buy milk"), asks()),
  ask("csv export back to review", does({ moved: { "T-11": "Review" } })),
  ask("T-42, T-1 in progress", does({ moved: to("In Progress", ["T-42", "T-1"]) }), asks()),
  ask("top card to in progress", does({ moved: { "T-42": "In Progress" } }), asks()),
  ask("last card in backlog to done", does({ moved: { "T-38": "Done" } })),
  ask("second card in review to done", does({ moved: { "T-36": "Done" } })),
  ask("backlog size?", says("5")),
  ask("p1s?", says("T-42", "T-15", "T-19"), asks()),
  ask("wip?", says("T-15", "T-27", "T-31")),
];

const cards: readonly Request[] = [
  ask("move the dark mode one to review", does({ moved: { "T-2": "Review" } })),
  ask("the sign up form one goes back to backlog", does({ moved: { "T-36": "Backlog" } })),
  ask("move the last two in backlog to review", does({ moved: to("Review", ["T-3", "T-38"]) })),
  ask("move the first card of in progress to the last column", does({ moved: { "T-15": "Done" } })),
  ask("put the third card of the backlog at the top", does({ moved: { "T-2": "Backlog:0" } })),
  ask("remove the bottom card in Done", does({ removed: ["T-19"] })),
  ask(
    "move everything but T-42 from backlog to review",
    ...doesOrProposes({ moved: to("Review", without(BACKLOG, "T-42")) }),
  ),
  ask("both cards in review are done", does({ moved: to("Done", REVIEW) }), proposes({ moved: to("Done", REVIEW) })),
  ask("all three in progress cards go to review", ...doesOrProposes({ moved: to("Review", IN_PROGRESS) })),
  ask("swap the first two cards in backlog", does({ moved: { "T-42": "Backlog:1", "T-1": "Backlog:0" } }), asks()),
  ask("call T-3 done", does({ moved: { "T-3": "Done" } }), asks()),
  ask("please call T-3 'Shortcuts'", does({ titled: { "T-3": "Shortcuts" } })),
  ask("replace the title of T-11 with 'Export as Excel'", does({ titled: { "T-11": "Export as Excel" } })),
  ask("T-2 new title: Night mode", does({ titled: { "T-2": "Night mode" } }), asks()),
  ask("let's name the pricing card 'Talk to customers'", does({ titled: { "T-38": "Talk to customers" } })),
  ask("make the announcement top prio", does({ ranked: { "T-1": 1 } })),
  ask("everything in review is top priority now", does({ ranked: { "T-23": 1, "T-36": 1 } }), asks()),
  ask("lower the flicker one to 4", does({ ranked: { "T-19": 4 } })),
  ask("T-31 is not that urgent, priority 4", does({ ranked: { "T-31": 4 } }), asks()),
  ask("dark mode has priority 2 not 3", does({ ranked: { "T-2": 2 } }), asks()),
  ask("we don't need the CSV thing", does({ removed: ["T-11"] }), asks("T-11|CSV")),
  ask("get the spreadsheet import out of the way, it's done", does({ moved: { "T-27": "Done" } }), asks()),
  ask("can the offline edits thing be moved one to the right?", does({ moved: { "T-15": "Review" } })),
  ask("move T-42 down one", does({ moved: { "T-42": "Backlog:1" } }), asks()),
  ask("put rate limits under sign-up form", does({ moved: { "T-23": "Review:1" } }), asks()),
];

const adding: readonly Request[] = [
  ask("add crad call the bank", inBacklog("call the bank"), asks()),
  ask("ad a taks: water plants", inBacklog("water plants"), asks()),
  ask("create tikcet Fix the printer", inBacklog("Fix the printer"), asks()),
  ask("jot this down: ring the plumber", inBacklog("ring the plumber"), asks()),
  ask("could you note that we have to renew the domain", inBacklog("renew the domain"), asks()),
  ask("stick a card in review saying Check numbers", does({ added: [{ title: "Check numbers", in: "Review" }] })),
  ask("I need a new task for updating the docs", inBacklog("updating the docs"), asks()),
  ask("add 3 cards: one, two, three", inBacklog("one", "two", "three")),
  ask("new urgent task: server is down", does({ added: [{ title: "server is down", in: "Backlog", priority: 1 }] })),
  ask("put 'order pizza' in done", does({ added: [{ title: "order pizza", in: "Done" }] }), asks()),
  ask('add "Hire a designer" to the last column', does({ added: [{ title: "Hire a designer", in: "Done" }] }), asks()),
  ask("add a card to the top of in progress called Hotfix", does({ added: [{ title: "Hotfix", in: "In Progress" }] })),
  ask(
    "add columns Ideas and Blocked",
    does({ columns: ["Backlog", "In Progress", "Review", "Done", "Ideas", "Blocked"] }),
  ),
  ask(
    "I want one more column named Testing before Done",
    does({ columns: ["Backlog", "In Progress", "Review", "Testing", "Done"] }),
  ),
  ask("call the first column Ideas", does({ columns: ["Ideas", "In Progress", "Review", "Done"] })),
  ask("rename the last column to Shipped", does({ columns: ["Backlog", "In Progress", "Review", "Shipped"] })),
  ask("the second column should be called Doing", does({ columns: ["Backlog", "Doing", "Review", "Done"] })),
];

const typed: readonly Request[] = [
  ask("plese moove t42 too done", does({ moved: { "T-42": "Done" } }), asks()),
  ask("remve the keybord shortcuts", does({ removed: ["T-3"] }), asks("keybord|Keyboard")),
  ask("mvoe evrything in reveiw to don", ...doesOrProposes({ moved: to("Done", REVIEW) }), asks()),
  ask("set prioirty of T-2 to 1", does({ ranked: { "T-2": 1 } })),
  ask("renmae T-8 too Search all", does({ titled: { "T-8": "Search all" } }), asks()),
  ask("i want move T-1 in review", does({ moved: { "T-1": "Review" } })),
  ask("please to delete card number 31", does({ removed: ["T-31"] }), asks()),
  ask("make that T-3 is finish", does({ moved: { "T-3": "Done" } }), asks()),
  ask("how much task in backlog?", says("5")),
  ask("the card of pricing must be in progress", does({ moved: { "T-38": "In Progress" } })),
  ask("it is need to change T-2 for priority 1", does({ ranked: { "T-2": 1 } }), asks()),
  ask("give to me all cards of review", says("T-23", "T-36")),
  ask("wich cards are urgent", says("T-42", "T-15", "T-19")),
];

const several: readonly Request[] = [
  ask(
    "T-1 to review, T-2 to done and remove T-8",
    does({ moved: { "T-1": "Review", "T-2": "Done" }, removed: ["T-8"] }),
  ),
  ask("start the announcement and the pricing card", does({ moved: to("In Progress", ["T-1", "T-38"]) })),
  ask("finish T-15, then make T-27 urgent", does({ moved: { "T-15": "Done" }, ranked: { "T-27": 1 } })),
  ask(
    "hey so T-23 got merged, can you move it to done and also add a card 'Write release notes'?",
    does({ moved: { "T-23": "Done" }, added: [{ title: "Write release notes", in: "Backlog" }] }),
    asks(),
  ),
  ask("clear review and done", proposes({ removed: [...REVIEW, ...DONE] })),
  ask(
    "clear review, move T-1 there, clear done",
    proposes({ removed: [...REVIEW, ...DONE], moved: { "T-1": "Review" } }),
  ),
  ask("delete everything in the first two columns", proposes({ removed: [...BACKLOG, ...IN_PROGRESS] }), asks()),
  ask("remove all cards except those in review", proposes({ removed: without(ALL, ...REVIEW) })),
  ask(
    "add a column Blocked and put T-31 in it",
    does({ columns: ["Backlog", "In Progress", "Review", "Done", "Blocked"], moved: { "T-31": "Blocked" } }),
  ),
  ask("archive the old stuff", asks()),
];

const questions: readonly Request[] = [
  ask("anything important in backlog?", says("T-42")),
  ask("what are we working on", says("T-15", "T-27", "T-31")),
  ask("how many are done so far", says("3")),
  ask("what's the top card in backlog?", says("T-42")),
  ask("what is the last card in review", says("T-36")),
  ask("is there something about pricing", says("T-38")),
  ask("who's working on dark mode?", asks(), says("")),
  ask("what priority is T-19?", says("1")),
  ask("do we have anything with priority 4", says("T-38", "T-11")),
  ask("is anything waiting for review?", says("T-23", "T-36")),
  after([ADA_MOVED], "what has ada been doing", says("T-23")),
  ask("what changed since an hour ago", says("no |nothing"), asks()),
  ask("how long has T-15 been in progress?", says(""), asks()),
];

const beyond: readonly Request[] = [
  ask("invite bob to the board", asks()),
  ask("export this as pdf", asks()),
  ask("T-3 and T-2 are the same, merge them", asks()),
  ask("make it dark", asks()),
  ask("what's the weather like", asks(), says("")),
  after(["Move T-42 to Done", "Move T-1 to Done"], "undo the last two runs", asks(), does({})),
  after(["Move T-42 to Done", "undo that"], "redo that", asks()),
];

export const requests: readonly Request[] = [
  ...short,
  ...cards,
  ...adding,
  ...typed,
  ...several,
  ...questions,
  ...beyond,
];
