import { memoryStreams } from "../../src/index.ts";
import { runConformance } from "../support/run-conformance.ts";

runConformance("Durable Streams on memory", async () => {
  const store = memoryStreams();
  return { store, dispose: () => store.close() };
});
