import { runConformanceTests } from "@durable-streams/server-conformance-tests";
import { afterAll, beforeAll } from "vitest";
import { createStreamServer, memoryStreams } from "../src/index.ts";
const server = createStreamServer({ store: memoryStreams(), insecure: true, longPollSeconds: 1 });
const config = { baseUrl: "", subscriptions: false };
beforeAll(async () => { config.baseUrl = (await server.listen()).url; });
afterAll(() => server.close());
runConformanceTests(config);
