// Which node a thread should have: of all, the one whose address has the highest weight.

import type { LiveNode } from "../log/ownership.ts";
import { weightOf } from "../log/rendezvous.ts";

/** Undefined when all drain. `rootId`: of a branch its parent's, so that they stay together. */
export function preferredNode(nodes: readonly LiveNode[], rootId: string): LiveNode | undefined {
  let best: { readonly node: LiveNode; readonly weight: string } | undefined;
  for (const node of nodes) {
    if (node.isDraining) continue;
    // A node that starts again has its address, and another id. Two may have one for a moment.
    const weight = weightOf(node.address, rootId) + node.id;
    if (best === undefined || weight > best.weight) best = { node, weight };
  }
  return best?.node;
}
