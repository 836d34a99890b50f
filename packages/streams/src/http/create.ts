// PUT: makes a stream, or a fork of one. May be repeated.

import { defined } from "@opstate/core";
import { actorKey } from "@opstate/core/log";
import { isJson } from "../store/content-type.ts";
import { requireRight } from "./access.ts";
import { jsonMessages, readBytes } from "./body.ts";
import { type Exchange, headOf } from "./exchange.ts";
import { asksToClose, contentTypeOf, expiryOf, forkOf } from "./headers.ts";
import { offsetOf } from "./offset.ts";
import { Problem } from "./problem.ts";
import { streamIdOf } from "./stream-id.ts";

export async function createRoute({ request, url, streamId, access, services }: Exchange): Promise<Response> {
  const { store, limits, prefix } = services;
  await requireRight(access, streamId, "create");
  const source = forkOf(request, (path) => streamIdOf(pathOf(path, url), prefix));
  if (source) await requireRight(access, source.id, "read");
  const contentType = contentTypeOf(request);
  const expiry = expiryOf(request);
  const body = await readBytes(request, limits.body);

  // A fork without a type of its own has that of its source, by which its body is read.
  const found = source && contentType === undefined ? await store.info(source.id) : undefined;
  const typeOfBody = contentType ?? (found?.status === "found" ? found.info.contentType : "application/octet-stream");
  const messages = body.length === 0 ? [] : isJson(typeOfBody) ? jsonMessages(body, limits.messages) : [body];
  const created = await store.create(streamId, {
    ...defined({ contentType }),
    ...expiry,
    ...defined({ source }),
    isClosed: asksToClose(request),
    messages,
    owner: actorKey(access.actor),
    limits: { streams: limits.streams, bytes: limits.streamBytes },
  });
  switch (created.status) {
    case "created":
    case "exists": {
      const headers = {
        "content-type": created.info.contentType,
        "cache-control": "no-store",
        ...headOf(created.info),
      };
      return created.status === "exists"
        ? new Response(null, { headers })
        : new Response(null, { status: 201, headers: { ...headers, location: url.origin + url.pathname } });
    }
    case "differs":
      throw new Problem("stream_differs", "The stream is there, with another type, expiry, source or closure.");
    case "gone":
      throw new Problem(
        "stream_id_taken",
        "The stream was deleted and has forks. Its path is free when they are deleted.",
      );
    case "no_source":
      throw new Problem("stream_not_found", "There is no stream that Stream-Forked-From names.");
    case "source_gone":
      throw new Problem("stream_id_taken", "The stream that Stream-Forked-From names was deleted.");
    case "source_differs":
      throw new Problem(
        "content_type_differs",
        `The source is ${created.contentType}. Leave Content-Type out to have the same.`,
      );
    case "no_position":
      throw new Problem(
        "invalid_offset",
        `The source ends at ${offsetOf(created.tail)}, or the append at the offset ends before the sub-offset.`,
      );
    case "too_deep":
      throw new Problem("fork_too_deep", `A fork has messages of at most ${created.depth} other streams.`);
    case "too_many_streams":
      throw new Problem("too_many_streams", `At most ${created.streams} streams for one sender. Delete some first.`);
    case "too_large":
      throw new Problem("stream_too_large", `A stream takes ${created.bytes} bytes.`);
  }
}

/** The path that a fork names: of the same server, as it is in a URL. */
function pathOf(path: string, url: URL): string {
  const named = path.startsWith("/") && URL.canParse(path, url.href) ? new URL(path, url) : undefined;
  if (named?.origin === url.origin) return named.pathname;
  throw new Problem("invalid_header", `Stream-Forked-From is the path of a stream here, not "${path.slice(0, 60)}".`);
}
