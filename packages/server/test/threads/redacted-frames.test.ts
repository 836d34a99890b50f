// The server keeps frames of commits for readers who come back. What was erased is in none.

import { expect, it } from "vitest";
import { addCard } from "../support/board.ts";
import { readEvents } from "../support/events.ts";
import { ada, asUser, createBoard, send, start } from "../support/server.ts";

const SECRET = "Zwetschgenkuchen";
const bob = asUser("bob", "read", "write", "admin");

it("a reader who comes back gets nothing that was erased while others read", async () => {
  const { url } = await start();
  const thread = await createBoard(url);
  const post = (body: unknown, headers = bob) => send(`${thread}/operations`, "POST", body, headers);
  const rename = (cardId: string) => ({ type: "rename", cardId, title: "-" });
  const live = await readEvents(`${thread}/events`, bob);
  await post(addCard("c1", SECRET), ada);
  await post(rename("c1"));
  await post(addCard("c2", `Ada said: ${SECRET}`));
  await post(rename("c2"));
  await live.until(4);
  const back = async (after: number) => {
    const reader = await readEvents(`${thread}/events`, { ...bob, "last-event-id": String(after) });
    await reader.until((await send(thread, "GET", undefined, bob)).body.version);
    reader.close();
    return reader.text();
  };
  expect(await back(1)).toContain(SECRET);
  expect(await send(`${thread}/redact`, "POST", { author: { kind: "user", id: "ada" } }, bob)).toMatchObject({
    status: 200,
  });
  await live.until(5);
  for (const after of [0, 1, 2, 3]) expect(await back(after)).not.toContain(SECRET);
});
