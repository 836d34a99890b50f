import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

// Tests of one file that wait for the platform wait beside each other.
export default defineConfig({ ...shared, test: { ...shared.test, maxWorkers: 2, maxConcurrency: 10 } });
