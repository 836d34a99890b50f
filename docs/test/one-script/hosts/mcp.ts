// A client of the MCP endpoint, over HTTP.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { processEnded, type Call } from "../script.ts";
import { agentHeaders, type Host, type Place } from "./host.ts";

export const mcp: Host = {
  name: "MCP",
  asks: false,
  hasKeys: true,
  async play(script, place) {
    for (let run = 1; !script.isOver; run++) {
      let client = await connectTo(place);
      for (let message = 1, attempt = 1; ; message++) {
        await client.readResource({ uri: `opstate://threads/${encodeURIComponent(place.threadId)}/state` });
        let said: readonly Call[] | string;
        try {
          said = await script.next();
        } catch (error) {
          processEnded(error);
          await client.close();
          client = await connectTo(place);
          message = 0;
          attempt++;
          continue;
        }
        if (typeof said === "string") break;
        for (const { id, name, input } of said) {
          const result = await client.callTool({
            name: `board_${name}`,
            arguments: { threadId: place.threadId, ...input },
            _meta: {
              "opstate/callId": id,
              "opstate/runId": `run-${run}`,
              "opstate/step": String(message),
              "opstate/attempt": String(attempt),
            },
          });
          script.heard(id, result.content.map((part) => (part.type === "text" ? part.text : "")).join(""));
        }
      }
      await client.close();
    }
  },
};

async function connectTo(place: Place): Promise<Client> {
  const client = new Client({ name: "script", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", place.url), { requestInit: { headers: agentHeaders(place) } }),
  );
  onTestFinished(() => client.close());
  return client;
}
