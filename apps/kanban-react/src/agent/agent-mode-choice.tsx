// The choice of how the agent works, above the field where it is asked.

import { useId } from "react";
import { useStore } from "zustand";
import { useSession } from "../session-context.ts";
import { type AgentMode, agentModes } from "@opstate/kanban-page/agent/agent-mode.ts";

const words: Readonly<Record<AgentMode, { readonly name: string; readonly note: string }>> = {
  direct: { name: "Just do it", note: "It edits the board; any run can be taken back." },
  ask: { name: "Ask me first", note: "Nothing changes before you accept it." },
  branch: { name: "Let it try", note: "It works on a branch; you merge what you like." },
};

export function AgentModeChoice() {
  const { agentMode } = useSession();
  const mode = useStore(agentMode);
  const name = useId();
  return (
    <fieldset className="agent-mode">
      <legend className="spoken">How the agent works</legend>
      <div className="segments">
        {agentModes.map((each) => (
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
            {words[each].name}
          </label>
        ))}
      </div>
      <p className="agent-mode-note" id={`${name}-note`}>
        {words[mode].note}
      </p>
    </fieldset>
  );
}
