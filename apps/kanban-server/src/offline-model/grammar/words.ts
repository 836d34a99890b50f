// The words of the grammar, in groups of one meaning. A new word is a new entry in its group; the
// rules name the groups in capitals. A phrase of several words is one entry.

import { NO_NOUNS } from "../reading/spelling.ts";

const GROUPS_IN_WORDS = {
  // Verbs, by what they do to cards.
  SEND: "move, put, place, stick, pop, throw, chuck, toss, shove, slide, shift, push, pull, drag, send, bring, get, take, bump, kick, sling, slot, plonk, plop, park, stash, transfer, switch, promote, demote, return, relegate, advance, file, lob, fling, swing, nudge, flip, hand, carry, walk, roll, set, have, want, need, mark, tag, flag, label, relocate, migrate, change",
  FINISH:
    "finish, complete, wrap up, ship, sign off, sign off on, tick off, check off, cross off, knock out, polish off, finalise, finalize, conclude",
  FINISHED:
    "done, finished, complete, completed, wrapped up, shipped, closed out, ticked off, checked off, crossed off, knocked out, polished off, finalised, finalized, concluded, merged, deployed, released, delivered, live, ready, signed off, taken care of, dealt with, sorted, sorted out, nailed, in the bag, good to go, over and done with, over, all set, implemented, accomplished, over with",
  DID_FINISH:
    "finished, completed, wrapped up, shipped, closed out, ticked off, checked off, crossed off, knocked out, polished off, finalised, finalized, concluded, merged, deployed, released, delivered, signed off, signed off on, taken care of, took care of, dealt with, sorted, sorted out, nailed, did, done, done with, got done with, implemented, accomplished, closed",
  START:
    "start, begin, continue, kick off, pick up, tackle, jump on, jump onto, dive into, take on, crack on with, get going with, get going on, get started with, get started on, get cracking with, get cracking on, work on, start on, start with, start work on, start working on, begin work on, begin working on, get to work on, commence, activate, launch into",
  STARTED:
    "started, begun, kicked off, picked up, underway, under way, in the works, being worked on, being done, in work, ongoing, in motion, active, work in progress, wip",
  DID_START:
    "started, begun, began, kicked off, picked up, jumped on, started on, started with, started work on, started working on",
  DOING:
    "starting, starting on, starting with, beginning, kicking off, picking up, tackling, working on, doing, busy with, on",
  REMOVE:
    "remove, delete, del, erase, drop, scrap, bin, ditch, kill, eliminate, purge, dump, get rid of, throw out, throw away, toss, cut, destroy, axe, zap, lose, do away with, chuck out, chuck, trash, nix, junk, discard, clear away, nuke",
  REMOVED: "deleted, removed, binned, dropped, erased, scrapped, ditched, thrown out, thrown away, trashed, gone",
  RAISE: "bump, prioritise, prioritize, escalate, boost, raise, upgrade, increase, up, promote",
  LOWER: "lower, reduce, decrease, drop, deprioritise, deprioritize, downgrade, demote",
  SET: "set, change, make, put, update, give, mark, raise, lower, bump, drop, increase, decrease, reduce, move, treat, flag, assign, turn",
  ADD: "add, create, make, insert, put, new, file, open, log, register, raise, write, draft, throw in, chuck in, stick in, pop in, slip in, squeeze in, put in, stick, pop, start, set up, need, want, have, get, give, we need, i need, i want, we want, there should be, there must be, let's have, can we have, can i have, could we have, give me, give us, please have, get me",
  BEFORE: "before, right before, directly before, just before, in front of, to the left of, left of, ahead of",
  AFTER: "after, following, right after, directly after, just after, behind, to the right of, right of",
  BELOW:
    "below, right below, directly below, just below, under, right under, directly under, just under, underneath, beneath, after, right after, directly after, behind",
  ABOVE: "above, right above, directly above, just above, on top of, before, right before, directly before, over",
  NOTE: "jot down, jot, note, note down, write down, put down, remember, take a note, make a note, scribble down, pencil in",
  RENAME: "rename, retitle, call, name, relabel, change, edit, update, set, title, switch, rephrase, reword",
  TO_TITLE: "to, into, as, to be, to say, with, for, by, :",
  SHOW: "show, give, list, display, see, view, name, tell, get, find",
  // Verbs that only join.
  IS: "is, are, 's, was, were, got, has been, have been, has, looks, gets, be",
  MUST: "should, must, has to, have to, needs to, need to, needs, need, ought to, can, could, may, should probably, can now, should now, must now",
  GOES: "goes, go, belongs, belong, moves, comes, should go, must go, can go, needs to go, has to go, wants to go, should move, can move",
  MOVED: "moved, put, placed, pushed, sent, set, shifted, dragged, brought, taken",
  SO: "now, already, all, both, finally, actually, also, really, very, just, fully, completely, totally, pretty much, officially, basically, currently, well, too, so, super, extremely, quite",
  NOW: "now, already, finally, at last, today, yesterday, just now, this morning, please, again, so far, instead",
  WE: "i, we, you, they, people, the team, everyone",
  // Where, and which way.
  TO: "to, into, onto, in to, on to, under, over to, ->",
  IN: "in, on, as, at, for, under",
  AWAY: "back, forward, forwards, ahead, over, up, down, out, along, across, straight, right, directly, on, off, away, all, both, together",
  FROM_BOARD:
    "altogether, entirely, completely, for good, once and for all, from the board, from our board, from my board, from this board, off the board, from the list",
  // What there is.
  CARD: "card, task, ticket, item, todo, to-do, to-do item, action item, entry, sticky, sticky note, story, issue, bug, thing",
  CARDS: "cards, tasks, tickets, items, todos, things, stuff, issues, bugs, stories, ones",
  COLUMN: "column, col, list, lane, section, stage",
  COLUMNS: "columns, lists, lanes, cols, sections, stages",
  A: "a, an, another, one, one more, the, a new, an additional, another new, one new, new, a fresh, the new, this, some, a quick, a little",
  SOME: "some, these, the, the following, two, three, four, five, six, new, 2, 3, 4, 5, 6, a few",
  NAMED:
    "called, named, titled, saying, that says, which says, with the name, with name, with the title, with title, by the name, by name, of name, that reads, reading, having the name, having the title, name, text, with the text, with text",
  TITLE: "title, name, text, wording",
  PRIORITY: "priority, prio, urgency, importance",
} as const;

const split = (words: string): readonly (readonly string[])[] => words.split(/,\s*/).map((phrase) => phrase.split(" "));

/** The longest phrase first. */
export const GROUPS: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  Object.entries(GROUPS_IN_WORDS).map(([name, words]) => [
    name,
    split(words).toSorted((one, other) => other.length - one.length),
  ]),
);

/** So common that they may say something else. */
const COMMON =
  "want need have has get give set is are be on in at up out over all we i you they do a an the to of with for new make takes looks live ready".split(
    " ",
  );

/** Words of what is done to cards. */
export const ACTIONS: ReadonlySet<string> = new Set(
  (
    [
      "SEND",
      "FINISH",
      "FINISHED",
      "DID_FINISH",
      "START",
      "STARTED",
      "DID_START",
      "REMOVE",
      "REMOVED",
      "RAISE",
      "LOWER",
      "SET",
      "ADD",
      "NOTE",
      "RENAME",
      "MOVED",
    ] as const
  )
    .flatMap((name) => GROUPS[name] ?? [])
    .flatMap((phrase) => phrase.slice(0, 1))
    .filter((word) => !COMMON.includes(word)),
);

/** What cards cannot have done to them here: not to be taken for a misspelt word that they can. */
const CANNOT =
  "merge split copy clone share print post invite email mail hide lock unlock pin star block unblock pause hold save load sync export import archive close reopen restore comment link unlink attach assign unassign vote watch follow filter group ungroup freeze collapse expand fold resize colour color paint draw play stop quit join leave log sign pay buy sell ban mute rate sprint estimate schedule postpone delay snooze remind notify fork revert commit";

/** Words that are spelt right, and near to others. */
const OTHERS =
  "dont cant wont the and or of with from that this these those them it its has had not can will me my our your his her who what which where when why how many much more most less least last first next best lost list post cast past one two three four five six seven eight nine ten few own low high top bottom left right good time line page form note date word work works like love live life mode made save same some home come done gone none tone bone down town then than when there their here where were was will well wall tell call cell fill full feel fall file film find fine fire five free from test text task tests";

/** No other word is near to these. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(GROUPS).flat(2),
  ...NO_NOUNS,
  ...CANNOT.split(" "),
  ...OTHERS.split(" "),
]);
