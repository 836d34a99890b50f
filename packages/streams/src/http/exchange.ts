// What each route gets: the request, who sent it, and the store.

import type { StreamInfo, StreamStore } from "../store/store.ts";
import type { StreamAccess } from "./access.ts";
import { CLOSED, NEXT_OFFSET } from "./headers.ts";
import type { LiveReaders } from "./live-readers.ts";
import { offsetOf } from "./offset.ts";
import { Problem } from "./problem.ts";

export interface StreamServices {
  /** Its calls end in time. */
  readonly store: StreamStore;
  readonly prefix: string;
  readonly limits: {
    readonly body: number;
    readonly streamBytes: number;
    readonly streams: number;
    readonly messages: number;
    readonly producers: number;
    readonly page: number;
  };
  readonly times: { readonly longPoll: number; readonly sse: number; readonly recheck: number };
  readonly caching: "private" | "public";
  readonly readers: LiveReaders;
  readonly onError: (error: unknown) => void;
}

export interface Exchange {
  readonly request: Request;
  readonly url: URL;
  readonly streamId: string;
  readonly access: StreamAccess;
  /** Who the sender is now, and whether they may still read. Rejects with a Problem. */
  readonly readAgain: () => Promise<StreamAccess>;
  readonly services: StreamServices;
}

/** The headers that say where a stream is. */
export function headOf({ tail, isClosed }: Pick<StreamInfo, "tail" | "isClosed">): Record<string, string> {
  return { [NEXT_OFFSET]: offsetOf(tail), ...(isClosed && { [CLOSED]: "true" }) };
}

/** What is wrong when there is no such stream. */
export function missing({ status }: { readonly status: "unknown" | "gone" }): Problem {
  return status === "gone"
    ? new Problem("stream_deleted", "The stream was deleted. Its forks go on.")
    : new Problem("stream_not_found", "There is no such stream, or it has expired.");
}
