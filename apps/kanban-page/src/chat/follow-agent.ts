// What the agent is about to do on the board, from the calls of its conversation.

import type { Readable } from "@opstate/core";
import { followChat, intentsOf, type FollowedChat } from "@opstate/client/intents";
import type { BoardThread } from "../open-board.ts";

/** Returns the function that stops. */
export function followAgent(thread: BoardThread, chat: Readable<FollowedChat>): () => void {
  const stopFollowing = followChat(thread, chat);
  const stopForgetting = chat.subscribe(({ run }, before) => {
    // What was refused is shown until the agent works again.
    if (run?.runId !== before.run?.runId)
      for (const { id } of intentsOf(thread).getState().refused) dismissIntent(thread, id);
  });
  return () => {
    stopForgetting();
    stopFollowing();
  };
}

export const dismissIntent = (thread: BoardThread, id: string): void => intentsOf(thread).forget(id);
