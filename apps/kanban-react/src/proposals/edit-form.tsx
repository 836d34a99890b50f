// Edits a proposed operation. Saving makes it the person's own edit, and declines the proposal.

import { type FormEvent, useId, useState } from "react";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";
import { columnNames, sameColumnNames } from "@opstate/kanban-page/proposals/column-names.ts";
import { completed, edited, editableFields, type EditableFields } from "@opstate/kanban-page/proposals/editable.ts";
import type { DecideFormProps } from "./decline-form.tsx";

export function EditForm({ line, onEnd }: DecideFormProps) {
  const { decisions } = useSession();
  const { operation } = line.proposal;
  const [fields, setFields] = useState<EditableFields>(() => editableFields(operation));
  const columns = Board.useAgentState(columnNames, sameColumnNames);
  const id = useId();
  const { title, priority, toColumn } = fields;

  function save(event: FormEvent) {
    event.preventDefault();
    const changes = completed(fields);
    if (!changes) return;
    onEnd(decisions.edit(line, edited(operation, changes)));
  }

  return (
    <form
      className="decide-form"
      aria-label={`Do it differently: ${line.sentence}`}
      onSubmit={save}
      onKeyDown={(event) => event.key === "Escape" && onEnd()}
    >
      {title !== undefined && (
        <label htmlFor={`${id}-title`}>
          Title
          <input
            id={`${id}-title`}
            className="field"
            maxLength={200}
            autoFocus
            value={title}
            onChange={(event) => setFields({ ...fields, title: event.target.value })}
          />
        </label>
      )}
      {priority !== undefined && (
        <label htmlFor={`${id}-priority`}>
          Priority
          <select
            id={`${id}-priority`}
            className="field"
            value={priority}
            onChange={(event) => setFields({ ...fields, priority: Number(event.target.value) })}
          >
            {[1, 2, 3, 4].map((each) => (
              <option key={each} value={each}>{`P${each}`}</option>
            ))}
          </select>
        </label>
      )}
      {toColumn !== undefined && (
        <label htmlFor={`${id}-column`}>
          To the column
          <select
            id={`${id}-column`}
            className="field"
            autoFocus
            value={toColumn}
            onChange={(event) => setFields({ ...fields, toColumn: event.target.value })}
          >
            {columns.map(({ columnId, title: name }) => (
              <option key={columnId} value={columnId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="decide-row">
        <button type="submit" className="button primary small">
          Do it like this
        </button>
        <button type="button" className="button quiet small" onClick={() => onEnd()}>
          Cancel
        </button>
      </div>
    </form>
  );
}
