// Ends a process in order when its host asks it to.

import type { Drained, DrainOptions } from "./drain-options.ts";

export interface SignalOptions extends DrainOptions {
  /** Default SIGTERM, which hosts send, and SIGINT, which is Ctrl-C. */
  readonly signals?: readonly NodeJS.Signals[];
  /** Called when the server is drained and closed: to close the log, and the pool. */
  readonly onDrained?: (drained: Drained) => void | Promise<void>;
  /** Default: `process`. */
  readonly process?: Pick<NodeJS.Process, "on" | "exit">;
}

/**
 * At SIGTERM or SIGINT drains the server, calls `onDrained` and ends the process: with the code 0;
 * with 1 when something was cut at the deadline, or an error was thrown, which is printed. A second
 * signal ends it at once.
 *
 * @example
 * ```ts
 * import { createServer, drainOnSignals } from "@opstate/server";
 *
 * const server = createServer({ definitions: [board], log, authorize });
 * await server.listen({ port: 4310 });
 * drainOnSignals(server, { notice: 5_000, deadline: 25_000, onDrained: () => log.close() });
 * ```
 */
export function drainOnSignals(
  server: { drain(options: DrainOptions): Promise<Drained> },
  { signals = ["SIGTERM", "SIGINT"], onDrained, process: host = process, ...options }: SignalOptions = {},
): void {
  let isStopping = false;

  async function stop(): Promise<void> {
    // Ctrl-C once more does not wait.
    if (isStopping) return host.exit(130);
    isStopping = true;
    try {
      const drained = await server.drain(options);
      await onDrained?.(drained);
      host.exit(drained.cut === 0 ? 0 : 1);
    } catch (error) {
      console.error(error);
      host.exit(1);
    }
  }

  for (const signal of signals) host.on(signal, () => void stop());
}
