// Creates the session for an address: over HTTP, or with the scripted agent in the page.

import { ChatSession, type ChatSessionOptions } from "@opstate/ag-ui";
import { type Address, TOUR } from "../address/address.ts";
import { checkedFetch } from "./checked-fetch.ts";
import { tourAgent } from "./tour-agent.ts";

export interface Connection extends Address {
  /** The Authorization header, kept in memory only; "" for none. */
  readonly authorization: string;
}

export function openConversation(connection: Connection): ChatSession {
  return new ChatSession(options(connection));
}

/**
 * Opens a recording. New messages go to the connection's agent. Throws a TypeError if the text is
 * not a recording.
 */
export function openRecording(jsonLines: string, connection: Connection): ChatSession {
  return ChatSession.fromRecording(jsonLines, options(connection));
}

function options({ url, threadId, authorization }: Connection): ChatSessionOptions {
  const basics = threadId === undefined ? {} : { threadId };
  if (url === TOUR) return { ...basics, transport: tourAgent };
  const headers: Record<string, string> = authorization === "" ? {} : { authorization };
  return { ...basics, url, headers, fetch: checkedFetch(location.origin) };
}
