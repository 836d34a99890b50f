import { defineConfig } from "vitest/config";
import { withProperties } from "../../vitest.shared.ts";

export default defineConfig(withProperties);
