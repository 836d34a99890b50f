// The dispatcher: one well-formed event to the function that folds it. Chunks are expanded before.

import { EventType, type AGUIEvent } from "@ag-ui/core";
import type { ChatState } from "../state/chat-state.ts";
import { applyActivityDelta, applyActivitySnapshot } from "./activity.ts";
import { applyCustom } from "./custom.ts";
import type { Fold } from "./fold.ts";
import { applyMessagesSnapshot } from "./messages-snapshot.ts";
import { endSpan, startSpan, setEncryptedValue } from "./reasoning.ts";
import { failRun, finishRun, startRun } from "./run.ts";
import { applyStateDelta, applyStateSnapshot } from "./state.ts";
import { finishStep, startStep } from "./steps.ts";
import { failSubagent, finishSubagent, startSubagent } from "./subagents.ts";
import { appendText, endText, startText } from "./text.ts";
import { appendArguments, endCall, startCall, addResult } from "./tool-calls.ts";

export function applyEvent(fold: Fold, state: ChatState, event: AGUIEvent): ChatState {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_CONTENT:
    case EventType.REASONING_MESSAGE_CONTENT:
      return appendText(fold, state, event);
    case EventType.TOOL_CALL_ARGS:
      return appendArguments(fold, state, event);
    case EventType.TEXT_MESSAGE_START:
    case EventType.REASONING_MESSAGE_START:
      return startText(fold, state, event);
    case EventType.TEXT_MESSAGE_END:
    case EventType.REASONING_MESSAGE_END:
      return endText(fold, state, event);
    case EventType.TOOL_CALL_START:
      return startCall(fold, state, event);
    case EventType.TOOL_CALL_END:
      return endCall(fold, state, event);
    case EventType.TOOL_CALL_RESULT:
      return addResult(fold, state, event);
    case EventType.STATE_SNAPSHOT:
      return applyStateSnapshot(fold, state, event);
    case EventType.STATE_DELTA:
      return applyStateDelta(fold, state, event);
    case EventType.MESSAGES_SNAPSHOT:
      return applyMessagesSnapshot(state, event);
    case EventType.ACTIVITY_SNAPSHOT:
      return applyActivitySnapshot(fold, state, event);
    case EventType.ACTIVITY_DELTA:
      return applyActivityDelta(fold, state, event);
    case EventType.REASONING_START:
      return startSpan(state, event);
    case EventType.REASONING_END:
      return endSpan(state, event);
    case EventType.REASONING_ENCRYPTED_VALUE:
      return setEncryptedValue(fold, state, event);
    case EventType.SUBAGENT_STARTED:
      return startSubagent(state, event);
    case EventType.SUBAGENT_FINISHED:
      return finishSubagent(state, event);
    case EventType.SUBAGENT_ERROR:
      return failSubagent(state, event);
    case EventType.RUN_STARTED:
      return startRun(state, event);
    case EventType.RUN_FINISHED:
      return finishRun(state, event);
    case EventType.RUN_ERROR:
      return failRun(state, event);
    case EventType.STEP_STARTED:
      return startStep(state, event);
    case EventType.STEP_FINISHED:
      return finishStep(state, event);
    case EventType.CUSTOM:
      return applyCustom(fold, state, event);
    case EventType.RAW:
    // Chunks are expanded before they come here.
    case EventType.TEXT_MESSAGE_CHUNK:
    case EventType.TOOL_CALL_CHUNK:
    case EventType.REASONING_MESSAGE_CHUNK:
      return state;
  }
}
