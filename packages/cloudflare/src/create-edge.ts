// Threads as Durable Objects: the classes that the platform makes objects of, and the Worker in
// front of them.

import type { EdgeBindings, EdgeOptions, OptionsOf } from "./edge-options.ts";
import { IndexObject } from "./index-object.ts";
import type { ObjectSocket, ObjectState } from "./platform.ts";
import { ReaderObject } from "./reader/reader-object.ts";
import { ThreadObject } from "./thread-object.ts";
import { route } from "./worker/route.ts";

/** A class of objects, as the platform wants it. */
export type ObjectClass<Env> = new (
  state: ObjectState,
  env: Env,
) => {
  fetch(request: Request): Promise<Response>;
  alarm?(): Promise<void>;
  webSocketMessage?(socket: ObjectSocket, message: unknown): Promise<void>;
  webSocketClose?(socket: ObjectSocket): Promise<void>;
  webSocketError?(socket: ObjectSocket): Promise<void>;
};

export interface Edge<Env> {
  /** A thread and its branches are one of these. */
  readonly Threads: ObjectClass<Env>;
  /** A reader that follows many threads on one stream is one of these. */
  readonly Readers: ObjectClass<Env>;
  /** The one with the list of all threads. */
  readonly Index: ObjectClass<Env>;
  /** The Worker's handler: the same routes as `createServer` has. */
  fetch(request: Request, env: Env): Promise<Response>;
}

/**
 * A server for shared state without a machine: each thread, with its branches, is a Durable Object
 * that has its log in its own SQLite. The routes are those of `createServer`, so clients and
 * bindings are the same. `optionsOf` gets the Worker's bindings; among them must be the three of
 * `EdgeBindings`. It is called once for each object. Needs the flags `nodejs_compat` and
 * `enable_request_signal`; without the latter, a reader that left is among those who are here until
 * heartbeats fail.
 *
 * @example
 * ```ts
 * import { createEdge, type EdgeBindings } from "@opstate/cloudflare";
 *
 * interface Env extends EdgeBindings {
 *   readonly SESSION_SECRET: string;
 * }
 *
 * const edge = createEdge<Env>((env) => ({
 *   definitions: [board],
 *   origins: ["https://app.example"],
 *   authorize: (request) => accessOf(request, env.SESSION_SECRET),
 * }));
 * export const { Threads, Readers, Index } = edge;
 * export default { fetch: edge.fetch };
 * ```
 */
export function createEdge<Env extends EdgeBindings>(optionsOf: OptionsOf<Env>): Edge<Env> {
  let basePath: string | undefined;
  return {
    Threads: class extends ThreadObject<Env> {
      constructor(state: ObjectState, env: Env) {
        super(state, env, once(optionsOf));
      }
    },
    Readers: class extends ReaderObject<Env> {
      constructor(state: ObjectState, env: Env) {
        super(state, env, once(optionsOf));
      }
    },
    Index: class extends IndexObject<Env> {
      constructor(state: ObjectState, env: Env) {
        super(state, env, once(optionsOf));
      }
    },
    fetch(request, env) {
      // The bindings of a Worker are the same with each request.
      basePath ??= (optionsOf(env).basePath ?? "").replace(/\/+$/, "");
      return route(request, env, basePath);
    },
  };
}

/** Each object has options of its own, made once: an agent among them is not made per request. */
function once<Env>(optionsOf: OptionsOf<Env>): OptionsOf<Env> {
  let made: EdgeOptions | undefined;
  return (env) => (made ??= optionsOf(env));
}
