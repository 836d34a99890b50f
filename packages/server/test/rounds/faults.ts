// What is done to the nodes of a round, drawn from its seed: three faults and more, one after the
// other on each node, on several nodes at a time.

import type { Random } from "../../../core/test/simulation/random.ts";
import type { RoundNode } from "./round-node.ts";

export const FAULTS = ["kill", "pause", "cut", "cut from database", "drain", "restart database"] as const;

export interface PlannedFault {
  readonly what: (typeof FAULTS)[number];
  /** Its place among the nodes; of a database, among the databases. */
  readonly node: number;
  /** Verdicts since the fault before: a slow machine takes its time. */
  readonly after: number;
  /** Milliseconds that it lasts. */
  readonly lasts: number;
}

export function planFaults(random: Random, nodes: number, lease: number, count: number): readonly PlannedFault[] {
  return Array.from({ length: count }, () => {
    const what = random.pick(FAULTS);
    const after = 5 + random.below(60);
    // Past the lease, so that another node owns its threads by then.
    const lasts = what === "pause" ? lease * 1.2 + random.below(2 * lease) : random.below(2 * lease);
    return { what, node: random.below(nodes), after, lasts: Math.round(lasts) };
  });
}

export interface FaultyParts {
  readonly nodes: readonly RoundNode[];
  /** Does nothing where the database is not this process's own. */
  readonly restartDatabase: (place: number) => Promise<void>;
  readonly onFault: (what: string) => void;
  /** Resolves after so many verdicts more. */
  readonly verdicts: (count: number) => Promise<void>;
}

/** Resolves when all are over: every node runs and reaches its database. */
export async function doFaults(plan: readonly PlannedFault[], parts: FaultyParts): Promise<void> {
  const busy = new Map<object, Promise<void>>();
  /** What is done to one of them is done one after the other. */
  const then = (to: object, fault: () => Promise<void>) => {
    const done = (busy.get(to) ?? Promise.resolve()).then(fault);
    busy.set(to, done);
    // It is waited for below.
    done.catch(() => undefined);
  };
  for (const { what, node: place, after, lasts } of plan) {
    await parts.verdicts(after);
    const node = parts.nodes[place % parts.nodes.length];
    if (node === undefined) continue;
    const begin = () => parts.onFault(`${what} ${node.name} ${lasts}`);
    if (what === "restart database")
      then(parts, async () => {
        begin();
        await parts.restartDatabase(place);
      });
    else
      then(node, async () => {
        begin();
        if (what === "kill") await node.killed(lasts);
        if (what === "pause") await node.paused(lasts);
        if (what === "cut") await node.cut(lasts);
        if (what === "cut from database") await node.cutFromDatabase(lasts);
        if (what === "drain") await node.drained();
      });
  }
  await Promise.all(busy.values());
}
