// Declines a proposal with a reason. The agent reads the reason in its next step.

import { type FormEvent, useId, useState } from "react";
import { useSession } from "../session-context.ts";
import type { ProposalLine } from "@opstate/kanban-page/proposals/lines.ts";

export function DeclineForm({ line }: { line: ProposalLine }) {
  const { decisions, view } = useSession();
  const [reason, setReason] = useState("");
  const id = useId();

  function save(event: FormEvent) {
    event.preventDefault();
    view.decide(undefined);
    void decisions.decline([line], reason.trim());
  }

  return (
    <form
      className="decide-form"
      aria-label={`Decline: ${line.sentence}`}
      onSubmit={save}
      onKeyDown={(event) => event.key === "Escape" && view.decide(undefined)}
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
        <button type="button" className="button quiet small" onClick={() => view.decide(undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
