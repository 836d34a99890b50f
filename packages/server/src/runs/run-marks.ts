// What a later request needs to know of a run's events: which messages it made, how much text they
// have, and up to which version its reader has the thread's state.

import { EventType } from "@ag-ui/core";
import { isObject } from "@opstate/core/json";

/** What the JSON of a message event contains, and that of a state event. */
const MESSAGES = /"(TEXT_MESSAGE|TOOL_CALL|REASONING_MESSAGE)_/;
const STATES = '"STATE_';

export class RunMarks {
  /** The length of a message's text, by its id. */
  readonly #messages = new Map<string, number>();
  #last: string | undefined;
  #version: number | undefined;

  /** The marks of events in JSON. Of their states only the last is parsed: they may be large. */
  static of(events: readonly string[]): RunMarks {
    const marks = new RunMarks();
    for (const json of events) if (MESSAGES.test(json)) marks.add(JSON.parse(json));
    for (const json of events.toReversed()) {
      const version = json.includes(STATES) ? versionOf(JSON.parse(json)) : undefined;
      if (version === undefined) continue;
      marks.#version = version;
      break;
    }
    return marks;
  }

  /** The ids of the messages that the run made. */
  get messageIds(): Iterable<string> {
    return this.#messages.keys();
  }

  /** Its last message of the assistant. */
  get last(): { readonly id: string; readonly length: number } | undefined {
    return this.#last === undefined ? undefined : { id: this.#last, length: this.#messages.get(this.#last) ?? 0 };
  }

  /** The version of the last state that was sent in it. */
  get version(): number | undefined {
    return this.#version;
  }

  /** Events come from the server itself, so their types are right. */
  add(event: unknown): void {
    if (!isObject(event)) return;
    const { type, messageId, parentMessageId, toolCallId, delta } = event;
    switch (type) {
      case EventType.TEXT_MESSAGE_START:
        this.#made(messageId, event["role"] === undefined || event["role"] === "assistant");
        break;
      case EventType.TEXT_MESSAGE_CONTENT:
        if (typeof messageId === "string" && typeof delta === "string")
          this.#messages.set(messageId, (this.#messages.get(messageId) ?? 0) + delta.length);
        break;
      case EventType.TOOL_CALL_START:
        this.#made(parentMessageId ?? toolCallId, true);
        break;
      case EventType.TOOL_CALL_RESULT:
      case EventType.REASONING_MESSAGE_START:
        this.#made(messageId, false);
        break;
      case EventType.STATE_SNAPSHOT:
      case EventType.STATE_DELTA:
        this.#version = versionOf(event) ?? this.#version;
        break;
      default:
    }
  }

  #made(id: unknown, isAssistants: boolean): void {
    if (typeof id !== "string") return;
    if (!this.#messages.has(id)) this.#messages.set(id, 0);
    if (isAssistants) this.#last = id;
  }
}

/** The version in a state event, as `commitsToEvents` writes it. */
function versionOf(event: unknown): number | undefined {
  if (!isObject(event) || !isObject(event["metadata"])) return undefined;
  const { opstate } = event["metadata"];
  return isObject(opstate) && typeof opstate["version"] === "number" ? opstate["version"] : undefined;
}
