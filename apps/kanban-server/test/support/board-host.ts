// The board's thread "demo" over HTTP, for several people and programs. Its log is in memory or a
// SQLite file, which each start opens anew; the code may be another one than before.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actor, type AnyDefinition, defined, memoryLog, openThread, type Verdict } from "@opstate/core";
import { type Board, board, sampleBoard } from "@opstate/kanban-domain";
import { createServer } from "@opstate/server";
import { type ThreadClient, threadClient } from "@opstate/server/client";
import { sqliteLog } from "@opstate/server/sqlite";
import { onTestFinished } from "vitest";

export const STORES = ["memory", "sqlite"] as const;

/** What comes with an operation. `threadId`: a branch. */
interface Envelope {
  readonly id?: string;
  readonly runId?: string;
  readonly threadId?: string;
}

/** The thread as one actor uses it. Only a person approves, and undoes the work of others. */
export interface Participant extends ThreadClient<typeof board> {
  readonly actor: Actor;
  /** With these headers a request is this actor's. */
  readonly headers: Readonly<Record<string, string>>;
  submit(operation: object, envelope?: Envelope): Promise<Verdict>;
}

export interface BoardHost {
  /** Stops the server that runs, and starts one with this definition. An empty log gets `state`. */
  start(definition?: AnyDefinition, state?: Board): Promise<void>;
  url(): string;
  as(actor: Actor): Participant;
  board(threadId?: string): Promise<Board>;
}

/** It ends with the test. */
export function boardHost(store: (typeof STORES)[number]): BoardHost {
  const folder = mkdtempSync(join(tmpdir(), "kanban-host-"));
  const memory = memoryLog();
  let url = "";
  let stop = async (): Promise<void> => undefined;
  onTestFinished(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call<T>(method: string, path: string, headers: Participant["headers"], body?: object): Promise<T> {
    const response = await fetch(`${url}/threads/${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }

  return {
    async start(definition = board, state = sampleBoard) {
      await stop();
      const file = store === "sqlite" ? sqliteLog({ path: join(folder, "demo.sqlite") }) : undefined;
      const log = file ?? memory;
      const thread = await openThread({ definition, log, threadId: "demo" });
      if (thread.version === 0) await thread.submit({ type: "$replace", value: state }, { actor: demo });
      await thread.close();
      const server = createServer({
        definitions: [definition],
        log,
        authorize({ headers }) {
          const actor = { kind: headers.get("x-kind") ?? "", id: headers.get("x-id") ?? "" };
          return { actor, allows: (_, right) => actor.kind === "user" || right === "read" || right === "write" };
        },
      });
      ({ url } = await server.listen());
      stop = async () => {
        stop = async () => undefined;
        await server.close();
        await file?.close();
      };
    },
    url: () => url,
    as(actor) {
      const headers = { "x-kind": actor.kind, "x-id": actor.id };
      return {
        ...threadClient<typeof board>({ url, threadId: "demo", headers }),
        actor,
        headers,
        submit: (operation, { threadId = "demo", id = crypto.randomUUID(), runId } = {}) =>
          call("POST", `${threadId}/operations`, headers, { operation, id, ...defined({ runId }) }),
      };
    },
    async board(threadId = "demo") {
      const { state } = await call<{ state: Board }>("GET", threadId, { "x-kind": "user", "x-id": "reader" });
      return state;
    },
  };
}

const demo: Actor = { kind: "system", id: "demo" };
