// The server of a soak, on a file, with an agent: in the process of its own that the soak measures.

import { createServer, type ServerOptions } from "../../../src/index.ts";
import { sqliteLog } from "../../../src/sqlite/index.ts";
import { authorize } from "../server.ts";
import { tally } from "./tally.ts";

const robot = { kind: "agent", id: "robot" };

export interface TallyServer {
  readonly url: string;
  /** What `onError` got since the last call. */
  takeErrors(): readonly string[];
}

/** Serves the file that the process was given, and ends with its parent. */
export async function serveTally(options: Pick<ServerOptions, "quotas"> = {}): Promise<TallyServer> {
  let errors: string[] = [];
  const server = createServer({
    definitions: [tally],
    log: sqliteLog({ path: process.argv[2] ?? "" }),
    authorize,
    agents: {
      adder: {
        definition: "tally",
        async *run({ thread, input: { runId } }) {
          yield { type: "TEXT_MESSAGE_CHUNK", messageId: `${runId}-m`, role: "assistant", delta: "I add." };
          await thread.dispatch(tally.op.add({ title: runId }), { actor: robot, runId });
        },
      },
    },
    onError: (error) => errors.push(error instanceof Error ? `${error.message}\n${error.stack}` : String(error)),
    ...options,
  });
  const { url } = await server.listen();
  process.on("disconnect", () => process.exit());
  return {
    url,
    takeErrors() {
      const taken = errors;
      errors = [];
      return taken;
    },
  };
}
