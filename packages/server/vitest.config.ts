import { defineConfig } from "vitest/config";
import { withProperties } from "../../vitest.shared.ts";

// Without "module": what OpenTelemetry's packages name so is for bundlers. Node does not load it.
export default defineConfig({
  ...withProperties,
  ssr: { resolve: { conditions: ["@opstate/source", "node", "default"] } },
});
