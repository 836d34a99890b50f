// The Worker under test in a runtime of its own, and how a test calls it.

import type { Actor } from "@opstate/core";
import { bundle, type Runtime, startWorker } from "./workerd.ts";

const OBJECTS = ["OPSTATE_THREADS", "OPSTATE_READERS", "OPSTATE_INDEX"] as const;

export interface Edge extends Runtime {
  /** Ends an object, as the platform does when it moves one. Streams and memory are lost. */
  end(kind: (typeof OBJECTS)[number], name: string): Promise<void>;
  /** How many objects of the process were made up to the one that has the thread now. */
  numberOf(threadId: string): Promise<number>;
}

let code: Promise<string> | undefined;

export async function startEdge(directory?: string): Promise<Edge> {
  code ??= bundle("edge-worker.ts");
  const runtime = await startWorker({ code: await code, objects: OBJECTS, ...(directory && { directory }) });
  return {
    ...runtime,
    async end(kind, name) {
      await fetch(`${runtime.url}/$end/${kind}/${name}`);
    },
    numberOf: async (threadId) => (await fetch(`${runtime.url}/$number/OPSTATE_THREADS/${threadId}`)).json(),
  };
}

export const credentials = ({ kind, id }: Actor, rights = "read,write,undo,approve,admin") => ({
  authorization: `${kind} ${id} ${rights}`,
});

export const ada = credentials({ kind: "user", id: "ada" });

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export async function send(url: string, method = "GET", body?: unknown, headers: HeadersInit = ada): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}
