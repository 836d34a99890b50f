// The scripted agent is a good one: the fold has nothing against it but what is wrong on purpose.

import { ChatSession } from "@opstate/ag-ui";
import { expect, it } from "vitest";
import { tourAgent } from "../../src/conversation/tour-agent.ts";

it("puts a question, reads the answer, and leaves one conflict and one unknown event", async () => {
  const session = new ChatSession({ transport: tourAgent });
  const asked = await session.send("Plan a dinner");
  expect(asked).toMatchObject({ phase: "idle", run: { outcome: "interrupt" }, state: { shopping: { pumpkin: 2 } } });
  expect(asked.conflicts).toHaveLength(1);
  expect(asked.warnings.filter(({ eventType }) => eventType !== "WEATHER_REPORT")).toEqual([]);
  expect(new Set(asked.messages.map(({ role }) => role))).toEqual(
    new Set(["user", "reasoning", "activity", "assistant", "tool"]),
  );
  const [question] = asked.interrupts;
  const done = await session.resume([{ interruptId: question?.id ?? "", payload: { dessert: "Cheese", servings: 6 } }]);
  expect(done).toMatchObject({ phase: "idle", interrupts: [], run: { outcome: "success" } });
  expect(done.state).toMatchObject({ menu: [{}, {}, { dish: "Cheese", servings: 6 }] });
});

it("stops when it is aborted", async () => {
  const session = new ChatSession({ transport: tourAgent });
  const first = new Promise<void>((resolve) => {
    const stop = session.subscribe(({ messages }) => {
      if (messages.length < 2) return;
      stop();
      resolve();
    });
  });
  const run = session.send("Plan a dinner");
  await first;
  session.abort();
  expect(await run).toMatchObject({ phase: "idle", run: { outcome: "cancelled" } });
});
