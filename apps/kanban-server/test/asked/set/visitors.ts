// What visitors type who see the board and a chat box, and know no commands; by somebody without
// sight of the assistant. When it was first run, 88 were right, and two were wrong or no help; the
// model was then tuned on it, so it does not measure what the model makes of requests that nobody
// has seen.
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
  doesOrProposes,
  proposes,
  says,
  to,
  without,
  type Change,
  type Outcome,
  type Request,
} from "../outcome.ts";

/** Each of these changes is right, at once or after a yes. */
const both = (...changes: readonly Change[]): readonly Outcome[] => changes.flatMap((change) => doesOrProposes(change));
const moves = (column: string, ...ids: readonly string[]): readonly Outcome[] => both({ moved: to(column, ids) });
const ranks = (id: string, ...priorities: readonly number[]): readonly Outcome[] =>
  both(...priorities.map((priority) => ({ ranked: { [id]: priority } })));
const names = (id: string, ...titles: readonly string[]): readonly Outcome[] =>
  both(...titles.map((title) => ({ titled: { [id]: title } })));
/** As typed, and with a capital. */
const cases = (title: string): readonly string[] => [
  ...new Set([title, title.slice(0, 1).toUpperCase() + title.slice(1)]),
];
interface Place {
  readonly in?: string;
  readonly priority?: number;
  readonly and?: Change;
}
/** One new card, under any of these titles. */
const adds = (titles: readonly string[], place: Place = {}): readonly Outcome[] =>
  both(
    ...titles.flatMap(cases).map((title) => ({
      ...place.and,
      added: [{ title, in: place.in ?? "Backlog", priority: place.priority ?? 3 }],
    })),
  );
/** Several new cards, in this order. */
const addsAll = (titles: readonly string[], place: Place = {}): readonly Outcome[] =>
  both(
    ...titles
      .reduce<readonly (readonly string[])[]>(
        (lists, title) => lists.flatMap((list) => cases(title).map((each) => [...list, each])),
        [[]],
      )
      .map((list) => ({
        ...place.and,
        added: list.map((title) => ({ title, in: place.in ?? "Backlog", priority: place.priority ?? 3 })),
      })),
  );
const COLUMNS: readonly string[] = ["Backlog", "In Progress", "Review", "Done"];
/** A new column, with this many columns left of it. */
const withColumn = (title: string, at: number): readonly string[] => [
  ...COLUMNS.slice(0, at),
  title,
  ...COLUMNS.slice(at),
];
const ENGLISH = says("english|englisch|anglais");

export const requests: readonly Request[] = [
  // News that imply a move.
  ask("the csv export shipped", says("csv|T-11", "done|already")),
  ask("spreadsheet import is finished!", ...moves("Done", "T-27")),
  ask("good news, the sign-up form got approved", ...moves("Done", "T-36")),
  ask("Sam started on the launch announcement this morning", ...moves("In Progress", "T-1")),
  ask("pricing interviews are all done, talked to the last customer yesterday", ...moves("Done", "T-38")),
  ask("rate limits didn't pass review, needs more work", ...moves("In Progress", "T-23"), asks("rate limits|T-23")),
  ask("the offline edits stuff is ready to be looked at", ...moves("Review", "T-15")),
  ask("the flicker is back :(", ...moves("In Progress", "T-19"), ...moves("Backlog", "T-19"), asks("flicker|T-19")),
  ask(
    "picking up keyboard shortcuts next",
    ...moves("In Progress", "T-3"),
    ...moves("Backlog:0", "T-3"),
    asks("shortcuts|T-3"),
  ),
  ask("undo for agent runs: we're halfway there", ...moves("In Progress", "T-42"), asks("undo|T-42")),
  ask(
    "search is broken again in safari",
    ...moves("In Progress", "T-8"),
    ...moves("Backlog", "T-8"),
    ...adds(["search is broken again in safari", "search is broken again in Safari", "search is broken in Safari"]),
    asks("search|T-8"),
  ),
  ask("We decided against the pricing interviews after all", ...both({ removed: ["T-38"] }), asks("pricing|T-38")),
  ask("announcement went out at 9 today, woohoo", ...moves("Done", "T-1")),

  // Moves.
  ask("Would you be so kind as to place dark mode in Review? Many thanks.", ...moves("Review", "T-2")),
  ask("into progress with the shortcuts card please", ...moves("In Progress", "T-3")),
  ask("Done: shorter sign-up form", ...moves("Done", "T-36")),
  ask("move T-15 one column to the right", ...moves("Review", "T-15")),
  ask("send rate limits back", ...moves("In Progress", "T-23"), asks("rate limits|T-23")),
  ask("review -> done for everything", ...moves("Done", ...REVIEW)),
  { mode: "propose", say: "T-27 and T-31 to review", right: [proposes({ moved: to("Review", ["T-27", "T-31"]) })] },
  ask("everything in progress goes back to the backlog", ...moves("Backlog", ...IN_PROGRESS)),
  ask("csv out of done, back to in progress", ...moves("In Progress", "T-11")),
  ask("lets get the pricing thing moving", ...moves("In Progress", "T-38"), asks("pricing|T-38")),
  ask(
    "all p1 cards that aren't done should be in progress",
    ...moves("In Progress", "T-42"),
    ...moves("In Progress", "T-42", "T-15"),
  ),
  ask("I want the offline thing and the spreadsheet import under Review", ...moves("Review", "T-15", "T-27")),
  ask("42 to in progress", ...moves("In Progress", "T-42")),
  ask("for the third time: the top card of the backlog goes to IN PROGRESS", ...moves("In Progress", "T-42")),

  // New cards.
  ask("we also need a privacy policy", ...adds(["privacy policy", "a privacy policy", "write a privacy policy"])),
  ask("remind us to renew the ssl certificate", ...adds(["renew the ssl certificate", "renew the SSL certificate"])),
  ask("new card in review: Check the German translation", ...adds(["Check the German translation"], { in: "Review" })),
  ask("Somebody should really update the FAQ", ...adds(["update the FAQ", "really update the FAQ"])),
  ask(
    "put 'Book the venue' in in progress",
    ...adds(["Book the venue"], { in: "In Progress" }),
    asks("book the venue"),
  ),
  ask("don't let me forget: call the accountant about VAT", ...adds(["call the accountant about VAT"])),
  ask(
    "add login with google, high priority",
    ...adds(["login with google", "login with Google"], { priority: 1 }),
    ...adds(["login with google", "login with Google"], { priority: 2 }),
  ),
  ask(
    "three new things: landing page video, press kit, testimonial page",
    ...addsAll(["landing page video", "press kit", "testimonial page"]),
  ),
  ask("to do: fix typo on pricing page", ...adds(["fix typo on pricing page"])),
  ask(
    "oh and mobile push notifications would be nice someday",
    ...adds(["mobile push notifications"]),
    ...adds(["mobile push notifications"], { priority: 4 }),
    ...adds(["mobile push notifications"], { priority: 5 }),
    asks("push notifications"),
  ),
  ask("Write release notes - add that to the backlog please, P2", ...adds(["Write release notes"], { priority: 2 })),
  ask("can we get a card for load testing at the top of the backlog", ...adds(["load testing"])),
  ask(
    "bug: app crashes when I paste an emoji",
    ...[1, 2, 3].flatMap((priority) =>
      adds(["app crashes when I paste an emoji", "bug: app crashes when I paste an emoji"], { priority }),
    ),
  ),
  ask(
    "urgent!! customers can't log in",
    ...adds(["customers can't log in", "urgent!! customers can't log in"], { priority: 1 }),
    asks("log in"),
  ),
  ask("add a card", asks("title|call|name|what|say"), says("title|call|name|what|say")),
  ask(
    'in done there should also be "Set up the staging server"',
    ...adds(["Set up the staging server"], { in: "Done" }),
  ),

  // Other titles.
  ask("T-1 should say Write the launch blog post", ...names("T-1", "Write the launch blog post")),
  ask(
    "call the pricing card Talk to ten customers about pricing",
    ...names("T-38", "Talk to ten customers about pricing"),
  ),
  ask(
    "it's not ten customers anymore, it's fifteen",
    ...names("T-38", "Ask fifteen customers about pricing", "Ask 15 customers about pricing"),
    asks("pricing|T-38"),
  ),
  ask('change "settings page" to "whole app" on the dark mode card', ...names("T-2", "Dark mode for the whole app")),
  ask(
    "there's a wrong word in T-19, should be flash not flicker",
    ...names("T-19", "Fix the flash when a card is dropped"),
  ),
  ask("Export as CSV -> Export as CSV and Excel", ...names("T-11", "Export as CSV and Excel")),
  ask("T-36 needs a better title", asks("title|call|name|T-36|sign-up"), says("title|call|name|T-36|sign-up")),
  ask('the shortcuts title is way too long, just "Keyboard shortcuts" please', ...names("T-3", "Keyboard shortcuts")),

  // Priorities.
  ask("dark mode can wait", ...ranks("T-2", 4, 5), ...moves("Backlog:4", "T-2"), asks("dark mode|T-2")),
  ask("rate limits is on fire", ...ranks("T-23", 1)),
  ask("T-38 is more important than we thought", ...ranks("T-38", 3, 2), asks("pricing|T-38")),
  ask("the launch announcement isn't that urgent any more", ...ranks("T-1", 3, 4), asks("announcement|T-1")),
  ask("make the whole backlog p2", ...both({ ranked: { "T-42": 2, "T-2": 2, "T-3": 2, "T-38": 2 } })),
  ask(
    "spreadsheet import is now our number one",
    ...ranks("T-27", 1),
    ...both({ ranked: { "T-27": 1 }, moved: { "T-27": "In Progress:0" } }, { moved: { "T-27": "In Progress:0" } }),
    asks("spreadsheet|T-27"),
  ),
  ask(
    "nobody cares about showing who changed a card",
    ...ranks("T-31", 4, 5),
    proposes({ removed: ["T-31"] }),
    asks("who changed|T-31"),
  ),
  ask("everything in review is p1 now", ...both({ ranked: { "T-23": 1, "T-36": 1 } })),
  ask("swap the priorities of T-15 and T-31", ...both({ ranked: { "T-15": 3, "T-31": 1 } })),
  ask("prio of csv export to 1 pls", ...ranks("T-11", 1)),

  // Order and place.
  ask("dark mode first in the backlog please", ...moves("Backlog:0", "T-2")),
  ask("put shortcuts above dark mode", ...moves("Backlog:2", "T-3")),
  ask("pricing should come right after the announcement", ...moves("Backlog:2", "T-38")),
  ask("T-42 down to the bottom", ...moves("Backlog:4", "T-42")),
  ask("sort done by priority", ...moves("Done:0", "T-19")),
  ask(
    "flip the order of in progress",
    ...both({ moved: { "T-31": "In Progress:0", "T-27": "In Progress:1", "T-15": "In Progress:2" } }),
  ),
  ask(
    "can the backlog be alphabetical?",
    ...both({
      moved: { "T-38": "Backlog:0", "T-2": "Backlog:1", "T-3": "Backlog:2", "T-42": "Backlog:3", "T-1": "Backlog:4" },
    }),
  ),
  ask("sign-up form to the top of done", ...moves("Done:0", "T-36")),
  ask("swap rate limits and sign-up form", ...both({ moved: { "T-36": "Review:0", "T-23": "Review:1" } })),

  // Columns.
  ask(
    "we need a column for testing between review and done",
    ...both({ columns: withColumn("Testing", 3) }, { columns: withColumn("testing", 3) }),
  ),
  ask("Backlog should be called Ideas", ...both({ columns: ["Ideas", "In Progress", "Review", "Done"] })),
  ask("add a Blocked column", ...both(...[1, 2, 3, 4].map((at) => ({ columns: withColumn("Blocked", at) })))),
  ask("can done be on the far left?", ...both({ columns: ["Done", "Backlog", "In Progress", "Review"] })),
  ask(
    "we don't do reviews any more, get rid of that column",
    ...both(
      { columns: ["Backlog", "In Progress", "Done"], removed: REVIEW },
      { columns: ["Backlog", "In Progress", "Done"], moved: to("Done", REVIEW) },
      { columns: ["Backlog", "In Progress", "Done"], moved: to("In Progress", REVIEW) },
      { columns: ["Backlog", "In Progress", "Done"], moved: to("Backlog", REVIEW) },
    ),
    asks("review|card"),
  ),
  ask(
    "new column Archive at the end and all the done cards in it",
    ...both({ columns: withColumn("Archive", 4), moved: to("Archive", DONE) }),
  ),
  ask("I'd rather have Doing than In Progress", ...both({ columns: ["Backlog", "Doing", "Review", "Done"] })),
  ask(
    "merge review into done",
    ...both({ columns: ["Backlog", "In Progress", "Done"], moved: to("Done", REVIEW) }, { moved: to("Done", REVIEW) }),
    asks("review"),
  ),
  ask("put a column called Icebox before the backlog", ...both({ columns: withColumn("Icebox", 0) })),
  ask("wip limit of 3 on in progress please", says("limit"), asks("limit")),
  ask(
    "too many columns. just To do, Doing and Done please",
    proposes({ columns: ["To do", "Doing", "Done"], moved: to("Doing", REVIEW) }),
    proposes({ columns: ["To do", "Doing", "Done"], moved: to("Done", REVIEW) }),
    proposes({ columns: ["To do", "Doing", "Done"], removed: REVIEW }),
    proposes({ another: true }),
    asks("column|review|card"),
  ),

  // Everything except.
  ask(
    "move everything except the announcement from backlog to in progress",
    ...moves("In Progress", ...without(BACKLOG, "T-1")),
  ),
  ask("delete all done cards but keep the csv one", ...both({ removed: without(DONE, "T-11") })),
  ask("all of in progress to review apart from T-31", ...moves("Review", ...without(IN_PROGRESS, "T-31"))),
  ask(
    "set everything to p3 except what's in done",
    ...both({ ranked: { "T-42": 3, "T-1": 3, "T-38": 3, "T-15": 3, "T-27": 3, "T-23": 3 } }),
  ),
  ask(
    "only keep the p1 cards, throw out the rest",
    proposes({ removed: without(ALL, "T-42", "T-15", "T-19") }),
    asks("card|p1|remove|delete"),
  ),
  ask("clear the backlog, but not undo and dark mode", ...both({ removed: without(BACKLOG, "T-42", "T-2") })),
  ask(
    "everything but review goes to done lol",
    proposes({ moved: to("Done", [...BACKLOG, ...IN_PROGRESS]) }),
    asks("done|card|backlog"),
  ),

  // Several wishes.
  ask("move dark mode to review and make it p1", ...both({ moved: { "T-2": "Review" }, ranked: { "T-2": 1 } })),
  ask(
    'rate limits is done, and we need a card "Write docs for rate limits"',
    ...adds(["Write docs for rate limits"], { and: { moved: { "T-23": "Done" } } }),
  ),
  ask(
    'kill the pricing card, csv to review, and add "Fix CSV quotes" to the backlog',
    ...adds(["Fix CSV quotes"], { and: { removed: ["T-38"], moved: { "T-11": "Review" } } }),
  ),
  ask(
    "sign-up form shipped, offline edits need a review now",
    ...both({ moved: { "T-36": "Done", "T-15": "Review" } }),
  ),
  ask(
    "rename Done to Shipped and move everything in review there",
    ...both({ columns: ["Backlog", "In Progress", "Review", "Shipped"], moved: to("Shipped", REVIEW) }),
  ),
  ask(
    "swap dark mode and shortcuts, and T-1 goes to in progress",
    ...both({ moved: { "T-1": "In Progress", "T-3": "Backlog:1", "T-2": "Backlog:2" } }),
  ),
  ask("announcement done. pricing p2. thanks", ...both({ moved: { "T-1": "Done" }, ranked: { "T-38": 2 } })),
  ask(
    "the import is blocked so back to backlog with it, we're doing shortcuts instead",
    ...both({ moved: { "T-27": "Backlog", "T-3": "In Progress" } }),
  ),
  ask(
    'add "Buy cake" and "Invite the team", both in progress, p4',
    ...addsAll(["Buy cake", "Invite the team"], { in: "In Progress", priority: 4 }),
  ),
  ask(
    "csv: p2 and back to the backlog. flicker: p3",
    ...both({ moved: { "T-11": "Backlog" }, ranked: { "T-11": 2, "T-19": 3 } }),
  ),

  // Follow-ups.
  after(["move dark mode to in progress"], "actually put it in review", ...moves("Review", "T-2")),
  after(["move T-31 to review"], "same for the spreadsheet one", ...moves("Review", "T-31", "T-27")),
  after(["delete the pricing card"], "undo that", ...both({})),
  after(
    ["add a card called Write the press release"],
    "make it urgent",
    ...adds(["Write the press release"], { priority: 1 }),
  ),
  after(["move T-23 to done"], "and the other one too", ...moves("Done", "T-23", "T-36"), asks("which|sign-up|T-36")),
  after(["set T-2 to priority 1"], "hmm no, 2", ...ranks("T-2", 2)),
  after(["what's in review?"], "move them all to done", ...moves("Done", ...REVIEW)),
  after(["how many cards are in progress?"], "which one is the most important", says("T-15|offline")),
  after(
    ["add a column called Testing"],
    "put it before done",
    ...both({ columns: withColumn("Testing", 3) }),
    says("testing", "already|before"),
  ),
  after(["rename T-1 to Write the launch post"], "no wait, change it back", ...both({})),
  after(["move rate limits to done"], "what did you just do?", says("rate limits|T-23")),
  after(["move dark mode to done", "undo"], "hm, do it again after all", ...moves("Done", "T-2")),
  after(["move everything in review to done"], "except the sign-up form", ...moves("Done", "T-23")),
  after(["move T-42 to in progress"], "and at the top", ...moves("In Progress:0", "T-42")),
  after(["add a card called Test the backups"], "into review with it", ...adds(["Test the backups"], { in: "Review" })),
  after(["remove T-38"], "wrong one, I meant T-3", ...both({ removed: ["T-3"] }), asks("T-3\\b|shortcuts")),

  // Questions.
  ask("what's the most urgent thing right now?", says("T-42|T-15|undo|offline")),
  ask("how many cards do we have", says("13|thirteen")),
  ask("where is the csv thing", says("done")),
  ask("has anything changed today?", says("nothing|no\\b|not|n't|yet|chang")),
  ask("is anyone working on dark mode?", says("backlog|dark mode|T-2\\b")),
  ask("which column has the most cards?", says("backlog")),
  ask("what can you do", says("move|add|card|column")),
  ask("summarise the board for my boss in two sentences", says("backlog|in progress|review|done")),
  ask("don't touch anything, just tell me what's in review", says("rate limits|T-23", "sign-up|T-36")),
  ask(
    "should we drop the pricing card?",
    says("pricing|T-38|you"),
    asks("pricing|T-38"),
    proposes({ removed: ["T-38"] }),
  ),

  // What cannot be done here.
  ask(
    "assign dark mode to Maria",
    says("assign|person|people|owner|who\\b"),
    asks("assign|person|people|owner|who\\b"),
  ),
  ask("the announcement is due friday, can you set the deadline", says("date|deadline|due"), asks("date|deadline|due")),
  ask("email the team about rate limits", says("mail|send|message"), asks("mail|send|message")),
  ask("put a red label on the flicker card", says("label|colou?r|tag"), asks("label|colou?r|tag")),
  ask("comment on T-31: blocked by design", says("comment|note"), asks("comment|note|blocked")),
  ask(
    "remind me tomorrow at 9 about pricing",
    says("remind|tomorrow|time|date|notif"),
    asks("remind|tomorrow|time|date|pricing"),
  ),

  // Harmful or ambiguous.
  ask(
    "delete everything",
    proposes({ removed: ALL }),
    proposes({ removed: ALL, columns: [] }),
    asks("everything|all\\b|card|board"),
  ),
  ask(
    "scrap this and make me a board for planning my wedding",
    proposes({ another: true }),
    asks("wedding|board|replace"),
  ),
  ask("move it to done", asks("which|what|card"), says("which|what")),
  ask(
    "delete the card about cards",
    asks("which|T-31|T-19|who changed|flicker"),
    says("which", "T-31|T-19|who changed|flicker"),
  ),
  ask(
    "empty review and in progress",
    proposes({ removed: [...REVIEW, ...IN_PROGRESS] }),
    proposes({ moved: to("Backlog", [...IN_PROGRESS, ...REVIEW]) }),
    proposes({ moved: to("Done", [...IN_PROGRESS, ...REVIEW]) }),
    asks("review|in progress|card"),
  ),
  ask(
    "get rid of all columns except done",
    proposes({ columns: ["Done"], removed: without(ALL, ...DONE) }),
    proposes({ columns: ["Done"], moved: to("Done", without(ALL, ...DONE)) }),
    asks("column|card"),
  ),
  ask(
    "this board is a mess, tidy it up",
    ...moves("Done:0", "T-19"),
    proposes({ removed: DONE }),
    asks("tidy|sort|order|remove|clear|done|column|card"),
    says("tidy|sort|order|remove|clear|done|column|card"),
  ),
  ask(
    "just mark it all as done, i give up",
    proposes({ moved: to("Done", without(ALL, ...DONE)) }),
    asks("done|all\\b|everything|card"),
  ),

  // Typos.
  ask("moev teh dark mdoe card to reveiw", ...moves("Review", "T-2")),
  ask("delte the flikcer card", ...both({ removed: ["T-19"] }), asks("flicker|T-19")),
  ask("priorty of spredsheet import to 1", ...ranks("T-27", 1)),
  ask("wats in bakclog", says("T-42|undo", "T-2\\b|dark mode")),

  // Other languages.
  ask("verschieb bitte den Dark Mode nach Review", ...moves("Review", "T-2"), ENGLISH),
  ask(
    "Wir brauchen noch eine Karte für das Impressum",
    ...adds(["Impressum", "das Impressum"]),
    asks("impressum"),
    ENGLISH,
  ),
  ask("mets l'export CSV dans Review stp", ...moves("Review", "T-11"), ENGLISH),
  ask("was ist gerade in Arbeit?", says("T-15|offline|T-27|spreadsheet"), ENGLISH),

  // Small talk.
  ask("thanks, you're a star", says("welcome|pleasure|glad|any ?time|happy|sure|thank|here|problem")),
  ask("hi, are you a real person?", says("no\\b|not|n't|rule|assistant|bot|program|model|machine|script|agent")),
  ask("ugh, you're not very smart, are you", says("sorry|help|try|can\\b|simple|rule|not|n't")),
];
