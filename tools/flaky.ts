// Tests that fail and pass when they are run once more, as CI does: a defect of the test or of the
// product, to be mended. A property draws the same cases again, so that what it finds stays found.
//
//   a failing test ──▶ once more ──▶ fails ──▶ the run fails
//                                └─▶ passes ─▶ a line in .turbo/flaky.log, which CI prints

import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Reporter, TestCase } from "vitest/node";

const root = join(import.meta.dirname, "..");
const log = join(root, ".turbo/flaky.log");

/** How often a test that fails is run again. */
export const RETRIES = process.env["CI"] ? 1 : 0;

/** Appends each flaky test to `.turbo/flaky.log`, with what was thrown at first. */
export default class FlakyTests implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const thrown = test.result().errors?.map(({ message }) => message.replaceAll(/^/gmu, "    ")) ?? [];
    mkdirSync(dirname(log), { recursive: true });
    appendFileSync(log, [`${relative(root, test.module.moduleId)}: ${test.fullName}`, ...thrown, ""].join("\n"));
  }
}
