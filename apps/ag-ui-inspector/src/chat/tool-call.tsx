// A tool call: its name, its streaming arguments and its result. A click shows both as JSON.

import type { ChatToolCall } from "@opstate/ag-ui";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";
import { textOf } from "./text-of.ts";

export function ToolCall({ call }: { call: ChatToolCall }) {
  const { name, parsedArguments, result } = call;
  const outcome = outcomeOf(call);
  return (
    <details className="call" data-outcome={outcome.kind}>
      <summary>
        <span className="call-icon">{outcome.icon}</span>
        <span className="call-text">
          <span className="call-name mono">{name}</span>
          <span className="call-arguments mono">{call.arguments.slice(0, 160)}</span>
          <span className="call-outcome">{outcome.text}</span>
        </span>
        <span className="call-chevron">
          <Icon name="chevron" />
        </span>
      </summary>
      <div className="call-json">
        <h3>Arguments</h3>
        <JsonBlock value={parsedArguments ?? call.arguments} label={`Arguments of ${name}`} />
        {result !== undefined && (
          <>
            <h3>Result</h3>
            <JsonBlock value={textOf(result.content)} label={`Result of ${name}`} />
            {result.error !== undefined && <p className="problem">{result.error}</p>}
          </>
        )}
      </div>
    </details>
  );
}

function outcomeOf({ status, result }: ChatToolCall) {
  if (result?.error !== undefined)
    return { kind: "failed", icon: <Icon name="cross" />, text: `Failed: ${result.error}` };
  if (result !== undefined)
    return { kind: "answered", icon: <Icon name="check" />, text: firstWords(textOf(result.content)) };
  if (status === "incomplete") return { kind: "stopped", icon: <Icon name="cross" />, text: "Cut off" };
  if (status === "streaming") return { kind: "running", icon: <span className="pulse" />, text: "Arguments arrive" };
  return { kind: "running", icon: <span className="pulse" />, text: "No result yet" };
}

function firstWords(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "Answered with nothing";
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}
