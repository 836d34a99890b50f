// Cards: moved, added, changed and removed, by id, by title and by what they have in common.

import { ask, asks, does, doesOrProposes, proposes, type Request, says } from "../outcome.ts";

export const cards: readonly Request[] = [
  // Moves.
  ask("Move T-42 to In Progress", does({ moved: { "T-42": "In Progress" } })),
  ask("t-42 to done", does({ moved: { "T-42": "Done" } })),
  ask("please put T-23 in Done", does({ moved: { "T-23": "Done" } })),
  ask("could you move T3 to review?", does({ moved: { "T-3": "Review" } })),
  ask("move dark mode to in progress", does({ moved: { "T-2": "In Progress" } })),
  ask("The sign-up form is done", does({ moved: { "T-36": "Done" } })),
  ask("I finished the spreadsheet import", does({ moved: { "T-27": "Done" } }), asks("T-27")),
  ask("T-15 is finished", does({ moved: { "T-15": "Done" } })),
  ask("start working on the launch announcement", does({ moved: { "T-1": "In Progress" } })),
  ask("mark T-31 as done", does({ moved: { "T-31": "Done" } })),
  ask("put T-19 back into review", does({ moved: { "T-19": "Review" } })),
  ask("reopen T-11", does({ moved: { "T-11": "In Progress" } }), does({ moved: { "T-11": "Backlog" } }), asks("T-11")),
  ask("Move every card with priority 1 to Done", ...doesOrProposes({ moved: { "T-42": "Done", "T-15": "Done" } })),
  ask("move T-1 and T-2 to review", does({ moved: { "T-1": "Review", "T-2": "Review" } })),
  ask(
    "move T-1, T-2 and T-38 into In Progress",
    does({ moved: { "T-1": "In Progress", "T-2": "In Progress", "T-38": "In Progress" } }),
  ),
  ask("everything in review is done", does({ moved: { "T-23": "Done", "T-36": "Done" } })),
  ask("move T-38 to the top of the backlog", does({ moved: { "T-38": "Backlog:0" } })),
  ask("put T-3 at the top", does({ moved: { "T-3": "Backlog:0" } })),
  ask("move T-42 to the bottom of Review", does({ moved: { "T-42": "Review:2" } })),
  ask("swap T-1 and T-2", does({ moved: { "T-1": "Backlog:2", "T-2": "Backlog:1" } }), asks()),
  ask("move the first card of the backlog to in progress", does({ moved: { "T-42": "In Progress" } })),
  ask("take the top card from backlog and start it", does({ moved: { "T-42": "In Progress" } }), asks()),
  ask("move T-42 one column to the right", does({ moved: { "T-42": "In Progress" } })),
  ask("T-23 next column", does({ moved: { "T-23": "Done" } }), asks("T-23")),
  ask("move the card to done", asks("which")),
  ask("move T-2 to Testing", asks("testing")),
  ask("move T-8 to done", says("already|stays|is in done")),
  ask("move all cards about cards to done", ...doesOrProposes({ moved: { "T-31": "Done" } }), asks("T-31")),
  // Adds.
  ask("add a card: Buy milk", does({ added: [{ title: "Buy milk", in: "Backlog" }] })),
  ask('Add "Fix login bug" to In Progress', does({ added: [{ title: "Fix login bug", in: "In Progress" }] })),
  ask(
    "add a card to review called Check the invoices",
    does({ added: [{ title: "Check the invoices", in: "Review" }] }),
  ),
  ask("new task write release notes", does({ added: [{ title: "write release notes", in: "Backlog" }] })),
  ask(
    "create an urgent card for calling the lawyer",
    does({ added: [{ title: "calling the lawyer", in: "Backlog", priority: 1 }] }),
  ),
  ask(
    "we need to translate the help pages",
    does({ added: [{ title: "translate the help pages", in: "Backlog" }] }),
    asks(),
  ),
  ask(
    "add cards Order paper, Call Bob and Pay rent to backlog",
    does({
      added: [
        { title: "Order paper", in: "Backlog" },
        { title: "Call Bob", in: "Backlog" },
        { title: "Pay rent", in: "Backlog" },
      ],
    }),
  ),
  ask("add a card", asks("title|called|what|name"), says("title|called|what|name")),
  ask(
    "add remove the old logo to the backlog",
    does({ added: [{ title: "remove the old logo", in: "Backlog" }] }),
    asks(),
  ),
  ask("remind me to call mum", does({ added: [{ title: "call mum", in: "Backlog" }] }), asks(), says("remind")),
  // Changes.
  ask("make T-2 urgent", does({ ranked: { "T-2": 1 } })),
  ask("set the priority of T-38 to 2", does({ ranked: { "T-38": 2 } })),
  ask("T-1 priority 1", does({ ranked: { "T-1": 1 } })),
  ask("raise the priority of the pricing card", does({ ranked: { "T-38": 3 } })),
  ask("lower the priority of T-27", does({ ranked: { "T-27": 3 } })),
  ask("T-15 isn't urgent anymore", does({ ranked: { "T-15": 2 } }), does({ ranked: { "T-15": 3 } }), asks("T-15")),
  ask("make everything in Review priority 1", ...doesOrProposes({ ranked: { "T-23": 1, "T-36": 1 } })),
  ask("rename T-2 to Night mode", does({ titled: { "T-2": "Night mode" } })),
  ask('change the title of T-11 to "Export as Excel"', does({ titled: { "T-11": "Export as Excel" } })),
  ask("call T-8 Global search", does({ titled: { "T-8": "Global search" } })),
  ask("assign T-42 to Bob", asks("assign|person|bob"), says("assign|person|bob")),
  ask("set a due date for T-1", asks("date"), says("date")),
  ask("add a comment to T-3: looks good", asks("comment"), says("comment")),
  // Removes.
  ask("delete T-38", does({ removed: ["T-38"] })),
  ask("remove the CSV export", does({ removed: ["T-11"] })),
  ask("we don't need dark mode any more", does({ removed: ["T-2"] }), asks("T-2"), proposes({ removed: ["T-2"] })),
  ask("delete T-1 and T-3", does({ removed: ["T-1", "T-3"] })),
  ask("remove the last card in done", does({ removed: ["T-19"] })),
  ask("clear done", ...doesOrProposes({ removed: ["T-8", "T-11", "T-19"] })),
  ask("delete duplicates", says("no|same"), asks()),
];
