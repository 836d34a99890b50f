// Plants bugs in core, one at a time, and runs the test that must find it:
//
//   node tools/long/planted-bugs.ts            all that `bugs.ts` lists
//   node tools/long/planted-bugs.ts rewinds    those with the word in their name
//
// Nothing is written: the text of a module is changed on its way into the test. Each is a bug that
// the suites once passed over, or the undoing of a mend. Those that the simulation finds by itself
// are in `packages/core/test/simulation/planted-bugs.ts`.
//
// It fails when a test passes in spite of its bug, when one fails without, and when the text that a
// bug is planted in is not there any more.

import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";
import { shared } from "../../vitest.shared.ts";
import { type Bug, BUGS } from "./bugs.ts";

const root = fileURLToPath(new URL("../../packages/core", import.meta.url));

/** Whether tests pass; with a bug, whether its text was met. */
async function run(tests: readonly string[], bug?: Bug): Promise<{ readonly passes: boolean; readonly met: boolean }> {
  let met = false;
  const vitest = await startVitest(
    "test",
    [...tests],
    // Without its file of settings: plugins do not reach the projects that are named there.
    { root, config: false, watch: false, reporters: [{}], fsModuleCache: false },
    {
      ...shared,
      // Some bugs make a test hang.
      test: { ...shared.test, retry: 0, testTimeout: 60_000 },
      plugins: [
        {
          name: "planted-bug",
          enforce: "pre",
          transform(code: string, id: string) {
            if (bug === undefined || !id.endsWith(`/core/${bug.file}`)) return undefined;
            if (code.split(bug.right).length !== 2) return undefined;
            met = true;
            return code.replace(bug.right, () => bug.wrong);
          },
        },
      ],
    },
  );
  const modules = vitest.state.getTestModules();
  const passes = modules.length > 0 && modules.every((module) => module.ok());
  await vitest.close();
  return { passes, met };
}

const word = process.argv[2] ?? "";
const chosen = Object.entries(BUGS).filter(([what]) => what.includes(word));
if (chosen.length === 0) throw new RangeError(`No planted bug has "${word}" in its name.`);

const faults: string[] = [];
const { passes } = await run([...new Set(chosen.map(([, { test }]) => test))]);
if (!passes) faults.push("The tests fail without any bug.");
for (const [what, bug] of chosen) {
  const found = await run([bug.test], bug);
  const end = !found.met ? "is not planted: its text is not there once" : found.passes ? "is not found" : "is found";
  console.log(`${what}: ${end}`);
  if (end !== "is found") faults.push(`${bug.file}: "${what}" ${end} (${bug.test}).`);
}
// A run of tests that fail sets it.
process.exitCode = faults.length > 0 ? 1 : 0;
console.log(faults.length > 0 ? faults.join("\n") : `${chosen.length} planted bugs, all found.`);
