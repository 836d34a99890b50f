// What a soak of large requests saw.

export interface SoakReport {
  readonly requests: number;
  /** By route, how often; by route and code, what was refused. */
  readonly sent: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  /** By writers, after 503. */
  readonly resent: number;
  /** Milliseconds that writers waited, on threads of their own and on those of large requests. */
  readonly waits: { readonly other: Waits; readonly same: Waits };
  /** The longest wait of each writer, with the large requests that took most of it. */
  readonly longestWaits: readonly {
    readonly wait: number;
    readonly thread: string;
    readonly during: readonly string[];
  }[];
  /** Milliseconds of CPU time of the longest turn, and how many seconds had one over 50. */
  readonly longestTurn: number;
  readonly longTurns: number;
  /** With what was under way in the seconds of the longest ones. */
  readonly slowest: readonly { readonly turn: number; readonly during: readonly string[] }[];
  /** Bytes of the server, once a minute. */
  readonly memory: readonly number[];
  readonly faults: readonly string[];
}

export interface Waits {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}
