// The official AG-UI client on the server's own agent.

import { HttpAgent } from "@ag-ui/client";
import { headers, url } from "./board.ts";

const client = new HttpAgent({ url: `${url}/ag-ui/planner`, threadId: "demo", headers });
await client.runAgent();

for (const { role, content } of client.messages) if (role === "tool") console.log(content);
console.log(client.state);
