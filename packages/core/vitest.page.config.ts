import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";

const conditions = ["opstate-page", "@opstate/source"];

/** The suites of what a page runs, on the page's build. */
export default defineConfig({
  ...shared,
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, "node", "module", "default"] } },
  test: { ...shared.test, typecheck: { enabled: false } },
});
