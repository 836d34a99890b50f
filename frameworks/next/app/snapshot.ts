import type { ThreadOptions } from "@opstate/client";
import { cookies } from "next/headers";
import { notFound } from "next/navigation";
import type { board } from "./board.ts";
import { url } from "./url.ts";

/** The board as its reader sees it now; undefined when they may not. */
export async function readSnapshot(threadId: string): Promise<ThreadOptions<typeof board>["initial"]> {
  const response = await fetch(`${url}/threads/${encodeURIComponent(threadId)}`, {
    headers: { cookie: (await cookies()).toString() },
    cache: "no-store",
  });
  if (response.status === 404) notFound();
  return response.ok ? response.json() : undefined;
}
