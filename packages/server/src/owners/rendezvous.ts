// Which node a thread should have: of all, the one with the highest hash of its address and the
// thread's root (rendezvous hashing). So when a node comes or goes, no threads move but its own.

import { createHash } from "node:crypto";
import type { LiveNode } from "../log/ownership.ts";

/** Undefined when all drain. `rootId`: of a branch its parent's, so that they stay together. */
export function preferredNode(nodes: readonly LiveNode[], rootId: string): LiveNode | undefined {
  let best: { readonly node: LiveNode; readonly weight: string } | undefined;
  for (const node of nodes) {
    if (node.isDraining) continue;
    // A node that starts again has its address, and another id. Two may have one for a moment.
    const weight = createHash("sha256").update(`${node.address}\n${rootId}`).digest("hex") + node.id;
    if (best === undefined || weight > best.weight) best = { node, weight };
  }
  return best?.node;
}
