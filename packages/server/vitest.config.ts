import { defineConfig } from "vitest/config";
import { withProperties } from "../../vitest.shared.ts";

// What replaces modules, globals or what a process has once, such as methods of Node's server.
const REPLACING = [
  "test/http/beside-hono.test.ts",
  "test/client/http-transport.test.ts",
  "test/client/kept.test.ts",
  "test/examples.test.ts",
  "test/observe/opentelemetry.test.ts",
  "test/rights/lifecycles.test.ts",
  "test/sqlite/worker.test.ts",
];

// Without "module": what OpenTelemetry's packages name so is for bundlers. Node does not load it.
const ssr = { resolve: { conditions: ["@opstate/source", "node", "default"] } };

// The tests wait more than they compute.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { ...withProperties, ssr, test: { ...withProperties.test, name: "server", exclude: REPLACING } },
      {
        ...withProperties,
        ssr,
        test: { ...withProperties.test, name: "server, replacing", include: REPLACING, isolate: true },
      },
    ],
  },
});
