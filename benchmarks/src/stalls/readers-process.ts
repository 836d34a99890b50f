// Many readers that connect at once, in a process of their own: what they take of it is nothing
// that a neighbour waits for. Waits for a message, and ends when each has read `bytes`.

import { once } from "node:events";
import { Agent } from "node:http";
import { send } from "./send.ts";
import type { Sent } from "./requests.ts";

export interface Readers {
  readonly url: string;
  readonly sent: Sent;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
  readonly bytes: number;
}

process.send?.("ready");
const [{ url, sent, headers, count, bytes }] = (await once(process, "message")) as [Readers];
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
await Promise.all(Array.from({ length: count }, () => send(agent, url, sent, { bytes, headers })));
process.exit();
