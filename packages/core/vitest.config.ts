import { defineConfig } from "vitest/config";
import { onPageBuild, withProperties } from "../../vitest.shared.ts";

const PAGE = "test/page/**/*.test.ts";

export default defineConfig({
  test: {
    projects: [
      { ...withProperties, test: { ...withProperties.test, name: "core", exclude: [PAGE] } },
      {
        ...onPageBuild(withProperties),
        test: { ...onPageBuild(withProperties).test, name: "core, page", include: [PAGE, "test/replica/**/*.test.ts"] },
      },
    ],
  },
});
