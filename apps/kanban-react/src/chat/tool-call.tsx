// A tool call as a sentence with its verdict. A click shows the JSON of both.

import { createCallText } from "@opstate/kanban-page/chat/call-words.ts";
import { useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";
import { Board, useLog } from "../board-context.ts";
import { Words } from "../words.tsx";
import type { Call } from "@opstate/kanban-page/chat/transcript.ts";
import { verdictOf } from "@opstate/kanban-page/chat/verdict.ts";

export function ToolCall({ call, running }: { call: Call; running: boolean }) {
  const thread = Board.useThread();
  const [words] = useState(() => createCallText(thread));
  const sentence = useLog(({ entries }) => words(call, entries));
  const verdict = verdictOf(call, running);
  return (
    <details className="call" data-verdict={verdict.kind}>
      <summary>
        <span className="call-icon">{verdict.icon ? <Icon name={verdict.icon} /> : <span className="pulse" />}</span>
        <span className="call-text">
          <Words>{sentence}</Words>
          <span className="call-verdict number">{verdict.text}</span>
          {verdict.reason && (
            <span className="call-reason">
              <Words>{verdict.reason}</Words>
            </span>
          )}
        </span>
        <span className="call-chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      <div className="call-json">
        <h3>{call.name}</h3>
        <JsonBlock value={call.json} label={`What ${call.name} was called with`} />
        {call.result !== undefined && (
          <>
            <h3>Result</h3>
            <JsonBlock value={call.result} label={`What ${call.name} gave back`} />
          </>
        )}
      </div>
    </details>
  );
}
