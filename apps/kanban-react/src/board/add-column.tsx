// Adds a column after the last one. While a title is typed, the reducer's refusal is shown.

import { board } from "@opstate/kanban-domain";
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";

export function AddColumn() {
  const [open, setOpen] = useState(false);
  return (
    <div className="add-column">
      {open ? (
        <ColumnForm onClose={() => setOpen(false)} />
      ) : (
        <button type="button" className="button quiet" title="Add column" onClick={() => setOpen(true)}>
          <Icon name="plus" />
          <span className="add-column-label">Add column</span>
        </button>
      )}
    </div>
  );
}

function ColumnForm({ onClose }: { onClose: () => void }) {
  const { edits } = useSession();
  const [title, setTitle] = useState("");
  const wanted = title.trim();
  const refused = Board.useCan(wanted === "" ? undefined : board.op.addColumn({ title: wanted }));
  const id = useId();

  function save(event: FormEvent) {
    event.preventDefault();
    if (wanted === "" || refused) return;
    void edits.addColumn(wanted);
    onClose();
  }

  function press(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  }

  return (
    <form className="column-form" aria-label="New column" onSubmit={save} onKeyDown={press}>
      <input
        className="field"
        aria-label="Title of the column"
        placeholder="Title of the column"
        maxLength={200}
        value={title}
        autoFocus
        aria-invalid={refused !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => setTitle(event.target.value)}
      />
      <p className="problem" id={`${id}-problem`} aria-live="polite">
        {refused?.message}
      </p>
      <div className="card-form-row">
        <button type="submit" className="button primary small" disabled={wanted === "" || refused !== undefined}>
          Add column
        </button>
        <button type="button" className="button quiet small" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
