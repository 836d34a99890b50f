// The protocol's binary form: the same events, each as its length and its protobuf message.
//
// The binary form has no comments, so heartbeats are dropped. The text stream below handles readers
// that are slow or leave; this file only translates what is read.

import { AGUI_MEDIA_TYPE, EventEncoder } from "@ag-ui/encoder";
import { createParser } from "eventsource-parser";

/** Whether the client accepts the binary form by name. */
export function acceptsProtobuf({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === AGUI_MEDIA_TYPE && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * A response of server-sent events, in the binary form. An event that this form cannot express is
 * left out and reported to `onError`.
 */
export function toProtobuf(response: Response, onError: (error: unknown) => void): Response {
  const encoder = new EventEncoder();
  const decoder = new TextDecoder();
  let parser = createParser({});
  const translation = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      parser = createParser({
        onEvent({ data }) {
          try {
            controller.enqueue(encoder.encodeProtobuf(JSON.parse(data)));
          } catch (error) {
            onError(error);
          }
        },
      });
    },
    transform(chunk) {
      parser.feed(decoder.decode(chunk, { stream: true }));
    },
  });
  const headers = new Headers(response.headers);
  // Clients compare the whole value, so it must have no parameters.
  headers.set("content-type", AGUI_MEDIA_TYPE);
  return new Response(response.body?.pipeThrough(translation) ?? null, { status: response.status, headers });
}
