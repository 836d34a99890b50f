import { memoryLog, openThread } from "@opstate/core";
import { json } from "@sveltejs/kit";
import { loose } from "#lib/loose.ts";

/** What a thread says in the server's own process, and what the definition alone says. */
export async function GET() {
  const thread = await openThread({ definition: loose, log: memoryLog(), threadId: "of the route" });
  const verdict = await thread.submit({ type: "stray" }, { actor: { kind: "user", id: "ada" } });
  await thread.close();
  const alone = loose.transition(loose.initial, { type: "stray" });
  return json({ thread: verdict.accepted, definition: alone.accepted });
}
