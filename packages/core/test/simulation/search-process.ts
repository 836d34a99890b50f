// A process that searches the stretches of seeds that it is given, one after the other, and says
// what it found.

import { search } from "./search.ts";

// Some refusals are made from errors: their stack traces would cost a tenth of the time.
Error.stackTraceLimit = 0;

process.on("message", ({ first, runs }: { readonly first: number; readonly runs: number }) => {
  void search(first, runs).then((found) => process.send?.({ found }));
});
process.send?.({});
