// A definition as it is for what was permitted, or approved, once.

import type { Model } from "../../engine/model.ts";

/** The model with every permission: what was permitted or approved once is done again. */
export function withAllPermissions(model: Model): Model {
  const open = { allow: undefined, approve: [] };
  const operations = new Map([...model.operations].map(([type, operation]) => [type, { ...operation, ...open }]));
  const whole = { depth: Infinity, nodes: Infinity, bytes: Infinity };
  return {
    ...model,
    operations,
    replace: open,
    patches: true,
    limits: { ...model.limits, operation: whole, state: whole, batch: Infinity },
  };
}
