import { defineConfig } from "vitest/config";
import { onPageBuild, shared } from "../../vitest.shared.ts";

const PAGE = "test/page/**/*.test.ts";

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { ...shared.test, name: "core", exclude: [PAGE] } },
      {
        ...onPageBuild(shared),
        test: { ...onPageBuild(shared).test, name: "core, page", include: [PAGE, "test/replica/**/*.test.ts"] },
      },
    ],
  },
});
