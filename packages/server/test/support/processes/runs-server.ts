// A server in a process of its own, whose runs are kept in a file beside its log. Its agent stops
// after three of its six calls, and makes the others when its run is continued.

import { sqliteStreams } from "@opstate/streams/sqlite";
import { type Agent, createServer, streamRuns } from "../../../src/index.ts";
import { addCard, board } from "../board.ts";
import { openStore, type Store } from "../store.ts";

const CALLS = [1, 2, 3, 4, 5, 6];
const robot = { kind: "agent", id: "robot" };

const [store = "", runs = "", port = "0"] = process.argv.slice(2);

const run: Agent = async function* ({ thread, input: { runId }, continues }) {
  const origin = continues ?? runId;
  const cards = JSON.stringify(thread.getState());
  const toDo = CALLS.filter((index) => !cards.includes(`"${origin}-c${index}"`));
  if (continues === undefined)
    for (const index of CALLS) {
      yield { type: "TOOL_CALL_START", toolCallId: `${origin}-t${index}`, toolCallName: "addCard" };
      yield { type: "TOOL_CALL_END", toolCallId: `${origin}-t${index}` };
    }
  for (const index of toDo) {
    if (index > 3 && continues === undefined) await new Promise(() => undefined);
    const toolCallId = `${origin}-t${index}`;
    await thread.dispatch(addCard(`${origin}-c${index}`), { actor: robot, runId, toolCallId });
    yield { type: "TOOL_CALL_RESULT", messageId: `${origin}-r${index}`, toolCallId, content: "done" };
  }
};

const server = createServer({
  definitions: [board],
  log: openStore(JSON.parse(store) as Store),
  agents: { robot: { run, definition: "board", continuable: true }, other: { run, definition: "board" } },
  runs: { store: streamRuns(sqliteStreams({ path: runs })) },
  insecure: true,
});
const { url } = await server.listen({ port: Number(port) });
process.send?.(url);
