// A process that searches stretches of seeds, one after the other, and sends what it found.

import { search } from "./search.ts";

// Some refusals are made from errors, whose stack traces would cost a tenth of the time.
Error.stackTraceLimit = 0;

process.on("message", ({ first, runs }: { readonly first: number; readonly runs: number }) => {
  void search(first, runs).then((found) => process.send?.({ found }));
});
process.send?.({});
