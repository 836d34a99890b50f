import { defineConfig } from "vitest/config";
import { isLong } from "../../tools/runs.ts";
import { onPageBuild, withProperties } from "../../vitest.shared.ts";

const PAGE = "test/page/**/*.test.ts";
const PLANTED = "test/simulation/planted-bugs.test.ts";

const inPage = onPageBuild(withProperties);

export default defineConfig({
  test: {
    projects: [
      {
        ...withProperties,
        test: { ...withProperties.test, name: "core", exclude: [PAGE, PLANTED] },
      },
      // It replaces modules.
      ...(isLong()
        ? [
            {
              ...withProperties,
              test: { ...withProperties.test, name: "core, planted bugs", include: [PLANTED], isolate: true },
            },
          ]
        : []),
      { ...inPage, test: { ...inPage.test, name: "core, page", include: [PAGE, "test/replica/**/*.test.ts"] } },
    ],
  },
});
