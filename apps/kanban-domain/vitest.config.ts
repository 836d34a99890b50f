import { defineConfig } from "vitest/config";
import { onPageBuild, withProperties } from "../../vitest.shared.ts";

const PAGE = "test/page/**/*.test.ts";

export default defineConfig({
  test: {
    projects: [
      { ...withProperties, test: { ...withProperties.test, name: "board", exclude: [PAGE] } },
      {
        ...onPageBuild(withProperties),
        test: { ...onPageBuild(withProperties).test, name: "board, page", include: [PAGE] },
      },
    ],
  },
});
