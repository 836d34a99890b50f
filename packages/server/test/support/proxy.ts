// A bad network: a TCP relay whose connections can be cut, and that can refuse new ones.

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface BadNetwork {
  readonly url: string;
  /** The address for new connections; "" refuses them. */
  target: string;
  /** Closes every open connection. */
  cut(): void;
  /** The number of connections since the start. */
  readonly connections: number;
  close(): void;
}

export async function badNetwork(target: string): Promise<BadNetwork> {
  const open = new Set<Socket>();
  let connections = 0;
  const relay = createServer((near) => {
    if (network.target === "") return near.destroy();
    connections += 1;
    const { hostname, port } = new URL(network.target);
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    return undefined;
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  // A TCP server's address is an object.
  const { port } = relay.address() as AddressInfo;
  const network: BadNetwork = {
    url: `http://127.0.0.1:${port}`,
    target,
    cut: () => open.forEach((socket) => socket.destroy()),
    get connections() {
      return connections;
    },
    close() {
      relay.close();
      network.cut();
    },
  };
  return network;
}
