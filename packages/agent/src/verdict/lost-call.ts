// What a model reads of a call that has no result, because the run went on without it.

/**
 * A call that had no effect on a state, in a conversation that several agents have: another one may
 * have made it, on a state of its own. `name` is the state's.
 */
export function noResultHereText(name: string): string {
  return `This call gave no result here: the run went on without it, or another agent made it. ${name} is unchanged by this call. Check before you make it again.`;
}

/** A call that had no effect. `name` is the state's. */
export function notCarriedOutText(name: string): string {
  return `Not carried out: the run went on before this call had an effect. ${name} is unchanged by this call. Make the call again if it is still wanted.`;
}

/** A call whose verdict is not kept any more. `name` is the state's. */
export function notRecordedText(name: string): string {
  return `The result of this call was not recorded. Check the current state of ${name}.`;
}

/** A call of some other tool. */
export const NO_RESULT =
  "This call gave no result: the run went on without it. It may have had an effect, so check before you make it again.";
