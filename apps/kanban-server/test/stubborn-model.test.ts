// A model that repeats a refused call: the person reads why the agent stopped.

import { fakeModel } from "langchain";
import { expect, test, vi } from "vitest";
import { demoServer } from "./support/demo-server.ts";

vi.setConfig({ testTimeout: 60_000 });

test("the agent stops after three equal refusals, and says why over AG-UI", async () => {
  const model = fakeModel();
  for (let turn = 0; turn < 20; turn++)
    model.respondWithTools([{ name: "move", args: { cardId: "T-42", toColumn: "nowhere" } }]);
  const server = await demoServer(model);
  try {
    const chat = await server.chat();
    expect(await chat.ask("move T-42 to Nowhere")).toMatch(
      /^I stopped: "move" was refused 3 times for the same reason \(column_not_found\)\. Not moved: there is no column 'nowhere'/,
    );
    expect(model.calls).toHaveLength(3);
  } finally {
    await server.close();
  }
});
