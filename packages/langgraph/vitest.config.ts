import { defineConfig } from "vitest/config";
import { withProperties } from "../../vitest.shared.ts";

// The modules of LangChain are many: they are evaluated once, and not for each file.
export default defineConfig({ ...withProperties, test: { ...withProperties.test, isolate: false } });
