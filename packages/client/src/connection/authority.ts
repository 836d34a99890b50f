// What a client is built on: the carrier of its threads, and the calls that are not streams.

import type { Actor } from "@opstate/core";
import type { Carrier } from "../carrier.ts";
import type { ThreadAccess } from "../thread-access.ts";

export interface Authority {
  readonly carrier: Carrier;
  /** Who submits, where it is known before anything is connected. */
  readonly actor?: Actor;
  /**
   * History, undo, proposals and branches of a thread. Loads their code; sends nothing. `actor`: as
   * whom the page calls. A change for another actor than that of the connection is refused, except
   * a `discard`.
   */
  access(threadId: string, actor: () => Actor | undefined): Promise<ThreadAccess>;
}
