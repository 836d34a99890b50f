// The protocol's binary form: the same events, each as its length and its protobuf message.
//
// Comments, which keep a text stream alive, have no place in it. A reader that is slow or leaves is
// the text stream's to see: this only translates what is read.

import { AGUI_MEDIA_TYPE, EventEncoder } from "@ag-ui/encoder";
import { createParser } from "eventsource-parser";

/** Whether a client asks for it by name. */
export function asksForProtobuf({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === AGUI_MEDIA_TYPE && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * An answer of server-sent events in the binary form. What the form cannot hold is left out and
 * reported.
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
  // Clients compare it as a whole: nothing may follow.
  headers.set("content-type", AGUI_MEDIA_TYPE);
  return new Response(response.body?.pipeThrough(translation) ?? null, { status: response.status, headers });
}
