// The entry `@opstate/client/intents`: what agents are about to do in a thread, before it is done.

export type { IntentChange } from "./intents/changes.ts";
export type { FeedOptions } from "./intents/feed.ts";
export { followChat } from "./intents/follow-chat.ts";
export type { FollowedChat } from "./intents/follow-chat.ts";
export { followRun } from "./intents/follow-run.ts";
export type {
  CallOutcome,
  Intent,
  IntentCall,
  IntentCallOptions,
  IntentsState,
  IntentThread,
  RefusedIntent,
  ThreadIntents,
} from "./intents/intent.ts";
export { intentsOf } from "./intents/intents.ts";
