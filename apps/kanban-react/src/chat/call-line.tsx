// A tool call as a sentence with its verdict. A click shows the JSON of both.

import { createCallText, loggedText } from "@opstate/kanban-page/chat/call-words.ts";
import type { Call } from "@opstate/kanban-page/chat/transcript.ts";
import type { CallVerdict } from "@opstate/kanban-page/chat/verdict.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";
import { useState } from "react";
import { Board, useLog } from "../board-context.ts";
import { Words } from "../words.tsx";

export function CallLine({ call, verdict }: { call: Call; verdict: CallVerdict }) {
  const [words] = useState(createCallText);
  const logged = useLog(({ entries }) => loggedText(call, entries));
  const described = Board.useAgentState((board) => words(call, board));
  return (
    <details className="call" data-verdict={verdict.kind}>
      <summary>
        <span className="call-icon">{verdict.icon ? <Icon name={verdict.icon} /> : <span className="pulse" />}</span>
        <span className="call-text">
          <Words>{logged ?? described}</Words>
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
