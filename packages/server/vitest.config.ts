import { defineConfig } from "vitest/config";
import { withProperties } from "../../vitest.shared.ts";

// Without "module": what OpenTelemetry's packages name so is for bundlers. Node does not load it.
// Its tests wait more than they compute. Some replace what a process has once: modules, globals,
// the methods of Node's server.
export default defineConfig({
  ...withProperties,
  test: { ...withProperties.test, isolate: true, maxWorkers: 2 },
  ssr: { resolve: { conditions: ["@opstate/source", "node", "default"] } },
});
