// A real server on a port of its own. It is closed when the test has finished.

import { memoryLog } from "@opstate/core";
import { onTestFinished } from "vitest";
import {
  createServer,
  type Authorize,
  type Listening,
  type Right,
  type Server,
  type ServerOptions,
} from "../../src/index.ts";
import { board, note } from "./board.ts";

export interface Running extends Listening {
  readonly server: Server;
  /** The errors that `onError` got. */
  readonly errors: unknown[];
}

/** Credentials of the form "kind id right,right". */
export const authorize: Authorize = (request) => {
  const [kind, id, rights = ""] = (request.headers.get("authorization") ?? "").split(" ");
  if (!kind || !id) return null;
  return {
    actor: { kind, id },
    allows: (threadId, right) => threadId !== "secret" && rights.split(",").includes(right),
  };
};

export const asUser = (id: string, ...rights: Right[]) => ({ authorization: `user ${id} ${rights.join(",")}` });

/** Ada has every right, except on the thread "secret". */
export const ada = asUser("ada", "read", "write", "undo", "approve", "admin");

export async function start(options: Partial<ServerOptions> = {}): Promise<Running> {
  const errors: unknown[] = [];
  const server = createServer({
    definitions: [board, note],
    log: memoryLog(),
    authorize,
    onError: (error) => errors.push(error),
    ...options,
  });
  const listening = await server.listen();
  onTestFinished(() => server.close());
  return { ...listening, server, errors };
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = ada,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    body: text === "" ? undefined : JSON.parse(text),
  };
}

export async function createBoard(url: string, threadId = "launch"): Promise<string> {
  await send(`${url}/threads/${threadId}`, "PUT", { definition: "board" });
  return `${url}/threads/${threadId}`;
}
