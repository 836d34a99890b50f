// The choice of how the agent works, above the message field.

import { useId } from "react";
import { useStore } from "zustand";
import { useSession } from "./session-context.ts";
import { AGENT_MODES, AGENT_MODE_WORDS } from "@opstate/kanban-page/agent-mode.ts";

export function AgentModeChoice() {
  const { agentMode } = useSession();
  const mode = useStore(agentMode);
  const name = useId();
  return (
    <fieldset className="agent-mode">
      <legend className="spoken">How the agent works</legend>
      <div className="segments">
        {AGENT_MODES.map((each) => (
          <label key={each} className="segment">
            <input
              className="spoken"
              type="radio"
              name={name}
              value={each}
              checked={mode === each}
              aria-describedby={`${name}-note`}
              onChange={() => agentMode.choose(each)}
            />
            {AGENT_MODE_WORDS[each].name}
          </label>
        ))}
      </div>
      <p className="agent-mode-note" id={`${name}-note`}>
        {AGENT_MODE_WORDS[mode].note}
      </p>
    </fieldset>
  );
}
