// Reads requests to undo the last run.

import type { Reader } from "./intents.ts";

const THIS = "(?:it|that|this|them|those|these|everything|all)";
const YOURS =
  "(?:(?:all |everything |everything that |all that |what |whatever )(?:of it |that )?(?:you|the agent)(?:'ve| have| has)? (?:just )?(?:did|done|changed|moved|made)(?: just now| there)?|(?:all )?(?:of )?(?:your|the|the agent's|that) (?:last |latest |previous |recent )?(?:run|changes?|edits?|steps?|actions?|moves?|requests?|things?))";
const WHAT = `(?:all of |all )?(?:${THIS}|${YOURS})`;
const AS_BEFORE =
  "(?: again| now| please)?(?: (?:where|how|as|to (?:how|where|the way|what|its place|their place)|the way)(?: (?:it|they|things|everything) (?:was|were|came from|had been|looked|belongs?))?(?: before)?(?: (?:the|your) (?:last )?run)?)?";
const EVERYTHING_BACK = new RegExp(
  `^(?:(?:no|oops|wrong|hey|ah|oh|nope|wait|stop|sorry)[,.!]* )*(?:${[
    `un-?do|revert|roll ?back|ctrl[+ -]?z`,
    `(?:un-?do|revert|reverse|roll back|take back|restore|cancel) ${WHAT}`,
    `(?:take|roll|put|bring|move|get|set|give|turn|change|switch|have) ${WHAT}(?: all)? back${AS_BEFORE}`,
    `put back ${WHAT}`,
    `(?:go|step|take me|take us|bring me|get me|bring us) back${AS_BEFORE}(?: (?:to )?(?:just |right )?before(?: (?:that|this|it|(?:the|your|that|this)(?: last| latest)? (?:run|changes?|requests?|edits?|move)))?)?`,
    `back to (?:just )?(?:before|how it was)(?: (?:the|your|that)(?: last)? (?:run|changes?|requests?))?(?: before)?`,
    `(?:restore|reset|return|revert) (?:it |this |the board |everything )?to (?:how it was|the state)? ?(?:before)?(?: (?:the|your|that)(?: last)? (?:run|changes?|requests?))?`,
    `as it was(?: before)?`,
  ].join("|")})(?: again| please)?$`,
  "i",
);

export const undo: Reader = (text) => (EVERYTHING_BACK.test(text) ? { kind: "undo" } : undefined);
