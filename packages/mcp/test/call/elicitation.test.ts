// A person approves in a host that the operator trusts, by the official client: of 2026-07-28, in
// two requests, and of 2025, in a session.

import type { ElicitResult } from "@modelcontextprotocol/client";
import type { McpEndpointOptions } from "@opstate/mcp";
import type { Actor } from "@opstate/core";
import { expect, it } from "vitest";
import { ada, board } from "../support/board.ts";
import { call, CLAUDE, connect, start } from "../support/mcp.ts";

const approvedBy = ({ id }: Actor) => (id === "claude" ? ada : undefined);

interface HostOptions {
  readonly token?: string;
  readonly mode?: Mode;
  readonly endpoint?: McpEndpointOptions;
}

type Mode = "modern" | "legacy";
const MODES: readonly Mode[] = ["modern", "legacy"];

async function launch(answer: ElicitResult, { token = CLAUDE, mode = "modern", endpoint }: HostOptions = {}) {
  const { url, server } = await start({ endpoint: { approvedBy, views: {}, ...endpoint } });
  const thread = await server.thread("launch", board);
  await thread.dispatch(board.op.add({ id: "T-1", title: "Invoices" }), { actor: ada });
  const questions: string[] = [];
  const client = await connect(url, token, mode, (question) => {
    questions.push(question);
    return answer;
  });
  return { thread, client, questions };
}

const YES: ElicitResult = { action: "accept", content: { approve: true } };

it.each(MODES)("the answer of a trusted %s host is carried out, and the log says who the person is", async (mode) => {
  const { client, thread, questions } = await launch(YES, { mode });
  const { data, text } = await call(client, "board_clear");
  expect(data.status).toBe("accepted");
  expect(text).toContain("Accepted");
  expect(questions).toEqual([expect.stringContaining("Remove all cards")]);
  expect(thread.getState().columns[0]?.cards).toEqual([]);
  const [last] = await thread.history({ order: "descending", limit: 1 });
  expect(last).toMatchObject({ commit: { actor: ada, operation: { type: "$approve" } } });
});

it.each<[string, ElicitResult, string, string, Mode]>(
  MODES.flatMap((mode) => [
    ["no", { action: "accept", content: { approve: false } }, "refused", "decided", mode],
    ["a declined question", { action: "decline" }, "refused", "decided", mode],
    ["a closed question", { action: "cancel" }, "proposed", "open", mode],
  ]),
)("%s changes nothing", async (_, answer, status, became, mode) => {
  const { client, thread, questions } = await launch(answer, { mode });
  expect((await call(client, "board_clear")).data.status).toBe(status);
  expect(questions).toHaveLength(1);
  expect(thread.getState().columns[0]?.cards).toHaveLength(1);
  const [proposed] = (await thread.history()).flatMap((entry) =>
    entry.kind === "commit" && entry.commit.operation.type === "$propose" ? [entry.commit] : [],
  );
  expect((await thread.proposal(proposed?.id ?? ""))?.status).toBe(became);
});

it.each([
  ["that is not trusted", { token: "agent.codex.read,write,approve" }],
  ["of 2025 without a session", { mode: "legacy", endpoint: { sessions: false } }],
] as const)("a host %s gets no question: the proposal waits", async (_, options) => {
  const { client, questions } = await launch(YES, options);
  expect((await call(client, "board_clear")).data.status).toBe("proposed");
  expect(questions).toEqual([]);
});

it("an answer without its question is none, and a view has no way to bring one", async () => {
  const { client, thread, questions } = await launch({ action: "cancel" });
  const args = { threadId: "launch" };
  const made = { inputResponses: { approve: YES }, requestState: "made up" };
  await client.callTool({ name: "board_clear", arguments: args, ...made });
  expect(questions).toHaveLength(1);
  const operation = { type: "clear" };
  await client.callTool({ name: "opstate_act", arguments: { ...args, operation }, ...made });
  expect(questions).toHaveLength(1);
  expect(thread.getState().columns[0]?.cards).toHaveLength(1);
});
