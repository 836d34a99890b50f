// A small state with everything a thread must carry: a derived field, an operation that can refuse,
// permissions, a no-op.

import { type Actor, defineState, type Log } from "@opstate/core";
import { z } from "zod";

export const ada: Actor = { kind: "user", id: "ada" };
export const bob: Actor = { kind: "user", id: "bob" };
export const robot: Actor = { kind: "agent", id: "robot" };

export function defineTally(version = 1) {
  return defineState({
    name: "tally",
    version,
    schema: z.object({ count: z.int().max(1_000_000), names: z.array(z.string()), size: z.int() }),
    initial: { count: 0, names: [], size: 0 },
    derive: { "/size": (state) => state.names.length },
    operations: {
      add: {
        description: "Add to the count.",
        input: z.object({ by: z.int() }),
        apply(draft, { by }, { reject }) {
          if (by > 100) return reject("too_much", `${by} is more than 100`, { most: 100 });
          draft.count += by;
        },
      },
      name: {
        description: "Put a name on the list",
        input: z.object({ name: z.string() }),
        apply(draft, { name }, { reject }) {
          if (draft.names.includes(name))
            return reject("name_taken", `"${name}" is on the list`, { names: draft.names });
          draft.names.push(name);
        },
      },
      unname: {
        input: z.object({ name: z.string() }),
        apply(draft, { name }, { reject }) {
          const index = draft.names.indexOf(name);
          if (index < 0) return reject("name_not_found", `No "${name}" on the list`, { names: draft.names });
          draft.names.splice(index, 1);
        },
      },
      reset: { input: z.object({}), allow: ["user"], apply: (draft) => void (draft.count = 0) },
      wipe: { input: z.object({}), approve: ["agent"], apply: (draft) => void (draft.names = []) },
    },
  });
}

export const tally = defineTally();

/** Ids and times that are the same in every run. */
export function steady() {
  let ids = 0;
  let seconds = 0;
  return {
    mintId: () => `id-${(ids += 1)}`,
    clock: () => new Date(Date.UTC(2026, 0, 1) + (seconds += 1) * 1_000).toISOString(),
  };
}

/** The log as another process has it: what is open here is not open there. */
export function elsewhere<L extends Log>(log: L): L {
  return { ...log };
}

/** A log that records its calls and does first what a test says. */
export function spied(
  log: Log,
  before: (method: keyof Log, ...rest: unknown[]) => void | Promise<void> = () => undefined,
): Log & { readonly calls: string[] } {
  const calls: string[] = [];
  const wrap =
    (method: keyof Log) =>
    async (...rest: unknown[]): Promise<unknown> => {
      calls.push(method);
      await before(method, ...rest);
      return (log[method] as (...args: unknown[]) => unknown)(...rest);
    };
  // The one call that answers at once.
  const { watch, ...rest } = log;
  const methods = Object.keys(rest) as (keyof Log)[];
  return Object.assign(
    { calls, ...(watch && { watch }) },
    Object.fromEntries(methods.map((method) => [method, wrap(method)])) as unknown as Log,
  );
}
