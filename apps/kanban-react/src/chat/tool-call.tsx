// A tool call as a sentence with its verdict; the JSON of both is one click away.

import { describe } from "@opstate/kanban-domain";
import { useState } from "react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import type { Call } from "@opstate/kanban-page/chat/transcript.ts";

export function ToolCall({ call, running }: { call: Call; running: boolean }) {
  const sentence = useSentence(call);
  const verdict = verdictOf(call, running);
  return (
    <details className="call" data-verdict={verdict.kind}>
      <summary>
        <span className="call-icon">{verdict.icon}</span>
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
        <pre>{pretty(call.json)}</pre>
        {call.result !== undefined && (
          <>
            <h3>Result</h3>
            <pre>{pretty(call.result)}</pre>
          </>
        )}
      </div>
    </details>
  );
}

/** The call in words: those of the log, once it is there; until then with the board as it was when the arguments were complete. */
function useSentence({ toolCallId, name, operation }: Call): string {
  const { replica, log } = useSession();
  const [said, setSaid] = useState<string>();
  const logged = useStore(
    log,
    ({ entries }) =>
      entries.find((entry) => entry.toolCallId === toolCallId && (entry.kind === "edit" || entry.kind === "refusal"))?.sentence,
  );
  if (logged !== undefined) return logged;
  if (said !== undefined) return said;
  if (!operation) return readings[name] ?? `${name} …`;
  const sentence = describe(operation, replica.getState());
  setSaid(sentence);
  return sentence;
}

/** The tools that only read, in words. */
const readings: Readonly<Record<string, string>> = { recentChanges: "Look up the latest changes" };

function verdictOf({ result, outcome }: Call, running: boolean) {
  if (outcome?.kind === "proposed")
    return { kind: "proposed", icon: <Icon name="clock" />, text: "Proposed, waits for you", reason: undefined };
  if (outcome?.kind === "accepted") {
    return {
      kind: "accepted",
      icon: <Icon name="check" />,
      text: outcome.version === undefined ? "Accepted" : `Accepted, version ${outcome.version}`,
      reason: undefined,
    };
  }
  if (outcome) return { kind: "refused", icon: <Icon name="cross" />, text: "Refused", reason: outcome.message };
  if (result !== undefined) return { kind: "answered", icon: <Icon name="check" />, text: "Answered", reason: undefined };
  return running
    ? { kind: "running", icon: <span className="pulse" />, text: "Asking", reason: undefined }
    : { kind: "stopped", icon: <Icon name="cross" />, text: "Stopped", reason: undefined };
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
