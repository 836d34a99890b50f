// Who owns a thread, where threads are in several databases: each decides about its own.
//
// Invariants:
// - The clock of a thread's database decides about its owner, as in a single one.
// - A node counts as live while its lease runs in every database that answers. A database that is
//   away holds up its own threads alone.

import { OpstateError } from "@opstate/core";
import type { FullLog } from "@opstate/core/log";
import type { LiveNode, OwnedThread, Ownership } from "../log/ownership.ts";
import type { Places } from "./places.ts";

/** A log that knows who owns its threads. */
export type OwnedLog = FullLog & { readonly ownership: Ownership };

export function spreadOwnership(places: Places<OwnedLog>): Ownership {
  const all = places.all.map(({ ownership }) => ownership);
  const of = async ({ threadId, incarnation }: OwnedThread): Promise<Ownership> =>
    ((await places.of(threadId, incarnation)) ?? places.preferred(threadId)).ownership;

  return {
    async renew(node, lease) {
      const answers = await Promise.allSettled(all.map((ownership) => ownership.renew(node, lease)));
      const given = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
      const [first, ...others] = given;
      if (first === undefined)
        throw new OpstateError("log_unavailable", "No database of the log answered.", { cause: answers });
      const nodes = others.reduce((live, { nodes: own }) => inBoth(live, own), first.nodes);
      return { now: first.now, nodes };
    },

    async leave(node) {
      await Promise.all(all.map((ownership) => ownership.leave(node)));
    },

    ownerOf: async (thread) => (await of(thread)).ownerOf(thread),
    assign: async (thread, to, from) => (await of(thread)).assign(thread, to, from),

    async handOver(node, preferred) {
      const counts = await Promise.all(all.map((ownership) => ownership.handOver(node, preferred)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

function inBoth(nodes: readonly LiveNode[], others: readonly LiveNode[]): readonly LiveNode[] {
  return nodes.flatMap((node) => {
    const other = others.find(({ id }) => id === node.id);
    return other === undefined ? [] : [{ ...node, left: Math.min(node.left, other.left) }];
  });
}
