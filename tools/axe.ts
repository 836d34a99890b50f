// What axe finds on a page. It is a third of the time of what axe does by itself:
//
// - Of the rules that hold, it does not say where.
// - The page gathers what its frames found, which are of its own origin; by itself, axe opens
//   another page for that.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";

type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];

export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode();
}

/** Each violation with the elements that it is about. */
export function inWords(violations: Violations): readonly string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
