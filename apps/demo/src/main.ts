// Starts the demos: `node apps/demo/src/main.ts`. PORT, OPSTATE_DATA, OPSTATE_DEBATE_DATA,
// OPSTATE_MODEL, OPSTATE_OFFLINE_DELAY, OPSTATE_PROVIDER and OPSTATE_OLLAMA change it.

import { drainOnSignals } from "@opstate/server";
import { startDemo } from "./demo.ts";
import { introduction } from "./introduction.ts";
import { StartError } from "./start-error.ts";

try {
  const demo = await startDemo(process.env);
  console.log(introduction(demo.url, demo.model, demo.data));
  drainOnSignals(demo, { deadline: 5_000, onDrained: () => demo.closeData() });
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  // Not `process.exit`, where Node 24 can wait without end for a thread that compiles.
  process.exitCode = 1;
}
