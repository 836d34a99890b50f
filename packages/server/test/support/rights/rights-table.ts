// Every route of a server and what it needs, as the README's table and the paragraphs around it say
// it: written from there, not from the code.
//
// A route that is not here fails `test/rights/lifecycles.test.ts`.

import type { Right } from "../../../src/index.ts";
import { addCard } from "../board.ts";
import { runInput } from "./routes.ts";

/** What a request names. */
export interface Named {
  readonly threadId: string;
  /** A branch of the thread. */
  readonly branchId: string;
  readonly proposal: string;
  /** A stream of the sender, where they have one. */
  readonly stream: string;
}

export interface TableRoute {
  /**
   * - `everybody`: no credentials are asked for.
   * - `thread`: of one thread; without the rights, the answer is 403.
   * - `many`: of many threads; what one lacks is a problem in the answer.
   * - `stream`: of a stream of the sender; anybody else's is 404.
   * - `list`: what the sender may not read is left out.
   */
  readonly kind: "everybody" | "thread" | "many" | "stream" | "list";
  readonly needs: readonly Right[];
  readonly path: (named: Named) => string;
  readonly body?: (named: Named) => unknown;
  /** With less than these it may be refused, too: it depends on whose the work is. */
  readonly mayNeed?: readonly Right[];
  /** Creates the thread when there is none. */
  readonly creates?: boolean;
}

const at = ({ threadId }: Named) => `/threads/${threadId}`;
const inBranches = ({ threadId, branchId }: Named) => `/threads/${threadId}/branches/${branchId}`;
const inProposals = ({ threadId, proposal }: Named) => `/threads/${threadId}/proposals/${proposal}`;

/** In this order they are sent: those that delete come last. */
export const rightsTable: Readonly<Record<string, TableRoute>> = {
  "GET /healthz": { kind: "everybody", needs: [], path: () => "/healthz" },
  "GET /readyz": { kind: "everybody", needs: [], path: () => "/readyz" },
  "GET /threads": { kind: "list", needs: ["read"], path: () => "/threads" },
  "GET /threads/:id": { kind: "thread", needs: ["read"], path: at },
  "GET /threads/:id/history": {
    kind: "thread",
    needs: ["read"],
    path: (named) => `${at(named)}/history?rejections=true`,
  },
  "GET /threads/:id/states/:version": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/states/1` },
  "GET /threads/:id/schema": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/schema` },
  "GET /threads/:id/explain": {
    kind: "thread",
    needs: ["read"],
    path: (named) => `${at(named)}/explain?pointer=/columns/0/cards/0/title`,
  },
  "GET /threads/:id/events": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/events` },
  "GET /threads/:id/proposals": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/proposals` },
  "GET /threads/:id/proposals/:proposal": { kind: "thread", needs: ["read"], path: inProposals },
  "GET /threads/:id/branches": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/branches` },
  "GET /threads/:id/branches/:branch/diff": {
    kind: "thread",
    needs: ["read"],
    path: (named) => `${inBranches(named)}/diff`,
  },
  "POST /events": {
    kind: "many",
    needs: ["read"],
    path: () => "/events",
    body: ({ threadId }) => ({ threads: { [threadId]: { after: 0 } }, wait: 0 }),
  },
  "POST /events/:stream": {
    kind: "stream",
    needs: ["read"],
    path: ({ stream }) => `/events/${stream}`,
    body: ({ threadId }) => ({ follow: { [threadId]: {} } }),
  },
  "POST /operations": {
    kind: "many",
    needs: ["write"],
    path: () => "/operations",
    body: ({ threadId }) => [{ thread: threadId, operation: addCard("m1") }],
  },
  "POST /presence": {
    kind: "stream",
    needs: ["write"],
    path: () => "/presence",
    body: ({ stream, threadId }) => ({ stream, threads: { [threadId]: { typing: true } } }),
  },
  "PUT /threads/:id": {
    kind: "thread",
    needs: ["write"],
    path: at,
    body: () => ({ definition: "board" }),
    creates: true,
  },
  "POST /threads/:id/operations": {
    kind: "thread",
    needs: ["write"],
    path: (named) => `${at(named)}/operations`,
    body: () => addCard("o1"),
  },
  "POST /threads/:id/proposals": {
    kind: "thread",
    needs: ["write"],
    path: (named) => `${at(named)}/proposals`,
    body: () => ({ operation: addCard("o2") }),
  },
  "POST /threads/:id/undo": {
    kind: "thread",
    needs: ["write", "read"],
    path: (named) => `${at(named)}/undo`,
    body: () => ({ target: { ids: ["planted"] } }),
    mayNeed: ["undo"],
  },
  "POST /threads/:id/proposals/:proposal/decline": {
    kind: "thread",
    needs: ["read", "write"],
    path: (named) => `${inProposals(named)}/decline`,
    body: () => ({}),
    mayNeed: ["approve"],
  },
  "POST /threads/:id/proposals/:proposal/approve": {
    kind: "thread",
    needs: ["approve", "read"],
    path: (named) => `${inProposals(named)}/approve`,
    body: () => ({}),
  },
  "POST /threads/:id/branches": {
    kind: "thread",
    needs: ["write", "read"],
    path: (named) => `${at(named)}/branches`,
    body: () => ({ name: "made" }),
  },
  "POST /threads/:id/branches/:branch/merge": {
    kind: "thread",
    needs: ["write", "read"],
    path: (named) => `${inBranches(named)}/merge`,
    body: () => ({}),
  },
  "POST /ag-ui/:agent": {
    kind: "thread",
    needs: ["write", "read"],
    path: () => "/ag-ui/echo",
    body: ({ threadId }) => runInput(threadId),
    creates: true,
  },
  // The runs of the sender: the one before.
  "GET /threads/:id/runs": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/runs` },
  "GET /threads/:id/runs/:runId": { kind: "thread", needs: ["read"], path: (named) => `${at(named)}/runs/r1` },
  "POST /threads/:id/runs/:runId/stop": {
    kind: "thread",
    needs: ["read"],
    path: (named) => `${at(named)}/runs/r1/stop`,
    mayNeed: ["undo"],
  },
  "POST /threads/:id/redact": {
    kind: "thread",
    needs: ["admin"],
    path: (named) => `${at(named)}/redact`,
    body: () => ({ author: { kind: "user", id: "nobody" } }),
  },
  "POST /threads/:id/compact": {
    kind: "thread",
    needs: ["admin"],
    path: (named) => `${at(named)}/compact`,
    body: () => ({ keep: 0 }),
  },
  "DELETE /threads/:id/branches/:branch": {
    kind: "thread",
    needs: ["write"],
    mayNeed: ["undo"],
    path: inBranches,
  },
  "DELETE /threads/:id": { kind: "thread", needs: ["admin"], path: at },
};
