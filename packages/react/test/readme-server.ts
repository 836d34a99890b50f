// Stands for `@opstate/server/client` in the README's example: the same calls on a thread in this process.

import { accessThread, memoryLog, openThread, threadTransport } from "@opstate/core";
import { ada, shelf } from "./shelf.ts";

export const served = await openThread({ definition: shelf, log: memoryLog(), threadId: "demo" });

export const httpTransport = (_: { readonly url: string; readonly threadId: string }) => threadTransport(served, { actor: ada });

export const threadClient = <D extends typeof shelf>(_: { readonly url: string; readonly threadId: string }) =>
  accessThread<D>(served as never, ada);
