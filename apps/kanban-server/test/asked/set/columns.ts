// Columns, several wishes in one, typing errors, and a board where the agent asks first.

import { ask, asks, does, doesOrProposes, proposes, type Request, says } from "../outcome.ts";

const ask1st = (say: string, ...right: Request["right"]): Request => ({ mode: "propose", say, right });

export const columns: readonly Request[] = [
  ask("add a column called Blocked", does({ columns: ["Backlog", "In Progress", "Review", "Done", "Blocked"] })),
  ask("add a Testing column before Done", does({ columns: ["Backlog", "In Progress", "Review", "Testing", "Done"] })),
  ask("I need a column Ideas on the left", does({ columns: ["Ideas", "Backlog", "In Progress", "Review", "Done"] })),
  ask("rename Review to QA", does({ columns: ["Backlog", "In Progress", "QA", "Done"] })),
  ask("call the Done column Shipped", does({ columns: ["Backlog", "In Progress", "Review", "Shipped"] })),
  ask("move the Review column before In Progress", does({ columns: ["Backlog", "Review", "In Progress", "Done"] })),
  ask("swap Review and Done", does({ columns: ["Backlog", "In Progress", "Done", "Review"] }), asks()),
  ask("add column Done", says("already"), asks("already")),
  { first: ["add a column called Blocked"], say: "remove the blocked column", right: [does({})] },
  ask("sort the backlog by priority", says("already|order|sorted")),
  ask("sort Done by priority", does({ moved: { "T-19": "Done:0", "T-8": "Done:1", "T-11": "Done:2" } }), asks()),
];

export const several: readonly Request[] = [
  ask(
    "Move T-1 to In Progress, then T-2 to Review, then summarise",
    does({ moved: { "T-1": "In Progress", "T-2": "Review" } }),
  ),
  ask("move T-23 to done and delete T-11", does({ moved: { "T-23": "Done" }, removed: ["T-11"] })),
  ask(
    "Add a column Later. Then move T-38 there.",
    does({
      columns: ["Backlog", "In Progress", "Review", "Done", "Later"],
      moved: { "T-38": "Later" },
    }),
  ),
  ask("rename T-3 to Shortcuts and make it urgent", does({ titled: { "T-3": "Shortcuts" }, ranked: { "T-3": 1 } })),
  ask(
    "move T-36 to done; T-31 to review; add a card: Celebrate",
    does({
      moved: { "T-36": "Done", "T-31": "Review" },
      added: [{ title: "Celebrate", in: "Backlog" }],
    }),
  ),
  ask("move T-1 to in progress and bake a cake", asks("cake"), does({ moved: { "T-1": "In Progress" } }, "cake")),
  ask(
    "delete T-8, T-11 and move the rest of done to review",
    does({ removed: ["T-8", "T-11"], moved: { "T-19": "Review" } }),
    asks(),
  ),
  ask("put T-2 in review and tell me how many cards are there", does({ moved: { "T-2": "Review" } }, "3|14|13")),
];

export const typed: readonly Request[] = [
  ask("mvoe T-42 to in progress", does({ moved: { "T-42": "In Progress" } })),
  ask("move T-42 to in porgress", does({ moved: { "T-42": "In Progress" } })),
  ask("delte T-38", does({ removed: ["T-38"] }), asks("T-38"), proposes({ removed: ["T-38"] })),
  ask("move the drak mode card to reveiw", does({ moved: { "T-2": "Review" } })),
  ask("plz mark keybord shortcuts done", does({ moved: { "T-3": "Done" } })),
  ask("reanme T-2 to Night mode", does({ titled: { "T-2": "Night mode" } })),
  ask("ad a card: Buy milk", does({ added: [{ title: "Buy milk", in: "Backlog" }] })),
  ask("make T-2 urgnet", does({ ranked: { "T-2": 1 } })),
  ask("MOVE T-1 TO DONE!!!", does({ moved: { "T-1": "Done" } })),
  ask("move t 15 to review", does({ moved: { "T-15": "Review" } })),
  ask("move card 31 to done", does({ moved: { "T-31": "Done" } })),
  ask("movet42toreview", asks(), says("T-42|understand|try")),
  ask("move the rate limit card to done", does({ moved: { "T-23": "Done" } })),
  ask("hwo many cards are there?", says("13")),
];

export const asksFirst: readonly Request[] = [
  ask1st("Move T-42 to In Progress", proposes({ moved: { "T-42": "In Progress" } })),
  ask1st("add a card: Buy milk", proposes({ added: [{ title: "Buy milk", in: "Backlog" }] })),
  ask1st("delete all done cards", proposes({ removed: ["T-8", "T-11", "T-19"] })),
  ask1st("how many cards are in review?", says("2|two")),
  ask("rename the board to Roadmap", asks("board|name"), says("board|name")),
  ask(
    "make all cards urgent",
    ...doesOrProposes({
      ranked: Object.fromEntries(
        ["T-1", "T-2", "T-3", "T-38", "T-27", "T-31", "T-23", "T-36", "T-8", "T-11"].map((id) => [id, 1]),
      ),
    }),
    asks(),
  ),
];
