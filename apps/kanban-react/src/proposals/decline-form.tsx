// Declines a proposal with a reason. The agent reads the reason in its next step.

import { type FormEvent, useId, useState } from "react";
import { useSession } from "../session-context.ts";
import type { ProposalLine } from "@opstate/kanban-page/proposals/lines.ts";

export interface DecideFormProps {
  readonly line: ProposalLine;
  /** Cancelled, or decided: then with what decides. */
  readonly onEnd: (done?: Promise<void>) => void;
}

export function DeclineForm({ line, onEnd }: DecideFormProps) {
  const { decisions } = useSession();
  const [reason, setReason] = useState("");
  const id = useId();

  function save(event: FormEvent) {
    event.preventDefault();
    onEnd(decisions.decline([line], reason.trim()));
  }

  return (
    <form
      className="decide-form"
      aria-label={`Decline: ${line.sentence}`}
      onSubmit={save}
      onKeyDown={(event) => event.key === "Escape" && onEnd()}
    >
      <label htmlFor={id}>
        Tell the agent why (optional)
        <input
          id={id}
          className="field"
          maxLength={500}
          autoFocus
          value={reason}
          placeholder="Not before Friday"
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <div className="decide-row">
        <button type="submit" className="button small danger">
          Decline
        </button>
        <button type="button" className="button quiet small" onClick={() => onEnd()}>
          Cancel
        </button>
      </div>
    </form>
  );
}
