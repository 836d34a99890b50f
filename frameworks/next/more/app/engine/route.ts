import { memoryLog, openThread } from "@opstate/core";
import { connection } from "next/server";
import { loose } from "../../loose.ts";

/** What a thread says in Next's own process, and what the definition alone says. */
export async function GET() {
  await connection();
  const thread = await openThread({ definition: loose, log: memoryLog(), threadId: "of the route" });
  const verdict = await thread.submit({ type: "stray" }, { actor: { kind: "user", id: "ada" } });
  await thread.close();
  const alone = loose.transition(loose.initial, { type: "stray" });
  return Response.json({ thread: verdict.accepted, definition: alone.accepted });
}
