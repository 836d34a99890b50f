// Stands for `@opstate/server/client` in the README's example: the same calls on a thread in this
// process.

import { memoryLog, openThread, threadTransport } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { ada, shelf } from "./shelf.ts";

interface Server {
  readonly url: string;
  readonly threadId: string;
}

export const served = await openThread({ definition: shelf, log: memoryLog(), threadId: "demo" });

export function httpTransport(server: Server) {
  return threadTransport(threadOf(server), { actor: ada });
}

export function threadClient<D extends typeof shelf>(server: Server) {
  // There is one definition here.
  return accessThread<D>(threadOf(server) as never, ada);
}

function threadOf({ threadId }: Server): typeof served {
  if (threadId !== served.threadId) throw new Error(`There is no thread "${threadId}" here.`);
  return served;
}
