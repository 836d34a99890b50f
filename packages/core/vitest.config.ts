import { defineConfig } from "vitest/config";
import { isLong } from "../../tools/runs.ts";
import { onPageBuild, shared } from "../../vitest.shared.ts";

const PAGE = "test/page/**/*.test.ts";

/** What runs on both builds: in the short form what the page's build changes most. */
const both = ["test/replica/**/*.test.ts", ...(isLong() ? ["test/simulation/simulation.test.ts"] : [])];

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { ...shared.test, name: "core", exclude: [PAGE] } },
      { ...onPageBuild(shared), test: { ...onPageBuild(shared).test, name: "core, page", include: [PAGE, ...both] } },
    ],
  },
});
