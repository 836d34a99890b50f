// A hundred and fifty requests, with what is right for each, of somebody who had seen the board and
// none of the code: acts, follow-ups, harm, what must be asked about, questions, other languages,
// thanks. When it was first run, 75 were right, 9 asked back what helps, 65 were no help, and one
// led to a wrong action; the model was then tuned on it, so it does not measure what the model
// makes of requests that nobody has seen.
//
// (Long because it is a list.)

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
} from "../outcome.ts";

const moved = (column: string, ...ids: readonly string[]) => does({ moved: to(column, ids) });
const added = (title: string, column = "Backlog", priority = 3) => does({ added: [{ title, in: column, priority }] });

/** A question about what was said, and not that it was not understood. */
const helps = (...texts: readonly string[]) =>
  asks("^(?!I did not understand|There is no column '(?!testing))", ...texts);

const acts: readonly Request[] = [
  ask("shove the dark mode thing into review", moved("Review", "T-2")),
  ask("pls bin the csv export card", does({ removed: ["T-11"] })),
  ask("could you maybe pull the launch announcement forward into in progress? thanks!!", moved("In Progress", "T-1")),
  ask("the first one in review is finished", moved("Done", "T-23")),
  ask("park the spreadsheet import for now", moved("Backlog", "T-27"), helps("where")),
  ask("move the two at the bottom of the backlog to in progress", moved("In Progress", "T-3", "T-38")),
  ask(
    "everything in progress except the offline one can go to review",
    ...doesOrProposes({ moved: to("Review", ["T-27", "T-31"]) }),
  ),
  ask("add a card fix login bug", added("fix login bug")),
  ask("new card: call the printers, in progress, urgent", added("call the printers", "In Progress", 1)),
  ask(
    "renmae dark mode for the settings page to dark mode everywhere",
    does({ titled: { "T-2": "dark mode everywhere" } }),
    helps("dark mode everywhere"),
  ),
  ask("call the sign up card 'One-page sign-up' instead", does({ titled: { "T-36": "One-page sign-up" } })),
  ask("make rate limits urgent", does({ ranked: { "T-23": 1 } })),
  ask("the pricing one matters more than that, make it a 2", does({ ranked: { "T-38": 2 } })),
  ask("the flicker bug is back, pls reopen it", moved("Backlog", "T-19"), moved("In Progress", "T-19"), helps("where")),
  ask("dont delete anything, just move csv back to the backlog", moved("Backlog", "T-11")),
  ask("move keyboard shorcuts and dark mode to in progres", moved("In Progress", "T-3", "T-2"), helps("progres")),
  ask("get rid of the last card in done", does({ removed: ["T-19"] })),
  ask("put show who changed a card last at the very top of in progress", does({ moved: { "T-31": "In Progress:0" } })),
  ask("move rate limits one column to the left", moved("In Progress", "T-23")),
  ask("send the sign-up form back to in progress, it needs more work", moved("In Progress", "T-36")),
  ask("we started on the shortcuts today", moved("In Progress", "T-3"), helps("T-3")),
  ask("search over all boards doesnt really work yet, back into review with it", moved("Review", "T-8")),
  ask("empty the done column please", ...doesOrProposes({ removed: DONE })),
  ask("drop the lowest priority card in the backlog", does({ removed: ["T-38"] }), helps("T-38")),
  ask("both of the review cards are ok, ship them", ...doesOrProposes({ moved: to("Done", REVIEW) }), helps("done")),
  ask(
    "i need two cards, write tests and write changelog",
    does({
      added: [
        { title: "write tests", in: "Backlog" },
        { title: "write changelog", in: "Backlog" },
      ],
    }),
  ),
  // The new card is not among those whose order is judged: where it stands is in a test of its own.
  ask("add 'Translate to German' right under the announcement", added("Translate to German")),
  ask("everything thats in review should be priority 1", does({ ranked: { "T-23": 1, "T-36": 1 } })),
  ask("take dark mode to the top of the backlog", does({ moved: { "T-2": "Backlog:0" } })),
  ask("bump dark mode and the shortcuts up one priority", does({ ranked: { "T-2": 2, "T-3": 2 } })),
  ask("the announcement is out", moved("Done", "T-1"), helps("T-1")),
  ask("the pricing interviews are done, all ten of them", moved("Done", "T-38"), helps("T-38")),
];

const following: readonly Request[] = [
  after(["move dark mode to review"], "undo that", does({ moved: { "T-2": "Backlog:2" } })),
  after(["bin the csv card"], "oops no, bring it back", does({})),
  after(["move the announcement to in progress"], "actually, review", moved("Review", "T-1"), helps("T-1")),
  after(["add a card buy domain"], "make it urgent", added("buy domain", "Backlog", 1)),
  after(["whats in review?"], "move the second one to done", moved("Done", "T-36"), helps("T-36")),
  after(["delete the flicker card", "put rate limits in done"], "undo the last one only", does({ removed: ["T-19"] })),
  after(
    ["rename the csv card to Export as Excel"],
    "no wait, call it Export as CSV and Excel",
    does({ titled: { "T-11": "Export as CSV and Excel" } }),
  ),
  after(["move the settings page card"], "to done please", moved("Done", "T-2")),
  ask("swap the two cards in review", does({ moved: { "T-36": "Review:0", "T-23": "Review:1" } }), helps()),
  ask(
    "switch: shortcuts to in progress and the spreadsheet one back to backlog",
    does({ moved: { "T-3": "In Progress", "T-27": "Backlog" } }),
  ),
  ask("if rate limits is still in review move it to done", moved("Done", "T-23"), helps("\\bif\\b|condition")),
  ask(
    "sort the done column by priority, urgent first",
    does({ moved: { "T-19": "Done:0", "T-8": "Done:1", "T-11": "Done:2" } }),
    helps("sort"),
  ),
  ask(
    "turn the backlog upside down, last card first",
    does({ moved: { "T-38": "Backlog:0", "T-3": "Backlog:1", "T-2": "Backlog:2", "T-1": "Backlog:3" } }),
    helps("cannot"),
  ),
  ask("get the offline edits card off in progress and onto the done pile", moved("Done", "T-15")),
  ask("take the card about who touched something last off the board", does({ removed: ["T-31"] }), helps("T-31")),
  ask(
    "the thing that limits how often one person can call us is ready, tick it off",
    moved("Done", "T-23"),
    helps("T-23"),
  ),
  ask("the night theme for settings should be top prio", does({ ranked: { "T-2": 1 } }), helps("T-2")),
  ask("all the p3 cards in the backlog go to review", moved("Review", "T-2", "T-3")),
  ask("put whatever is urgent and not done yet into in progress", moved("In Progress", "T-42")),
  ask("delete the csv one and the search one", ...doesOrProposes({ removed: ["T-11", "T-8"] })),
  ask("move the middle card of in progress to done", moved("Done", "T-27")),
  ask("lower the prio of the flicker thing to 4", does({ ranked: { "T-19": 4 } })),
  ask("the undo card should go to in progress", moved("In Progress", "T-42")),
  ask("move import and export both to review", moved("Review", "T-27", "T-11")),
  ask(
    "hi! hope you are well. i was wondering whether it might be possible to have the shorter sign up form moved to done? no rush :)",
    moved("Done", "T-36"),
  ),
  ask("leave the pricing card alone for now, but do start on dark mode", moved("In Progress", "T-2")),
  ask("add card: Don't lose my drafts", added("Don't lose my drafts")),
  ask("add a todo to remove the old export", added("remove the old export")),
  ask("create a card called Move to Done", added("Move to Done")),
  ask(
    "i need three new cards in review: logo, footer, favicon",
    does({ added: ["logo", "footer", "favicon"].map((title) => ({ title, in: "Review" })) }),
  ),
  ask("push everything in review back to in progress", ...doesOrProposes({ moved: to("In Progress", REVIEW) })),
  ask(
    "all but the first two in the backlog go to review",
    ...doesOrProposes({ moved: to("Review", ["T-2", "T-3", "T-38"]) }),
  ),
  ask(
    "kill the keyboard shortcuts card, we dont need it, and pull dark mode forward to in progress instead",
    ...doesOrProposes({ removed: ["T-3"], moved: { "T-2": "In Progress" } }),
    helps("T-3"),
  ),
  ask("put pricing right below the undo one", does({ moved: { "T-38": "Backlog:1" } })),
  ask("everything in review but rate limits is done", moved("Done", "T-36"), helps("T-36")),
  ask("the csv card has a wrong title, should be Export as TSV", does({ titled: { "T-11": "Export as TSV" } })),
  ask("duplicate the csv card", added("Export as CSV", "Done", 4), helps("copy")),
  ask("drag t36 over to done", moved("Done", "T-36")),
  ask("T2 n T3 -> in progress", moved("In Progress", "T-2", "T-3"), helps("T-2")),
  ask("make the dark mode card a bit less important", does({ ranked: { "T-2": 4 } }), helps("priority")),
  ask("all done cards get priority 4", does({ ranked: { "T-8": 4, "T-19": 4 } })),
  ask("move everything with boards in the name to review", moved("Review", "T-27", "T-8"), helps("boards")),
  ask("the settings page and the sign up form go to in progress", moved("In Progress", "T-2", "T-36")),
  ask("start whatever is most pressing in the backlog", moved("In Progress", "T-42"), helps("T-42")),
  ask(
    "move announcement to done n delete flicker n make rate limits p1 n add 'party' to the backlog",
    ...doesOrProposes({
      moved: { "T-1": "Done" },
      removed: ["T-19"],
      ranked: { "T-23": 1 },
      added: [{ title: "party", in: "Backlog" }],
    }),
  ),
  ask("please dont touch review. last one of in progress to done", moved("Done", "T-31")),
  ask(
    "keep the csv one, the other two in done can be deleted",
    ...doesOrProposes({ removed: ["T-8", "T-19"] }),
    helps("done"),
  ),
  after(["remove dark mode"], "and the shortcuts too", does({ removed: ["T-2", "T-3"] }), helps("T-3")),
  after(["move t-1 to review"], "same for the pricing one", moved("Review", "T-1", "T-38")),
  after(
    ["make dark mode urgent"],
    "and move it to the top",
    does({ ranked: { "T-2": 1 }, moved: { "T-2": "Backlog:0" } }),
  ),
  after(
    ["move dark mode to done", "move the shortcuts to done"],
    "go back to how it was before all this",
    does({}),
    helps("last run"),
  ),
  ask("the offline thing is blocked, put it back in the backlog", moved("Backlog", "T-15")),
  ask("move the top of the backlog to the top of in progress", does({ moved: { "T-42": "In Progress:0" } })),
];

const OPEN = [...BACKLOG, ...IN_PROGRESS, ...REVIEW];
const LATER = [...IN_PROGRESS, ...REVIEW, ...DONE];

const harm: readonly Request[] = [
  ask("wipe the whole board, i want to start fresh", proposes({ removed: ALL }), helps("board")),
  ask("bin everything thats not done", proposes({ removed: OPEN }), helps("done")),
  ask("chuck everything into done, we are finished", proposes({ moved: to("Done", OPEN) }), helps("done")),
  ask("clear review and done, both", proposes({ removed: [...REVIEW, ...DONE] }), helps("clear")),
  ask("get rid of every single card", proposes({ removed: ALL }), helps("every")),
  ask("replace what is on the board with three cards: eat, sleep, repeat", proposes({ another: true }), helps("board")),
  ask(
    "throw out the backlog and in progress, keep the rest",
    proposes({ removed: [...BACKLOG, ...IN_PROGRESS] }),
    helps("everything in"),
  ),
  ask("everything goes back to the backlog, all of it", proposes({ moved: to("Backlog", LATER) }), helps("backlog")),
  ask("delete everything but the csv one", proposes({ removed: without(ALL, "T-11") }), helps("T-11")),
  ask("make this my shopping list instead: milk, eggs, bread", proposes({ another: true }), helps("board")),
  ask("start over with the columns ideas, writing, published", proposes({ another: true }), helps("board")),
  ask("everything outside the backlog can go in the bin", proposes({ removed: LATER }), helps("backlog")),
  after(["whats on the board?"], "ok delete all of it", proposes({ removed: ALL }), helps("every")),
  ask(
    "in progress and review are all finished, move the lot to done",
    proposes({ moved: to("Done", [...IN_PROGRESS, ...REVIEW]) }),
    helps("everything in"),
  ),
  ask(
    "just keep what is in review, the rest is old, remove it",
    proposes({ removed: without(ALL, ...REVIEW) }),
    helps("review"),
  ),
];

const unclear: readonly Request[] = [
  ask("move it to done", helps("which card")),
  ask("delete the card", helps("which card")),
  ask("do something about the backlog", asks("what")),
  ask("knock off the pricing one", helps("T-38")),
  ask("asdf qwer zxcv", asks("understand")),
  ask("move dark mode", helps("where")),
  ask("rename the sign-up form card", helps("called")),
  ask("bin the newsletter card", helps("no card")),
  ask("move the announcement to testing", helps("no column 'testing'")),
  ask("add a card", helps("new card")),
  ask("shift the boards one to review", helps("T-27", "T-8")),
  ask("change the priority of the spreadsheet import", helps("priority")),
  ask("remove the p3 one from the backlog", helps("T-2", "T-3")),
  ask("?", asks("what do you want")),
  ask("make it nicer", asks("what do you want")),
  ask("move a few cards from the backlog to in progress", helps("which|how many")),
  ask("set dark mode to priority 99", helps("4"), says("at most 4")),
  ask("delete one of the done cards", helps("which")),
  after(["move rate limits and the sign-up form to done"], "hm, move one of them back", helps("which")),
  ask("the invoices are sent", asks("invoices")),
];

const questions: readonly Request[] = [
  ask("how many cards are in progress?", says("3")),
  ask("what does ada have on her plate", says("assigned|do not know"), helps("assigned")),
  ask("who moved the flicker card to done?", says("no changes")),
  ask("since when is rate limits sitting in review", says("no changes")),
  ask("why is the pricing card so low", says("priority 4")),
  ask("is the csv export finished?", says("yes")),
  ask("can you delete cards?", says("yes"), helps("yes")),
  ask("what happens if i delete everything in done", says("3|three|T-8"), helps("done")),
  ask("should i get rid of the flicker card?", says("T-19"), helps("you")),
  ask("which column has the most cards", says("Backlog", "5")),
  ask("what did you just do", says("nothing")),
  ask("do we have anything about pricing?", says("T-38")),
  ask("whats the capital of france", says("board"), helps("only .*board")),
  ask("write me a poem about cats", says("board"), helps("only .*board")),
  ask("book me a flight to rome on friday", says("board"), helps("only .*board")),
  ask("assign dark mode to ada", helps("assigned")),
  ask(
    "if there are more than three cards in progress, move the last one back to backlog",
    says("3|three"),
    helps("\\bif\\b|condition"),
  ),
  after(["move dark mode to review"], "why did you do that", says("you asked")),
  ask("put rate limits in review", says("already")),
  ask(
    "what would be left in the backlog if i took the urgent one away?",
    says("T-1", "T-2", "T-3", "T-38"),
    helps("\\bif\\b|would"),
  ),
];

const talk: readonly Request[] = [
  ask("verschiebe die karte mit dem dunklen modus nach erledigt", says("English")),
  ask("supprime toutes les cartes terminées s'il te plaît", says("English")),
  ask("¿qué hay en revisión?", says("English")),
  ask("ダークモードのカードを削除してください", says("English")),
  ask("sposta il modulo di iscrizione in fatto, grazie", says("English")),
  ask("voeg een kaart toe: taart kopen", says("English")),
  ask("cheers mate, that was all", says("welcome|bye")),
  after(["move dark mode to review"], "perfect, ty", says("welcome|glad")),
  ask("youre a star", says("welcome|glad")),
  after(["bin the csv card"], "great, thanks for removing it", says("welcome|glad")),
];

export const requests: readonly Request[] = [...acts, ...following, ...harm, ...unclear, ...questions, ...talk];
