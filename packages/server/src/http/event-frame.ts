// One server-sent event as bytes, encoded once for every reader.
//
//   id: 12 \n  event: commits \n  data: {"thread":"launch", ... } \n\n
//   |---------------------------- bytes -----------------------------|   the stream of one thread
//              |----------------- withoutId -------------------------|   a stream of many threads
//                                       |-------- json --------|         an answer that is a list
//
// Invariants:
// - The parts are views of the same bytes. Nothing is encoded or copied for another kind of reader.
// - `data` is one line, since JSON has no raw line breaks. Lines end in \n only.

const ENCODER = new TextEncoder();

export class EventFrame {
  /** The name of the event. */
  readonly event: string;
  readonly bytes: Uint8Array;
  readonly #idLength: number;
  #withoutId: Uint8Array | undefined;
  readonly #jsonStart: number;

  /** `event` may be empty: then the event has no name. */
  constructor(event: string, data: object, id?: number) {
    const idLine = id === undefined ? "" : `id: ${id}\n`;
    const head = `${idLine}${event === "" ? "" : `event: ${event}\n`}data: `;
    this.event = event;
    this.bytes = ENCODER.encode(`${head}${JSON.stringify(data)}\n\n`);
    // The head is ASCII: as many bytes as characters.
    this.#idLength = idLine.length;
    this.#jsonStart = head.length;
  }

  /**
   * The event without its id. The versions of several threads would overwrite each other as the
   * last event id of one stream.
   */
  get withoutId(): Uint8Array {
    return (this.#withoutId ??= this.#idLength === 0 ? this.bytes : this.bytes.subarray(this.#idLength));
  }

  /** The data alone. */
  get json(): Uint8Array {
    return this.bytes.subarray(this.#jsonStart, -2);
  }
}

/** Frames that follow one another: one write for the reader of a stream. */
export class JoinedFrames {
  readonly count: number;
  readonly #frames: readonly EventFrame[];
  #bytes: Uint8Array | undefined;
  #withoutIds: Uint8Array | undefined;

  constructor(frames: readonly EventFrame[]) {
    this.count = frames.length;
    this.#frames = frames;
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= joined(this.#frames.map(({ bytes }) => bytes)));
  }

  get withoutId(): Uint8Array {
    return (this.#withoutIds ??= joined(this.#frames.map(({ withoutId }) => withoutId)));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Says after how many milliseconds a reader whose stream ends connects again. */
export function retryLine(milliseconds: number): Uint8Array {
  return ENCODER.encode(`retry: ${Math.round(milliseconds)}\n\n`);
}
