// What makes a server one of several that share a log and own its threads.

import { OpstateError } from "@opstate/core";
import type { Ownership } from "../log/ownership.ts";

export interface NodeOptions {
  /**
   * Where the other servers reach this one, with its `basePath`: such as
   * "http://10.0.0.5:4310". Not the balancer's address.
   */
  readonly address: string;
  /**
   * What all servers of the log share, at least 32 characters, such as `openssl rand -hex 32`
   * prints. Two while one is exchanged: the first signs, both are accepted.
   */
  readonly secrets: readonly string[];
  /**
   * Milliseconds from 100 to 60,000 after which the threads of a server that is gone are another's.
   * Default 2,000.
   */
  readonly lease?: number;
}

export interface CheckedNode {
  readonly address: string;
  readonly secrets: readonly [string, ...string[]];
  readonly lease: number;
  readonly ownership: Ownership;
}

const SECRET_LENGTH = 32;

/** Throws a RangeError for options that are none, and an OpstateError for a log without owners. */
export function checkNode({ address, secrets, lease = 2_000 }: NodeOptions, log: object): CheckedNode {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new RangeError(
      '`node.address` must be an http or https address without credentials, query or fragment, such as "http://10.0.0.5:4310".',
    );
  const [first, ...others] = secrets;
  if (first === undefined || others.length > 1 || secrets.some((secret) => secret.length < SECRET_LENGTH))
    throw new RangeError(`\`node.secrets\` must be one secret or two, each of at least ${SECRET_LENGTH} characters.`);
  if (!(lease >= 100 && lease <= 60_000))
    throw new RangeError(`\`node.lease\` must be milliseconds from 100 to 60000, not ${lease}.`);
  const ownership = ownershipOf(log);
  if (ownership === undefined)
    throw new OpstateError(
      "log_unavailable",
      "`node` needs a log that knows who owns a thread: `postgresLog` of @opstate/server/postgres, or `spreadLog` over several. Servers that share another log need no `node`.",
    );
  return { address: url.href.replace(/\/+$/, ""), secrets: [first, ...others], lease, ownership };
}

function ownershipOf(log: object): Ownership | undefined {
  // A log in front of another is made by `{ ...log, append }`, and has it too.
  return "ownership" in log ? (log.ownership as Ownership) : undefined;
}
