// Every interleaving of two authorities, two writers and their log, over the authority's own step
// function: node --conditions=@opstate/source tools/soaks/interleavings.ts
//
// `--planted` searches for the planted bugs instead, and prints the shortest trace of each.
// `--only <text>` goes through the worlds that have the text in their name. A law that is broken is
// reported with the shortest way to it, and ends the process with status 1.

import { parseArgs } from "node:util";
import { FULL } from "../../packages/core/test/exhaustive/configurations.ts";
import { PLANTED, withBug, worldOf } from "../../packages/core/test/exhaustive/planted.ts";
import * as log from "../../packages/core/test/exhaustive/log.ts";
import { search } from "../../packages/core/test/exhaustive/search.ts";
import { type Configuration, createModel } from "../../packages/core/test/exhaustive/world.ts";
import * as steps from "../../packages/core/src/thread/authority/step.ts";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, planted: { type: "boolean", default: false } },
});
const begun = performance.now();
let [states, transitions] = [0, 0];

if (values.planted)
  for (const [name, bug] of Object.entries(PLANTED)) {
    const { broken, states } = search(createModel(worldOf(bug), await withBug(bug)));
    const isFound = broken !== undefined && bug.law.test(broken.law);
    console.log(`${name}: ${isFound ? broken.law : "NOT FOUND"} (${states} states)`);
    for (const [at, what] of (broken?.trace ?? []).entries()) console.log(`  ${at + 1}. ${what}`);
    if (!isFound) process.exitCode = 1;
  }
else for (const [name, configuration] of Object.entries(FULL)) goThrough(name, configuration);

function goThrough(name: string, configuration: Configuration): void {
  if (!name.includes(values.only)) return;
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1_000).toFixed(1);
  const found = search(createModel(configuration, { steps, log }), {
    onProgress: (states, transitions, depth) =>
      states > 0 && console.error(`  ${states} states, ${transitions} transitions, depth ${depth}, ${seconds()} s`),
  });
  states += found.states;
  transitions += found.transitions;
  const { broken } = found;
  console.log(
    `${name}: ${found.states} states, ${found.transitions} transitions, depth ${found.depth}, ${seconds()} s: ${broken === undefined ? "no law is broken" : broken.law}`,
  );
  for (const [at, what] of (broken?.trace ?? []).entries()) console.log(`  ${at + 1}. ${what}`);
  if (broken !== undefined) process.exitCode = 1;
}
if (!values.planted)
  console.log(
    `${states} states, ${transitions} transitions in all, ${Math.round((performance.now() - begun) / 1_000)} s.`,
  );
