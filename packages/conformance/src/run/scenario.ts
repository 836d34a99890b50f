// What a scenario is, as `vectors/scenarios/*.json` has them: requests, streams and the answers
// that are wanted.

import type { IdentityName } from "../identities.ts";

export interface Scenario {
  /** A sentence: what a client relies on. */
  readonly name: string;
  /** Whether it begins with a new thread of the definition, `{thread}`. Default true. */
  readonly thread?: boolean;
  readonly steps: readonly Step[];
}

/** Paths, ids and bodies may have names in braces: `{thread}`, and what was kept of answers. */
export type Step = SendStep | OpenStep | ReadStep;

export interface SendStep {
  /** Method and path: "POST /threads/{thread}/operations". */
  readonly send: string;
  /** Default ada. */
  readonly as?: IdentityName;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as it is, where it is no JSON. */
  readonly text?: string;
  /** One of several, where the protocol leaves it open. */
  readonly status: number | readonly number[];
  /** What the answer must match, see `match.ts`. */
  readonly answer?: unknown;
}

export interface OpenStep {
  /** A name for the stream. */
  readonly open: string;
  readonly send: string;
  readonly as?: IdentityName;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ReadStep {
  /** The stream. */
  readonly read: string;
  /**
   * The next events. Presence, heartbeats and refusals may stand between them; nothing else may.
   */
  readonly events: readonly ExpectedEvent[];
}

export interface ExpectedEvent {
  readonly event: string;
  readonly id?: string;
  readonly data?: unknown;
}
