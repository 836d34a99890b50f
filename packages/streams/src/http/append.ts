// POST: appends to a stream, closes it, or both.

import { defined } from "@opstate/core";
import { isJson } from "../store/content-type.ts";
import type { Appended } from "../store/store.ts";
import { requireRight } from "./access.ts";
import { jsonMessages, readBytes } from "./body.ts";
import { type Exchange, headOf, missing } from "./exchange.ts";
import { asksToClose, contentTypeOf, producerOf, seqOf } from "./headers.ts";
import { Problem } from "./problem.ts";

export async function appendRoute({ request, streamId, access, services }: Exchange): Promise<Response> {
  const { store, limits } = services;
  await requireRight(access, streamId, "append");
  const [close, producer, seq] = [asksToClose(request), producerOf(request), seqOf(request)];
  const body = await readBytes(request, limits.body);
  if (body.length === 0 && !close)
    throw new Problem("empty_body", "An append has a body. To close the stream alone, send Stream-Closed: true.");

  const stamp = { ...defined({ producer }), limits: { bytes: limits.streamBytes, producers: limits.producers } };
  if (body.length === 0) {
    const closed = await store.append(streamId, { close, ...stamp });
    return answer(closed, producer?.seq, 204);
  }
  const contentType = contentTypeOf(request);
  if (contentType === undefined) throw new Problem("invalid_header", "An append has the Content-Type of its stream.");
  const messages = isJson(contentType) ? jsonMessages(body, limits.messages) : [body];
  if (messages.length === 0) throw new Problem("empty_body", "An empty array has no messages to append.");
  const appended = await store.append(streamId, {
    contentType,
    messages,
    close,
    ...defined({ seq }),
    ...stamp,
  });
  return answer(appended, producer?.seq, producer ? 200 : 204);
}

function answer(appended: Appended, received: number | undefined, status: number): Response {
  switch (appended.status) {
    case "appended":
    case "duplicate": {
      const { producer } = appended;
      const headers = {
        "cache-control": "no-store",
        ...headOf(appended),
        ...(producer && { "producer-epoch": String(producer.epoch), "producer-seq": String(producer.seq) }),
      };
      return new Response(null, { status: appended.status === "duplicate" ? 204 : status, headers });
    }
    case "closed":
      throw new Problem(
        "stream_closed",
        "The stream was closed: it takes no more.",
        headOf({ ...appended, isClosed: true }),
      );
    case "content_differs":
      throw new Problem("content_type_differs", `The stream is ${appended.contentType}.`);
    case "seq_taken":
      throw new Problem("sequence_taken", `Stream-Seq must sort after "${appended.last.slice(0, 60)}".`);
    case "fenced":
      throw new Problem("producer_fenced", `The producer has written in epoch ${appended.epoch}.`, {
        "producer-epoch": String(appended.epoch),
      });
    case "epoch_begins_at_0":
      throw new Problem("epoch_begins_at_0", "The first append of an epoch has Producer-Seq 0.");
    case "gap":
      throw new Problem("producer_gap", `The next append of the producer has Producer-Seq ${appended.expected}.`, {
        "producer-expected-seq": String(appended.expected),
        "producer-received-seq": String(received),
      });
    case "too_large":
      throw new Problem("stream_too_large", `A stream takes ${appended.bytes} bytes, and this append would be beyond.`);
    case "too_many_producers":
      throw new Problem("too_many_producers", `At most ${appended.producers} producers write to one stream.`);
    case "unknown":
    case "gone":
      throw missing(appended);
  }
}
