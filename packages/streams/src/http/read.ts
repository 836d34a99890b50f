// GET, HEAD and DELETE: a page of a stream, now or as soon as there is one; its head; its end.

import { defined } from "@opstate/core";
import { isJson } from "../store/content-type.ts";
import { readNext } from "../store/follow.ts";
import type { StreamPage } from "../store/store.ts";
import { requireRight } from "./access.ts";
import { nextCursor } from "./cursor.ts";
import { eventStream } from "./event-stream.ts";
import { type Exchange, headOf, missing } from "./exchange.ts";
import { CLOSED, CURSOR, NEXT_OFFSET, readQueryOf, UP_TO_DATE } from "./headers.ts";
import type { LiveAccess } from "./live-access.ts";
import { offsetOf } from "./offset.ts";
import { Problem } from "./problem.ts";

export async function headRoute({ streamId, access, services: { store } }: Exchange): Promise<Response> {
  await requireRight(access, streamId, "read");
  const found = await store.info(streamId);
  if (found.status !== "found") throw missing(found);
  const { contentType, ttl, expiresAt } = found.info;
  return new Response(null, {
    headers: {
      "content-type": contentType,
      "cache-control": "no-store",
      ...headOf(found.info),
      ...(ttl !== undefined && { "stream-ttl": String(ttl) }),
      ...(expiresAt !== undefined && { "stream-expires-at": new Date(expiresAt).toISOString() }),
    },
  });
}

export async function deleteRoute({ streamId, access, services: { store } }: Exchange): Promise<Response> {
  await requireRight(access, streamId, "delete");
  const deleted = await store.delete(streamId);
  if (deleted.status !== "deleted") throw missing(deleted);
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

export async function readRoute(exchange: Exchange): Promise<Response> {
  const { streamId, access, url, services } = exchange;
  await requireRight(access, streamId, "read");
  const query = readQueryOf(url);
  const { position, live: mode } = query;
  const first = await readPage(exchange, position);
  const isEmpty = first.messages.length === 0;
  if (mode === undefined)
    return position === "tail" ? pageResponse(exchange, first, { isNow: true }) : pageResponse(exchange, first);
  if (mode === "long-poll" && !isEmpty) return pageResponse(exchange, first, { cursor: nextCursor(query.cursor) });
  if (mode === "long-poll" && first.info.isClosed) return nothing(first);

  const live = services.readers.begin({
    access,
    streamId,
    interval: services.times.recheck,
    check: exchange.readAgain,
    onError: services.onError,
  });
  if (mode === "sse") return eventStream(exchange, first, { live, cursor: query.cursor });
  try {
    return await longPoll(exchange, first, live, query.cursor);
  } finally {
    live.close();
  }
}

async function readPage({ streamId, services }: Exchange, position: number | "tail"): Promise<StreamPage> {
  const read = await services.store.read(streamId, { position, bytes: services.limits.page });
  if (read.status === "found") return read;
  if (read.status === "beyond")
    throw new Problem("invalid_offset", `The stream ends at ${offsetOf(read.tail)}, before this offset.`);
  throw missing(read);
}

async function longPoll(
  { request, streamId, services, url, ...exchange }: Exchange,
  first: StreamPage,
  live: LiveAccess,
  cursor: string | null,
): Promise<Response> {
  const { times, limits } = services;
  const signal = AbortSignal.any([live.signal, request.signal]);
  const range = { position: first.next, bytes: limits.page, wait: times.longPoll };
  const { incarnation } = first.info;
  const read = await readNext(services.store, streamId, range, { signal, incarnation }).catch((error: unknown) => {
    if (live.signal.aborted) throw live.signal.reason;
    throw request.signal.aborted ? new Problem("closing", "The reader left.") : error;
  });
  // The right may have ended while it waited.
  await live.ask();
  await live.confirm();
  if (read.status === "unknown" || read.status === "gone") throw missing(read);
  if (read.status === "beyond") throw missing({ status: "unknown" });
  return read.messages.length === 0
    ? nothing(read, nextCursor(cursor))
    : pageResponse({ request, streamId, services, url, ...exchange }, read, { cursor: nextCursor(cursor) });
}

/** There was no message in time, or there will be none. */
function nothing({ info, next }: StreamPage, cursor?: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "cache-control": "no-store",
      [NEXT_OFFSET]: offsetOf(next),
      [UP_TO_DATE]: "true",
      ...defined({ [CURSOR]: cursor }),
      ...(info.isClosed && { [CLOSED]: "true" }),
    },
  });
}

function pageResponse(
  { request, services }: Exchange,
  page: StreamPage,
  { cursor, isNow = false }: { readonly cursor?: string; readonly isNow?: boolean } = {},
): Response {
  const { info, messages, from, next } = page;
  const isUpToDate = next === info.tail;
  const isEnd = isUpToDate && info.isClosed;
  const etag = `"${info.incarnation}:${from}:${next}${isEnd ? ":c" : ""}"`;
  const headers = {
    "content-type": info.contentType,
    [NEXT_OFFSET]: offsetOf(next),
    ...(isUpToDate && { [UP_TO_DATE]: "true" }),
    ...(isEnd && { [CLOSED]: "true" }),
    ...defined({ [CURSOR]: cursor }),
    // What is at a position never changes; that there is nothing yet does.
    "cache-control": messages.length === 0 ? "no-store" : `${services.caching}, max-age=60, stale-while-revalidate=300`,
    ...(services.caching === "private" && { vary: "authorization, cookie" }),
    ...(!isNow && { etag }),
  };
  const isKnown = !isNow && (request.headers.get("if-none-match") ?? "").split(",").some((tag) => tag.trim() === etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(bodyOf(page), { headers });
}

function bodyOf({ info, messages }: StreamPage): Uint8Array<ArrayBuffer> {
  if (!isJson(info.contentType)) return joined(messages, 0);
  const body = joined(messages, 1, COMMA);
  body[0] = OPEN;
  body[body.length - 1] = CLOSE;
  return body;
}

const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/** The messages with a byte between them, and room around them. */
export function joined(messages: readonly Uint8Array[], around: number, between?: number): Uint8Array<ArrayBuffer> {
  const gaps = between === undefined ? 0 : Math.max(0, messages.length - 1);
  const bytes = new Uint8Array(messages.reduce((sum, { length }) => sum + length, gaps + 2 * around));
  let at = around;
  for (const [index, message] of messages.entries()) {
    if (index > 0 && between !== undefined) bytes[at++] = between;
    bytes.set(message, at);
    at += message.length;
  }
  return bytes;
}
