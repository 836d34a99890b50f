// The protocol's headers and query, read strictly: what the protocol spells otherwise is refused.

import type { ForkSource, NewStream, ProducerStamp } from "../store/store.ts";
import { positionOf } from "./offset.ts";
import { Problem } from "./problem.ts";

export const NEXT_OFFSET = "stream-next-offset";
export const UP_TO_DATE = "stream-up-to-date";
export const CLOSED = "stream-closed";
export const CURSOR = "stream-cursor";

/** What a page of another origin may send and read. */
export const REQUEST_HEADERS = [
  "authorization",
  "content-type",
  "if-none-match",
  "producer-epoch",
  "producer-id",
  "producer-seq",
  "stream-closed",
  "stream-expires-at",
  "stream-fork-offset",
  "stream-fork-sub-offset",
  "stream-forked-from",
  "stream-seq",
  "stream-ttl",
];
export const RESPONSE_HEADERS = [
  "etag",
  "location",
  "producer-epoch",
  "producer-expected-seq",
  "producer-received-seq",
  "producer-seq",
  "retry-after",
  "stream-closed",
  "stream-cursor",
  "stream-expires-at",
  "stream-next-offset",
  "stream-sse-data-encoding",
  "stream-ttl",
  "stream-up-to-date",
];

const TEXT_LIMIT = 512;
const WHOLE_NUMBER = /^(?:0|[1-9]\d*)$/;
/** Of an epoch and a sequence, which may have zeros in front. */
const DIGITS = /^\d+$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;|$)/;

/** Any other value than "true" counts as none. */
export function asksToClose({ headers }: Request): boolean {
  return headers.get("stream-closed")?.toLowerCase() === "true";
}

export function contentTypeOf({ headers }: Request): string | undefined {
  const contentType = headers.get("content-type")?.trim() ?? "";
  if (contentType === "") return undefined;
  if (MEDIA_TYPE.test(contentType) && contentType.length <= TEXT_LIMIT) return contentType;
  throw invalid("Content-Type", contentType, "a media type, such as application/json");
}

export function expiryOf({ headers }: Request): Pick<NewStream, "ttl" | "expiresAt"> {
  const [ttl, expiresAt] = [headers.get("stream-ttl"), headers.get("stream-expires-at")];
  if (ttl !== null && expiresAt !== null)
    throw new Problem("invalid_header", "A stream has a Stream-TTL or a Stream-Expires-At, not both.");
  if (ttl !== null) return { ttl: numberIn("Stream-TTL", ttl, WHOLE_NUMBER) };
  if (expiresAt === null) return {};
  const time = RFC_3339.test(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(time) || time < 0)
    throw invalid("Stream-Expires-At", expiresAt, "a time, such as 2030-01-31T12:00:00Z");
  return { expiresAt: time };
}

export function producerOf({ headers }: Request): ProducerStamp | undefined {
  const [id, epoch, seq] = ["id", "epoch", "seq"].map((name) => headers.get(`producer-${name}`));
  if ((id ?? epoch ?? seq ?? undefined) === undefined) return undefined;
  if (typeof id !== "string" || typeof epoch !== "string" || typeof seq !== "string")
    throw new Problem("invalid_header", "Producer-Id, Producer-Epoch and Producer-Seq are sent together.");
  if (id === "" || id.length > TEXT_LIMIT) throw invalid("Producer-Id", id, `text of 1 to ${TEXT_LIMIT} characters`);
  return { id, epoch: numberIn("Producer-Epoch", epoch, DIGITS), seq: numberIn("Producer-Seq", seq, DIGITS) };
}

export function seqOf({ headers }: Request): string | undefined {
  const seq = headers.get("stream-seq") ?? undefined;
  if (seq === "" || (seq?.length ?? 0) > TEXT_LIMIT)
    throw invalid("Stream-Seq", seq ?? "", `text of 1 to ${TEXT_LIMIT} characters`);
  return seq;
}

/** `idOf`: the id of the stream that a path names. */
export function forkOf({ headers }: Request, idOf: (path: string) => string): ForkSource | undefined {
  const from = headers.get("stream-forked-from");
  const [offset, skip] = [headers.get("stream-fork-offset"), headers.get("stream-fork-sub-offset")];
  if (from === null) {
    if (offset === null && skip === null) return undefined;
    throw new Problem("invalid_header", "Stream-Fork-Offset and Stream-Fork-Sub-Offset come with Stream-Forked-From.");
  }
  return {
    id: idOf(from),
    ...(offset !== null && { position: positionOf(offset) }),
    ...(skip !== null && { skip: numberIn("Stream-Fork-Sub-Offset", skip, WHOLE_NUMBER) }),
  };
}

export interface ReadQuery {
  /** Where to begin; "tail": only what comes later. */
  readonly position: number | "tail";
  readonly live: "long-poll" | "sse" | undefined;
  readonly cursor: string | null;
}

export function readQueryOf({ searchParams }: URL): ReadQuery {
  const offsets = searchParams.getAll("offset");
  const live = searchParams.get("live") ?? undefined;
  if (offsets.length > 1) throw new Problem("invalid_query", "A read has one `offset`.");
  if (live !== undefined && live !== "long-poll" && live !== "sse")
    throw new Problem("invalid_query", `\`live\` is "long-poll" or "sse", not "${live.slice(0, 40)}".`);
  const [offset] = offsets;
  if (offset === undefined && live !== undefined)
    throw new Problem("invalid_query", "A live read needs an `offset`: -1, now, or a Stream-Next-Offset.");
  const position = offset === undefined || offset === "-1" ? 0 : offset === "now" ? "tail" : positionOf(offset);
  return { position, live, cursor: searchParams.get("cursor") };
}

function numberIn(name: string, text: string, pattern: RegExp): number {
  const value = pattern.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw invalid(name, text, "a whole number from 0 to 2^53 - 1");
}

function invalid(name: string, value: string, right: string): Problem {
  return new Problem("invalid_header", `${name} is ${right}, not "${value.slice(0, 60)}".`);
}
