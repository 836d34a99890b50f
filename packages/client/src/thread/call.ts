// One call of the authority of a thread.

import type { AnyDefinition } from "@opstate/core";
import type { ThreadAccess } from "../thread-access.ts";

/** Loads what it needs, then calls. */
export type Call<D extends AnyDefinition> = <T>(run: (of: ThreadAccess<D>) => Promise<T>) => Promise<T>;
