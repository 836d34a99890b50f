// The status of the run. A click shows its steps, subagents and tokens.

import type { ChatState } from "@opstate/ag-ui";
import { closeOnEscape } from "../close-on-escape.ts";

export function RunLine({ state: { phase, run, steps, subagents, usage } }: { state: ChatState }) {
  const words = phase === "running" ? "Running" : phase === "error" ? "Error" : OUTCOMES[run?.outcome ?? "none"];
  const tokens = usage.reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0);
  // Steps are only added, and may share a name.
  const numbered = steps.map((step, index) => ({ ...step, number: index + 1 }));
  if (steps.length + subagents.length + tokens === 0)
    return (
      <span className="chip" data-phase={phase}>
        {words}
      </span>
    );
  return (
    <details className="run-line" onKeyDown={closeOnEscape}>
      <summary className="chip" data-phase={phase}>
        {words}
        <span className="spoken">, details of the run</span>
      </summary>
      <div className="run-card">
        <ul>
          {numbered.map(({ number, name, status }) => (
            <li key={number}>
              Step {name}: {status}
            </li>
          ))}
          {subagents.map(({ id, name, status, parentSubagentRunId }) => (
            <li key={id} data-nested={parentSubagentRunId !== undefined || undefined}>
              Subagent {name}: {status}
            </li>
          ))}
          {tokens > 0 && <li className="number">{tokens.toLocaleString("en")} tokens so far</li>}
        </ul>
      </div>
    </details>
  );
}

const OUTCOMES = {
  none: "Ready",
  success: "Finished",
  interrupt: "Waiting for you",
  cancelled: "Stopped",
  error: "Error",
};
