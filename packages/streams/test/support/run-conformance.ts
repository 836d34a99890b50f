// The official conformance suite of the Durable Streams protocol, on one store. All 332 tests that
// it has without subscriptions run in the long form; the short one runs the groups of `SHORT`.

import { runConformanceTests } from "@durable-streams/server-conformance-tests";
import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { isLong } from "../../../../tools/runs.ts";
import { createStreamServer, type StreamStore } from "../../src/index.ts";

/** Without what waits for seconds, and without what draws hundreds of streams. */
const SHORT =
  / > (?:Append Operations|HTTP Protocol|Protocol Edge Cases|JSON Mode|Idempotent Producer Operations|Fork - (?!TTL|Live).*) > /;

export function runConformance(
  name: string,
  open: () => Promise<{ store: StreamStore; dispose(): Promise<void> }>,
): void {
  describe(name, () => {
    const config = { baseUrl: "", subscriptions: false };
    let ran = 0;
    let close = async () => {};

    beforeAll(async () => {
      const { store, dispose } = await open();
      const server = createStreamServer({ store, insecure: true, longPollSeconds: 1 });
      config.baseUrl = (await server.listen()).url;
      close = async () => {
        await server.close();
        await dispose();
      };
    });

    beforeEach(({ task, skip }) => {
      if (!isLong() && !SHORT.test(`${task.fullName} > `)) skip();
      ran += 1;
    });

    afterAll(async () => {
      await close();
      if (isLong()) expect(ran).toBe(332);
      else expect(ran).toBeGreaterThan(100);
    });

    runConformanceTests(config);
  });
}
