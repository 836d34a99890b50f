// Every route with a right that it needs, for tests of all routes.

import type { Agent, Right } from "../../../src/index.ts";
import { addCard } from "../board.ts";

/** The agents in `routes`. */
export const agents = { echo: { definition: "board", async *run() {} } satisfies { definition: string; run: Agent } };
export const runInput = (threadId: string) => ({ threadId, runId: "r1", messages: [], tools: [], context: [] });

export type Route = readonly [
  right: Right,
  method: string,
  path: (id: string) => string,
  body: (id: string) => unknown,
];

export const routes: readonly Route[] = [
  ["write", "PUT", (id) => `/threads/${id}`, () => ({ definition: "board" })],
  ["read", "GET", (id) => `/threads/${id}`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/history`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/history?rejections=true`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/events`, () => undefined],
  ["write", "POST", (id) => `/threads/${id}/operations`, () => addCard("c1")],
  ["write", "POST", (id) => `/threads/${id}/operations`, () => [addCard("c1")]],
  ["write", "POST", () => "/ag-ui/echo", runInput],
  ["read", "POST", () => "/ag-ui/echo", runInput],
  ["write", "POST", (id) => `/ag-ui/echo?threadId=${id}`, runInput],
  ["read", "POST", (id) => `/ag-ui/echo?threadId=${id}`, runInput],
  ["write", "POST", (id) => `/threads/${id}/undo`, () => ({ target: { ids: ["c1"] } })],
  ["read", "POST", (id) => `/threads/${id}/undo`, () => ({ target: { ids: ["c1"] } })],
  ["read", "GET", (id) => `/threads/${id}/runs`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/runs/r1`, () => undefined],
  ["read", "POST", (id) => `/threads/${id}/runs/r1/stop`, () => ({})],
  ["read", "GET", (id) => `/threads/${id}/states/0`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/schema`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/explain?pointer=/columns`, () => undefined],
  ["read", "GET", (id) => `/threads/${id}/proposals`, () => undefined],
  ["write", "POST", (id) => `/threads/${id}/proposals`, () => ({ operation: addCard("c1") })],
  ["approve", "POST", (id) => `/threads/${id}/proposals/p/approve`, () => ({})],
  ["read", "POST", (id) => `/threads/${id}/proposals/p/approve`, () => ({})],
  ["read", "POST", (id) => `/threads/${id}/proposals/p/decline`, () => ({})],
  ["read", "GET", (id) => `/threads/${id}/branches`, () => undefined],
  ["write", "POST", (id) => `/threads/${id}/branches`, () => ({})],
  ["read", "POST", (id) => `/threads/${id}/branches`, () => ({})],
  ["read", "GET", (id) => `/threads/${id}/branches/b/diff`, () => undefined],
  ["write", "POST", (id) => `/threads/${id}/branches/b/merge`, () => ({})],
  ["read", "POST", (id) => `/threads/${id}/branches/b/merge`, () => ({})],
  ["write", "DELETE", (id) => `/threads/${id}/branches/b`, () => undefined],
  ["admin", "POST", (id) => `/threads/${id}/compact`, () => ({ keep: 0 })],
  ["admin", "POST", (id) => `/threads/${id}/redact`, () => ({ author: { kind: "user", id: "nobody" } })],
  ["admin", "DELETE", (id) => `/threads/${id}`, () => undefined],
];
