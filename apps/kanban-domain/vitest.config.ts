import { defineConfig } from "vitest/config";
import { onPageBuild, shared } from "../../vitest.shared.ts";

const PAGE = "test/page/**/*.test.ts";

export default defineConfig({
  test: {
    projects: [
      { ...shared, test: { ...shared.test, name: "board", exclude: [PAGE] } },
      { ...onPageBuild(shared), test: { ...onPageBuild(shared).test, name: "board, page", include: [PAGE] } },
    ],
  },
});
