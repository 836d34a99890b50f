// Read tools on a thread of a server give what the connection's actor may read, and nothing else.

import { createServer } from "@opstate/server";
import { remoteThread } from "@opstate/client/remote";
import { memoryLog } from "@opstate/core";
import { createAgent, fakeModel, tool } from "langchain";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { opstateMiddleware, readTools } from "../../src/index.ts";
import { ada, board, sample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { call, say } from "../support/talk.ts";

const planner = { kind: "agent", id: "planner" };

async function serve() {
  const mayRead = { planner: true };
  const server = createServer({
    definitions: [board],
    log: memoryLog(),
    authorize(request) {
      const isAda = request.headers.get("authorization") === "ada";
      return { actor: isAda ? ada : planner, allows: (_, right) => right !== "read" || isAda || mayRead.planner };
    },
  });
  const { url } = await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const thread = await server.thread("b", board);
  await thread.dispatch({ type: "$replace", value: sample }, { actor: { kind: "system", id: "setup" } });
  const open = async (authorization = "planner") => {
    const remote = await remoteThread({ definition: board, url, threadId: "b", headers: { authorization } });
    onTestFinished(() => remote.close());
    return remote;
  };
  return { server, thread, mayRead, open };
}

it("give nothing to an actor who may not read", async () => {
  const { mayRead, open } = await serve();
  mayRead.planner = false;
  await expect(open()).rejects.toMatchObject({ status: 403 });
});

it("give nothing of what happens after the right was removed, nor does the state that the model is shown", async () => {
  const { server, thread, mayRead, open } = await serve();
  const [remote, watched] = [await open(), await open("ada")];
  const takeRight = tool(
    async () => {
      mayRead.planner = false;
      await server.revoke({ actor: planner });
      await thread.dispatch(board.op.rename({ cardId: "T-1", title: "Secret after" }), { actor: ada });
      await expect.poll(() => watched.version).toBe(3);
      return "Taken";
    },
    { name: "takeRight", description: "Take the right", schema: z.object({}) },
  );
  const model = fakeModel()
    .respond(call(["board_find", { text: "secret" }]))
    .respond(call(["takeRight", {}]))
    .respond(call(["board_find", { text: "secret" }], ["board_read", { path: "" }]))
    .respond(say("done"));
  await thread.dispatch(board.op.rename({ cardId: "T-2", title: "Secret before" }), { actor: ada });
  await expect.poll(() => remote.version).toBe(2);
  const { messages } = await createAgent({
    model,
    tools: [takeRight, ...readTools(board, { thread: remote })],
    middleware: [opstateMiddleware(board, { thread: remote })],
  }).invoke({ messages: "go" });
  expect(results(messages)[0]?.text).toContain("Secret before");
  expect(thread.version).toBe(3);
  const read = [...messages, ...model.calls.flatMap((made) => made.messages)].map(({ text }) => text);
  expect(read.filter((text) => text.includes("Secret after"))).toEqual([]);
});
