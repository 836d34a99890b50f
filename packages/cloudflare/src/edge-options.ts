// What the threads of an edge are made with.

import type { ServerOptions } from "@opstate/server/fetch";
import type { ObjectNamespace } from "./platform.ts";

/** The options of `createServer` that make sense where the platform has log, owner and port. */
export type EdgeOptions = Omit<
  ServerOptions,
  "log" | "node" | "mcp" | "insecure" | "idleMinutes" | "compress" | "logTimeout" | "authorize"
> &
  Required<Pick<ServerOptions, "authorize">>;

/** The bindings that the Worker and its objects need, by these names. */
export interface EdgeBindings {
  readonly OPSTATE_THREADS: ObjectNamespace;
  readonly OPSTATE_READERS: ObjectNamespace;
  readonly OPSTATE_INDEX: ObjectNamespace;
}

/** Options may depend on the bindings: a secret, for one. */
export type OptionsOf<Env> = (env: Env) => EdgeOptions;
