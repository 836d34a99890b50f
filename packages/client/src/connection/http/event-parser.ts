// Server-sent events from the text of a response, in whatever pieces it arrives:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
//
//   retry: 2000          -> onRetry(2000)
//   :                    -> onComment()
//   data: {"a":1}        -> an event, with the empty line after it
//
// The name and the id of an event are nothing that a page reads.

export interface EventParserOptions {
  readonly onComment?: () => void;
  /** Milliseconds that the server asks to wait for before the next connection. */
  readonly onRetry?: (milliseconds: number) => void;
}

export class EventParser {
  readonly #options: EventParserOptions;
  /** The beginning of a line. */
  #rest = "";
  /** The last line ended with a CR: an LF that follows belongs to it. */
  #isAfterReturn = false;
  #data: string | undefined;

  constructor(options: EventParserOptions = {}) {
    this.#options = options;
  }

  /** The data of the events that this piece completes. */
  feed(text: string): readonly string[] {
    const piece = this.#isAfterReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#isAfterReturn = text.endsWith("\r");
    // A long line is not searched again with each of its pieces.
    if (!/[\r\n]/.test(piece)) {
      this.#rest += piece;
      return [];
    }
    const lines = (this.#rest + piece).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => {
      if (line !== "") {
        this.#read(line);
        return [];
      }
      const data = this.#data;
      this.#data = undefined;
      return data ?? [];
    });
  }

  #read(line: string): void {
    const [field = ""] = line.split(":", 1);
    const value = line.slice(field.length + 1).replace(/^ /, "");
    if (field === "data") this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === "retry" && /^\d+$/.test(value)) this.#options.onRetry?.(Number(value));
    else if (line.startsWith(":")) this.#options.onComment?.();
  }
}
