// The parser of event streams against eventsource-parser, on random texts in random pieces.

import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../tools/runs.ts";
import { EventParser } from "../../../src/connection/http/event-parser.ts";
import { eventsOf } from "../../../src/connection/http/events-of.ts";

type Seen = readonly (readonly [kind: "data" | "retry" | "comment", value?: string | number])[];

function expected(pieces: readonly string[]): Seen {
  const seen: Seen[number][] = [];
  const parser = createParser({
    onEvent: ({ data }) => seen.push(["data", data]),
    onRetry: (milliseconds) => seen.push(["retry", milliseconds]),
    onComment: () => seen.push(["comment"]),
  });
  for (const piece of pieces) parser.feed(piece);
  return seen;
}

function parsed(pieces: readonly string[]): Seen {
  const seen: Seen[number][] = [];
  const parser = new EventParser({
    onRetry: (milliseconds) => seen.push(["retry", milliseconds]),
    onComment: () => seen.push(["comment"]),
  });
  for (const piece of pieces) for (const data of parser.feed(piece)) seen.push(["data", data]);
  return seen;
}

/** What is told of a piece: its events after what else is in it. */
const sorted = (seen: Seen): Seen => seen.toSorted(([a], [b]) => Number(a === "data") - Number(b === "data"));

const LINE_ENDS = ["\n", "\r", "\r\n"];
const FIELDS = [
  "data: a",
  "data:b",
  "data",
  "retry: 12",
  "retry:x",
  "id: 7",
  "event: x",
  ":",
  ": hello",
  "other: 1",
  " data: c",
];
const line = fc
  .tuple(
    fc.oneof(fc.constantFrom("", ...FIELDS), fc.string({ maxLength: 4, unit: "binary" })),
    fc.constantFrom(...LINE_ENDS),
  )
  .map((parts) => parts.join(""));
/** A text in pieces. Byte order marks are the decoder's. */
const pieces = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.array(fc.nat({ max: 60 }), { maxLength: 8 }))
  .map(([lines, cuts]) => {
    const text = ["\n", ...lines].join("");
    const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  });

describe("an event stream", () => {
  it("is read as the specification says, however it is cut", () => {
    fc.assert(
      fc.property(pieces, (cut) => {
        expect(sorted(parsed(cut))).toEqual(sorted(expected(cut)));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("is read from bytes that are cut within a character", async () => {
    const bytes = new TextEncoder().encode("\uFEFFretry: 5\n\ndata: ünïcödé 🎉\n\ndata: a\ndata: b\n\ndata: lost");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const seen: string[] = [];
    let retry = 0;
    for await (const events of eventsOf(new Response(body), { onRetry: (time) => (retry = time) }))
      seen.push(...events);
    expect(seen).toEqual(["ünïcödé 🎉", "a\nb"]);
    expect(retry).toBe(5);
  });

  it("gives together what arrived together, and throws when it breaks", async () => {
    let broken: (error: Error) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const n of [1, 2, 3]) controller.enqueue(new TextEncoder().encode(`data: ${n}\n\n`));
        broken = (error) => controller.error(error);
      },
    });
    const events = eventsOf(new Response(body));
    expect(await events.next()).toEqual({ done: false, value: ["1", "2", "3"] });
    broken(new Error("reset"));
    await expect(events.next()).rejects.toThrow("reset");
  });
});
