// A small AG-UI server over node:http: a test says what each run answers.

import { defined } from "@opstate/core";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { RunAgentInput } from "@ag-ui/core";
import { onTestFinished } from "vitest";

export interface ServedRun {
  readonly input: RunAgentInput;
  readonly headers: IncomingMessage["headers"];
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

/** Yields events, or text that goes out as it is. */
export type Script = (run: ServedRun, response: ServerResponse) => AsyncIterable<object | string>;

export interface AgentServer {
  readonly url: string;
  readonly runs: readonly ServedRun[];
}

/** Serves on a port of its own until the test is over; ends a run's stream when the script ends. */
export async function serveAgent(script: Script): Promise<AgentServer> {
  const runs: ServedRun[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const aborter = new AbortController();
      response.on("close", () => aborter.abort());
      const run = { input: JSON.parse(body) as RunAgentInput, headers: request.headers, signal: aborter.signal };
      runs.push(run);
      for await (const part of script(run, response)) {
        if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(typeof part === "string" ? part : `data: ${JSON.stringify(part)}\n\n`);
      }
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no address.");
  return { url: `http://127.0.0.1:${address.port}/`, runs };
}

export const started = ({ input: { threadId, runId } }: ServedRun) => ({ type: "RUN_STARTED", threadId, runId });

export const finished = ({ input: { threadId, runId } }: ServedRun, outcome?: object) => ({
  type: "RUN_FINISHED",
  threadId,
  runId,
  ...defined({ outcome }),
});

export function* says(messageId: string, ...deltas: string[]) {
  yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
  for (const delta of deltas) yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
  yield { type: "TEXT_MESSAGE_END", messageId };
}

export function* calls(toolCallId: string, toolCallName: string, args: unknown) {
  yield { type: "TOOL_CALL_START", toolCallId, toolCallName };
  yield { type: "TOOL_CALL_ARGS", toolCallId, delta: typeof args === "string" ? args : JSON.stringify(args) };
  yield { type: "TOOL_CALL_END", toolCallId };
}

/** A promise that the test keeps. */
export function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}
