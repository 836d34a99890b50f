// A plain state carries nothing out of a subgraph but itself. Of subgraphs that run at once the
// last one wins, and what the others did is lost without a refusal.

import { callingTask } from "../written.ts";

/** Warns once, in development, when a second subgraph works on the field in the same superstep. */
export function warnOfParallelSubgraphs(name: string): (update: unknown) => void {
  let [last, isWarned]: [ReturnType<typeof callingTask>, boolean] = [
    undefined,
    process.env["NODE_ENV"] === "production",
  ];
  return (update) => {
    const caller = isWarned || update === undefined || update === null ? undefined : callingTask();
    if (caller === undefined) return;
    isWarned = last?.step === caller.step && last.task !== caller.task;
    last = caller;
    if (!isWarned) return;
    process.emitWarning(
      `Subgraphs that run at once write the plain field "${name}": the state of the last one wins, and what the others did is lost. Use snapshotField, whose parent folds what each of them did.`,
      { code: "OPSTATE_PARALLEL_STATE" },
    );
  };
}
