// The open requests of one Node server, and how it stops without cutting them.
//
//   drain():  every answer says `Connection: close`
//        │    for `notice` milliseconds new requests are answered like that too
//        ├──> no new connection
//        │    until nothing is open, and nothing came on an open connection for a moment
//        └──> the connections that are left, which are idle or over the deadline, are closed
//
// Invariants:
// - A connection is closed while it is idle, or when the deadline is over.
// - A client that opened a connection and sent nothing holds nothing up.

import type { Server, ServerResponse } from "node:http";
import { Deadline } from "./deadline.ts";
import type { Drained, DrainTimes } from "./drain-options.ts";
import { OpenWork } from "./open-work.ts";

/** Milliseconds for what is on its way on a connection that is open. */
const LINGER = 50;
/** So many may wait to be accepted, by Node's default. */
const WAITING_CONNECTIONS = 511;

export class NodeRequests {
  readonly #server: Server;
  readonly #work = new OpenWork();
  readonly #open = new Set<ServerResponse>();
  #isDraining = false;

  constructor(server: Server) {
    this.#server = server;
  }

  /** To be called for each request, before it is answered. */
  add(outgoing: ServerResponse): void {
    const end = this.#work.begin();
    this.#open.add(outgoing);
    if (this.#isDraining) announceClose(outgoing);
    outgoing.once("close", () => {
      this.#open.delete(outgoing);
      end();
    });
  }

  async drain({ notice, deadline: milliseconds }: DrainTimes): Promise<Drained> {
    const deadline = new Deadline(milliseconds);
    this.#isDraining = true;
    for (const outgoing of this.#open) announceClose(outgoing);
    await deadline.wait(delay(notice));
    // Closing would reset the connections that wait to be accepted.
    await turns(WAITING_CONNECTIONS);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    while (!deadline.isOver) {
      await deadline.wait(this.#work.idle());
      if (!deadline.isOver) await deadline.wait(delay(LINGER));
      // On a busy machine the time may have passed without a look at what came in it.
      await turns(1);
      if (this.#work.count === 0) break;
    }
    deadline.clear();
    const cut = this.#work.count;
    this.#server.closeAllConnections();
    await closed;
    return { cut };
  }
}

/** HTTP/1.1 clients send nothing more on this connection, and open another one. */
function announceClose(outgoing: ServerResponse): void {
  if (!outgoing.headersSent) outgoing.setHeader("connection", "close");
}

/** Of the loop. In each a connection is accepted, and all that came on the others is read. */
async function turns(count: number): Promise<void> {
  // Its first turn may be half over, and what was accepted last is read in one more.
  // oxlint-disable-next-line no-await-in-loop -- one turn after the other
  for (let turn = 0; turn < count + 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
