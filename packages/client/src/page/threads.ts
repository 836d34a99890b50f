// Threads of this process in the page's build: a page whose threads a server guards has none, so
// their code is loaded when one is followed or called. Their state comes a moment later.

import type { Authority } from "../connection/authority.ts";
import { lateCarrier } from "../connection/late-carrier.ts";
import type { ThreadsAuthorityOptions } from "../connection/threads-authority.ts";
import { once } from "../once.ts";

export function threadsAuthority(options: ThreadsAuthorityOptions): Authority {
  const load = once(async () => {
    const { threadsAuthority: authority } = await import("../connection/threads-authority.ts");
    return authority(options);
  });
  return {
    actor: options.actor,
    carrier: lateCarrier(async () => (await load()).carrier),
    access: async (threadId, actor) => (await load()).access(threadId, actor),
  };
}
