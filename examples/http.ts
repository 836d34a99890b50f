// A program without a framework: operations over HTTP.

import { remoteThread } from "@opstate/client/remote";
import { actor, board, headers, url } from "./board.ts";

const thread = await remoteThread({ definition: board, url, threadId: "demo", headers });
const verdict = await thread.dispatch(board.op.add({ title: "From HTTP" }), { actor, id: "job-1" });

console.log(verdict.accepted ? `Accepted: version ${verdict.version}` : verdict.rejection.message);
console.log(thread.getState());
await thread.close();
