// A list of operations that is slow to judge does not block the requests to other threads.

import { defineState, memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { asUser, send, start } from "../support/server.ts";

const ada = asUser("ada", "read", "write", "undo", "admin");
const most = 256;

/** Operations of 9 ms each, as on a large state, until another request has its response. */
function busyUntil(isAnswered: () => boolean) {
  let judged = 0;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const definition = defineState({
    name: "busy",
    schema: z.object({ n: z.int() }),
    initial: { n: 0 },
    operations: {
      spin: {
        input: z.object({}),
        apply(draft) {
          begin();
          for (const end = performance.now() + 9; !isAnswered() && performance.now() < end;);
          judged += 1;
          draft.n += 1;
        },
      },
      add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.n += by) },
    },
  });
  return { definition, begun, judged: () => judged };
}

describe.each([
  ["memory", () => memoryLog()],
  ["SQLite", () => sqliteLog({ path: ":memory:" })],
])("over a log in %s", (_, log) => {
  it("another thread is read and written while a list is judged, whose verdicts are in its order", async () => {
    let answered = false;
    const { definition, begun, judged } = busyUntil(() => answered);
    const opened = log();
    onTestFinished(() => opened.close());
    const { url } = await start({ definitions: [definition], log: opened });
    for (const name of ["busy", "other"]) await send(`${url}/threads/${name}`, "PUT", { definition: "busy" }, ada);
    const list = Array.from({ length: most }, (_, index) => ({ id: `${index}`, operation: { type: "spin" } }));
    const verdicts = send(`${url}/threads/busy/operations`, "POST", list, ada);
    await begun;
    const read = await send(`${url}/threads/other`, "GET", undefined, ada);
    const written = await send(`${url}/threads/other/operations`, "POST", { operation: { type: "add", by: 1 } }, ada);
    const of = judged();
    answered = true;
    expect(read).toMatchObject({ status: 200, body: { version: 0 } });
    expect(written).toMatchObject({ status: 200, body: { accepted: true, version: 1 } });
    expect(of).toBeGreaterThan(0);
    expect(of).toBeLessThan(most);
    const { body } = await verdicts;
    expect(body.map(({ version }: { version: number }) => version)).toEqual(list.map((_, index) => index + 1));
    expect((await send(`${url}/threads/busy`, "GET", undefined, ada)).body).toMatchObject({
      version: most,
      state: { n: most },
    });
  });
});
