import { memoryLog, openThread } from "@opstate/core";
import { loose } from "../loose.ts";

/** What a thread says in the server's own process, and what the definition alone says. */
export async function loader() {
  const thread = await openThread({ definition: loose, log: memoryLog(), threadId: "of the route" });
  const verdict = await thread.submit({ type: "stray" }, { actor: { kind: "user", id: "ada" } });
  await thread.close();
  const alone = loose.transition(loose.initial, { type: "stray" });
  return Response.json({ thread: verdict.accepted, definition: alone.accepted });
}
