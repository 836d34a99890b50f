// What pages may show of the state before it is so. An agent names tools by `PredictState`, and
// clients take their arguments for a part of the state until the next event of the state:
//
//   PredictState   TOOL_CALL_ARGS ...   STATE_DELTA       accepted: the thread's state again
//                  TOOL_CALL_ARGS ...   TOOL_CALL_RESULT  refused: a snapshot comes before it
//
// Otherwise the page would send what never was with its next run, as what its person wrote.

import { EventType } from "@ag-ui/core";
import { isObject } from "@opstate/core/json";

export class Predicted {
  readonly #tools = new Set<unknown>();
  /** The calls of those tools. */
  readonly #calls = new Set<unknown>();
  #isShown = false;

  /** Whether pages may show a state that is not the thread's. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** An event that is sent. */
  see(event: object): void {
    if (!isObject(event)) return;
    switch (event["type"]) {
      case EventType.CUSTOM:
        if (event["name"] === "PredictState") this.#name(event["value"]);
        break;
      case EventType.TOOL_CALL_START:
        if (this.#tools.has(event["toolCallName"])) this.#calls.add(event["toolCallId"]);
        break;
      case EventType.TOOL_CALL_ARGS:
        this.#isShown ||= this.#calls.has(event["toolCallId"]);
        break;
      case EventType.STATE_SNAPSHOT:
      case EventType.STATE_DELTA:
        this.#isShown = false;
        break;
      default:
    }
  }

  /** Whether nothing is to come any more of what pages show, once this event is sent. */
  endsWith(event: object): boolean {
    if (!this.#isShown || !isObject(event)) return false;
    const { type, toolCallId } = event;
    if (type === EventType.TOOL_CALL_RESULT) return this.#calls.has(toolCallId);
    return type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR;
  }

  #name(predictions: unknown): void {
    if (!Array.isArray(predictions)) return;
    for (const prediction of predictions) if (isObject(prediction)) this.#tools.add(prediction["tool"]);
  }
}
