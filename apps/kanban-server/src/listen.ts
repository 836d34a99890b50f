// A fetch handler on a port of this machine.

import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";

export interface Listening {
  readonly url: string;
  /** Takes no new requests; resolves when the present ones are done, at most a second later. */
  close(): Promise<void>;
}

/** Rejects when the port is taken, with the error's `code` "EADDRINUSE". */
export async function listen(fetch: (request: Request) => Promise<Response>, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  // Listening on TCP, so there is an address with a port.
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if (!("closeAllConnections" in server)) return;
        server.closeIdleConnections();
        // A browser keeps connections open that nobody uses any more.
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}
