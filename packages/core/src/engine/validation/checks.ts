// A container's own checks (`min`, `refine`, `check`...). Its children were walked before. The
// order is zod's: after an issue that aborts, only checks with a `when` run.
//
// Invariant: an author's check writes to no part of a state. It sees a view of what is not frozen.

import type { $ZodCheck, $ZodType, ParsePayload } from "zod/v4/core";
import { isContainer } from "../../json/container.ts";
import type { Pass, Walk } from "./pass.ts";
import { sync } from "./whole.ts";

/** `walk`, and then the schema's own checks. */
export function withChecks(schema: $ZodType, walk: Walk): Walk {
  const { checks } = schema._zod.def;
  if (checks === undefined || checks.length === 0) return walk;
  return (value, prev, pass, touched) => {
    const start = pass.issues.length;
    const output = walk(value, prev, pass, touched);
    return pass.full ? output : runChecks(schema, checks, output, start, pass);
  };
}

function runChecks(schema: $ZodType, checks: readonly $ZodCheck[], given: unknown, start: number, pass: Pass): unknown {
  const value =
    isContainer(given) && pass.frozen && checks.some(({ _zod }) => _zod.def.check === "custom")
      ? pass.frozen.view(given)
      : given;
  const issues = pass.since(start);
  // A check is typed by the value it takes, and its issues by their codes; both are whatever the
  // schema made, as in zod.
  const payload = { value, issues } as ParsePayload<never>;
  let aborted = issues.some((issue) => issue.continue !== true);
  for (const { _zod: check } of checks) {
    if (
      check.def.when === undefined
        ? aborted
        : issues.some((issue) => issue.continue === false) || !check.def.when(payload)
    )
      continue;
    const before = issues.length;
    sync(check.check(payload));
    if (issues.length === before) continue;
    const raised = issues.slice(before);
    pass.report(raised.map((issue) => ({ ...issue, schema: issue.schema ?? schema })));
    if (pass.full) break;
    aborted ||= raised.some((issue) => issue.continue !== true);
  }
  return payload.value === value ? given : payload.value;
}
