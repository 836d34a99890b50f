// What a server is made with. (Long because each option is documented.)

import type { AnyDefinition, Log } from "@opstate/core";
import type { LogAdapter } from "@opstate/core/log";
import type { ReceiptOptions, SlowOperation } from "@opstate/core/thread";
import type { ServedAgent } from "./ag-ui/agent.ts";
import type { Authorize } from "./http/access.ts";
import type { McpEndpoint } from "./mcp/endpoint.ts";
import type { Observer } from "./observe/observer.ts";
import type { NodeOptions } from "./owners/node-options.ts";
import type { QuotaOptions } from "./quotas/quotas.ts";
import type { Audit } from "./rights/audit.ts";
import type { KeepOptions } from "./runs/run-options.ts";
import type { RunStore } from "./runs/run-store.ts";

/** Upper limits for the bodies of requests, in bytes. */
export interface ServerLimits {
  /** The body of a POST with operations. Default 256 KB. */
  readonly operations?: number;
  /**
   * The input of a run, in which clients send all messages and their copy of the state. Default 8
   * MB.
   */
  readonly run?: number;
}

export interface ServerOptions {
  /** The definitions that threads may have. Their names must differ. */
  readonly definitions: readonly AnyDefinition[] | Readonly<Record<string, AnyDefinition>>;
  readonly log: Log | LogAdapter;
  /**
   * Makes this server one of several that share a Postgres log: each thread has one of them as its
   * owner, who writes it, and the others forward to it. Without it every server writes every
   * thread, which is as safe, and slower where several write the same one.
   */
  readonly node?: NodeOptions;
  /** Finds out who sends a request and what they may do. Required, unless `insecure` is true. */
  readonly authorize?: Authorize;
  /**
   * Serves every request on this machine's loopback, as one user with every right. For a first
   * try.
   */
  readonly insecure?: boolean;
  /**
   * A stream or a run that is open asks `authorize` again at least once in so many seconds, from 1
   * to 86,400. Default 60. It also asks when `expiresAt` comes, and at `revoke`.
   */
  readonly recheckSeconds?: number;
  /** Agents by the name in `POST /ag-ui/:agent`. */
  readonly agents?: Readonly<Record<string, ServedAgent>>;
  /**
   * Serves the threads to MCP clients at `/mcp`: `mcpEndpoint()` of `@opstate/mcp`. `authorize` is
   * called with every request there, too.
   */
  readonly mcp?: McpEndpoint;
  /**
   * The prefix of all routes, such as "/opstate". A host that strips its prefix needs none.
   */
  readonly basePath?: string;
  /**
   * Other web origins whose pages may use this server, such as "https://app.example.com". For a
   * session in a cookie such a page sends `credentials: "include"`.
   */
  readonly origins?: readonly string[];
  readonly limits?: ServerLimits;
  /**
   * A thread with no reader, run or request for this many minutes (at most twice as many) is
   * closed. The next request opens it again. Default 5; Infinity keeps every thread open.
   */
  readonly idleMinutes?: number;
  /**
   * Compacts the history of every thread by itself: at least the newest `keep` commits stay.
   * Default: all commits stay.
   */
  readonly compact?: { readonly keep: number };
  /**
   * For how long every thread knows the ids of submissions: `{ keep: milliseconds }`. One that is
   * older, by its `madeAt`, is refused with `conflict`, reason `too_old`, and never run. All
   * servers of a log say the same. Default: for ever.
   */
  readonly receipts?: ReceiptOptions;
  /**
   * Milliseconds, from 1: a call to the log that takes longer fails, and its sender gets 503 with
   * Retry-After. A submission may have been stored nevertheless: sent again with its id, it has one
   * effect. Default 10,000; Infinity: as long as the log itself takes.
   */
  readonly logTimeout?: number;
  /**
   * Sends JSON answers in gzip or brotli to clients that take it; streams stay as they are. Default
   * false: leave it to the proxy, if there is one.
   */
  readonly compress?: boolean;
  /**
   * Runs of agents. `timeoutMinutes`: a run that has not ended by then is ended with RUN_ERROR
   * ("run_timeout"); default 30. `queue`: so many runs of one thread may be there at once, one that
   * runs and others that wait; further ones get 429 with Retry-After; default 32. `detached`: so
   * many of one actor may go on without a reader; default 16. `keep`: what is kept of runs, for
   * readers that come later. `store`: where it is kept; default in memory.
   */
  readonly runs?: {
    readonly timeoutMinutes?: number;
    readonly queue?: number;
    readonly detached?: number;
    readonly keep?: KeepOptions;
    readonly store?: RunStore;
  };
  /**
   * How much one actor may use, of this process and of each thread; more gets 429 with Retry-After.
   * The default stops programs that run wild, and no person.
   */
  readonly quotas?: QuotaOptions;
  /** Called when an operation took 50 ms or more, so that all other work waited for it. */
  readonly onSlow?: (slow: SlowOperation) => void;
  /**
   * Gets every error that a client sees only as 500, as `log_unavailable` or as "The agent
   * failed.". Default: console.error.
   */
  readonly onError?: (error: unknown) => void;
  /**
   * Watches the server: requests, submissions, streams, runs, stalls. Default: nothing is
   * measured.
   */
  readonly observe?: Observer | readonly Observer[];
  /**
   * Called when an actor is let in or refused, for an audit log: who, when, which right on which
   * thread, the request's id, and nothing of what is in it. It is not waited for. What it throws
   * goes to `onError`.
   */
  readonly audit?: Audit;
}
