// The grammar: what a person can say, rule by rule, and what it means. A new way to say something
// is a new line of a rule; a new word for the same is a new word in its group. How a line is
// written is told in `match.ts`, what can be kept in `kept.ts`.
//
// Invariant: a reading names what the board must have. It is taken only where the board has it.

import type { CardQuery, Intent } from "../intent.ts";
import { removal, VERB_ALONE } from "../reading/cards.ts";
import { COLUMN_RULES, COLUMN_STATEMENTS } from "./column-rules.ts";
import { type Kept, nameOf } from "./kept.ts";
import { QUESTION_RULES } from "./question-rules.ts";
import { type Rule, statement, wish } from "./rule.ts";

const move = ({ cards, from, place }: Kept): Intent => ({
  kind: "move",
  cards: from === undefined ? cards : cards.map((each) => ({ ...each, column: from })),
  ...place,
});
const finish = (kept: Kept): Intent => ({ kind: "move", cards: kept.cards, column: "done" });
const start = (kept: Kept): Intent => ({ kind: "move", cards: kept.cards, column: "In Progress" });
const rank = (kept: Kept): Intent => ({
  kind: "prioritise",
  cards: kept.cards,
  priority: kept.priority ?? kept.number,
});
/** "drop T-1 in Done" may mean that it goes there. */
const remove = (kept: Kept): Intent | undefined =>
  kept.cards.some((query) => query.by === "name" && query.column !== undefined)
    ? undefined
    : removal(kept.cards.map(strictly));
const rename = ({ card, title, quoted }: Kept): Intent => ({
  kind: "rename",
  what: "card",
  name: nameOf(card),
  ...(card.isAbout ? { isAbout: true } : {}),
  title: title ?? quoted,
});
const add = ({ title, titles, place }: Kept): Intent | undefined =>
  place?.column !== undefined && titles === undefined && VERB_ALONE.test(title)
    ? undefined
    : { kind: "addCards", titles: titles ?? [title], ...place };

/** Nothing is removed for one word of its title. */
const strictly = (query: CardQuery): CardQuery =>
  query.by === "name" && query.isAbout === true && !/\s/.test(query.name) ? { by: "name", name: query.name } : query;

export const RULES: readonly Rule[] = [
  wish(move, {
    "SEND <cards> AWAY* TO <place>": "shove the dark mode one over into Review",
    "SEND <named> AWAY* from <from> TO <place>": "bring T-3 back from Done to Review",
    "SEND <named> AWAY* from/off/of/out <from> and? AWAY* TO <place>": "get T-3 off Done and onto Review",
    "SEND <named> AWAY* IN <place>": "chuck T-3 in Review",
    "SEND back/over/up/down <named> TO/IN <place>": "put back T-8 in Backlog",
    "drop <cards> back/over/down/up TO/IN <place>": "drop T-3 back into Review",
    "drop <named> into/onto <place>": "drop T-3 into Review",
    "AWAY* TO <place> with <cards>": "back to Backlog with T-3",
    "SEND TO <place> the/a? CARD <cards>": "move to Review the card T-3",
    "can/could/may/should/would/will <cards> please? be MOVED AWAY* TO <place>": "can T-3 be moved to Review",
    "WE need/want/like/prefer that? <cards> GOES AWAY* TO/IN <place>": "I want that T-3 goes to Review",
    "WE need/want/like/prefer <cards> to? be? go? MOVED? at/on/in/TO <place>": "I need T-3 at the top of Backlog",
  }),
  wish(({ cards, count }) => ({ kind: "move", cards, shift: count ?? 1 }), {
    "SEND <cards> AWAY* <count> COLUMN? to? the? right": "move T-3 one to the right",
    "SEND <cards> AWAY* to the right": "move T-3 to the right",
    "can/could/may/should/would/will <cards> please? be MOVED AWAY* <count> COLUMN? to? the? right":
      "can T-3 be moved one to the right",
  }),
  wish(({ cards, count }) => ({ kind: "move", cards, shift: -(count ?? 1) }), {
    "SEND <cards> AWAY* <count> COLUMN? to? the? left": "move T-3 one to the left",
    "SEND <cards> AWAY* to the left": "move T-3 to the left",
    "can/could/may/should/would/will <cards> please? be MOVED AWAY* <count> COLUMN? to? the? left":
      "can T-3 be moved one to the left",
  }),
  wish(finish, {
    "FINISH <cards> NOW?": "ship T-3",
    "wrap/tick/check/cross/close/polish/knock/finish <cards> up/off/out": "wrap T-3 up",
    "get/have/see/consider/count/declare/mark/make/set/call <cards> as? SO* FINISHED": "get T-3 done",
    "make that <cards> is/are finish/done/finished/complete": "make that T-3 is finish",
    "WE 'm/am/'re/are SO* FINISHED with <cards>": "I'm done with T-3",
  }),
  wish(start, {
    "START <cards> NOW?": "kick off T-3",
    "kick/pick <cards> off/up NOW?": "kick T-3 off",
  }),
  wish(remove, {
    "REMOVE <cards> FROM_BOARD*": "bin T-3 altogether",
    "take/throw/chuck/get/pull/clear/kick/toss <cards> FROM_BOARD": "take T-3 off the board",
    "throw/toss/take/chuck <named> out/away/off": "throw T-3 out",
  }),
  wish(rank, {
    "SET <cards> to? as? at? be? with? SO* <priority>": "bump T-3 to prio 1",
    "make <named> a <number>": "make T-3 a 2",
    "SET <cards> 's? PRIORITY to/at/=/as/on <number>": "change T-3's priority to 2",
    "SET the? PRIORITY of/for/on/from/to <cards> to/at/on/as/in/=/: <number>": "change priority for T-3 on 1",
    "lower/raise/bump/drop/increase/reduce <cards> down/up? to <number>": "lower the flicker one to 4",
    "give/assign <priority> to <cards>": "give top priority to T-3",
    "PRIORITY <number> for/to/on <cards>": "priority 2 for T-3",
  }),
  wish((kept) => ({ kind: "reprioritise", cards: kept.cards, by: -1 }), {
    "RAISE up? <named> up? in/by? a/one? PRIORITY/step/level/notch?": "prioritise T-3",
    "RAISE up? <cards> 's PRIORITY": "raise T-3's priority",
    "<some> MUST/needs have/get/be* a? higher/more PRIORITY/urgent": "T-3 needs a higher priority",
    "<some> is/are more urgent/important NOW?": "T-3 is more urgent now",
    "make/give <cards> a? bit/little? more high/higher/more PRIORITY/urgent/important": "make T-3 more high priority",
  }),
  wish((kept) => ({ kind: "reprioritise", cards: kept.cards, by: 1 }), {
    "deprioritise/deprioritize/downgrade/lower <named> in? PRIORITY?": "deprioritise T-3",
    "LOWER <cards> 's PRIORITY": "lower T-3's priority",
    "<some> MUST/needs have/get/be* a? lower/less PRIORITY/urgent": "T-3 could have a lower priority",
    "make <cards> a? bit/little? less urgent/important": "make T-3 less urgent",
  }),
  wish(rename, {
    "rename/retitle/relabel/call/name <card> TO_TITLE <title>": "rename the pricing card to Find",
    "RENAME <card> TO_TITLE? <quoted> NOW?": "name the pricing card 'Find'",
    "rename/retitle/relabel/call/name <card> in/on/at <quoted>": "rename T-3 in 'Find'",
    "RENAME/give <card> a? new? TITLE TO_TITLE? <title>": "give T-3 the title Find",
    "swap/switch/replace/exchange/RENAME out? <card> 's TITLE TO_TITLE <title>": "swap out T-3's title for Find",
    "replace/exchange/swap/RENAME out? the? TITLE of <card> TO_TITLE <title>": "replace the title of T-3 with Find",
  }),
  wish(
    ({ title, quoted, other }) => ({ kind: "addCards", titles: [title ?? quoted], position: { after: nameOf(other) } }),
    {
      "ADD <quoted> BELOW <other>": "add 'Find' right under T-3",
      "ADD A* CARD NAMED? <quoted> BELOW <other>": "add a card 'Find' below T-3",
    },
  ),
  wish(
    ({ title, quoted, other }) => ({
      kind: "addCards",
      titles: [title ?? quoted],
      position: { before: nameOf(other) },
    }),
    {
      "ADD <quoted> ABOVE <other>": "add 'Find' just above T-3",
      "ADD A* CARD NAMED? <quoted> ABOVE <other>": "add a card 'Find' above T-3",
    },
  ),
  wish(add, {
    "ADD A* CARD/CARDS TO/IN/at <place> NAMED/: <title>": "stick a card in Review saying Check numbers",
    "ADD A* CARD NAMED/:* <title> ,? TO/in/at <place>": "log a ticket Call Ada in Review",
    "ADD A* CARD NAMED/for/about/:* <title>": "create a task Fix the printer",
    "NOTE A* CARD NAMED/for/about/to/:* <title>": "jot down a task: call the lawyer",
    "NOTE this? down? that? :? <title>": "jot this down: ring the plumber",
    "ADD SOME* CARDS : <titles>": "make two cards: paint fence, mow lawn",
  }),
  ...COLUMN_RULES,
  ...QUESTION_RULES,

  statement(move, {
    "<some> GOES AWAY* TO/IN <place>": "T-3 goes into Review",
    "<some> MUST to? go/come/move/land AWAY* TO/IN <place>": "T-3 need to come in Review",
    "<some> MUST be MOVED? AWAY* TO/IN/at <place>": "the card of pricing must be in In Progress",
    "<named> IS SO* in/under <place> NOW?": "T-3 is in Review",
    "<some> is/are? SO* ready/up/waiting for <place> NOW?": "T-3 is ready for Review",
    "<named> awaiting/awaits <place>": "T-3 awaits Review",
    "<some> IS SO* MOVED AWAY* TO/IN <place>": "T-3 is moved to Review",
    "<named> SEND it/them? TO/IN <place>": "T-3 put in Review",
  }),
  statement(finish, {
    "<named> IS SO* out/sent/published NOW?": "the announcement is out",
    "<some> IS SO* FINISHED NOW?": "both cards in Review are done",
    "<some> MUST be SO* FINISHED NOW?": "T-3 should be done",
    "WE 've/have? SO* DID_FINISH with? <some> NOW?": "we just wrapped up T-3",
    "SO* DID_FINISH with? <some> NOW?": "just shipped T-3",
    "<named> FINISHED": "shortcuts done",
  }),
  statement(start, {
    "<some> IS SO* STARTED NOW?": "T-3 is under way",
    "WE 've/have? SO* DID_START <some> NOW?": "we have started T-3",
    "WE are/am/'m/'re? SO* DOING <some> NOW?": "I am tackling T-3",
    "SO* DID_START <some> NOW?": "picked up T-3",
  }),
  statement(rank, {
    "<some> MUST? be/become/have/get/becomes/gets/has/have/is/are SO* set? to? at? of? <priority> NOW?":
      "T-3 should be priority 1",
    "<some> :/=? to/at? <priority>": "pricing p1",
    "<priority> : <named>": "p1: pricing",
  }),
  statement(remove, {
    "<named> MUST be REMOVED NOW?": "T-3 can be dropped",
    "<some> MUST be/get? REMOVED": "everything in Done can be binned",
    "<some> can/should/must/may go/disappear away? NOW?": "T-3 can go",
    "<named> IS REMOVED": "T-3 is deleted",
    "<some> GOES IN/TO the? bin/trash/rubbish/garbage": "T-3 can go in the bin",
  }),
  ...COLUMN_STATEMENTS,
  statement(rename, {
    "<card> 's? new? TITLE IS/:/should/must be? <title>": "T-3 new title: Night mode",
    "<card> 's? new? TITLE to <title>": "T-3 title to Night mode",
    "<card> MUST be called/named/renamed/retitled to? <title>": "T-3 should be called Find",
    "<card> has/have/got a/the wrong/bad/old TITLE ,/: it? IS? MUST be? <title>":
      "T-3 has a wrong title, should be Find",
  }),
  statement(move, {
    "<bare> :/= <place>": "T-3: Review",
    "<bare> SO* back? TO/in <place>": "the dark mode one to Done",
    "<placed> SO* back? TO <place>": "second card in Review to Done",
    "<bare> <place>": "T-3 Review",
  }),
];
