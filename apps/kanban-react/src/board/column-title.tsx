// A column's title; a click on it renames the column.

import { type KeyboardEvent, useState } from "react";
import { useSession } from "../session-context.ts";

export function ColumnTitle({ columnId, title }: { columnId: string; title: string }) {
  const { edits } = useSession();
  const [draft, setDraft] = useState<string>();

  function save() {
    const wanted = draft?.trim() ?? "";
    setDraft(undefined);
    if (wanted !== "" && wanted !== title) void edits.renameColumn(columnId, wanted);
  }

  function press(event: KeyboardEvent) {
    if (event.key === "Enter") save();
    else if (event.key === "Escape") setDraft(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <h3 className="column-title">
      {draft === undefined ? (
        <button type="button" title="Rename" aria-describedby="column-help" onClick={() => setDraft(title)}>
          {title}
        </button>
      ) : (
        <input
          className="field"
          aria-label={`New title of ${title}`}
          value={draft}
          maxLength={200}
          autoFocus
          onFocus={(event) => event.target.select()}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={press}
          onBlur={save}
        />
      )}
    </h3>
  );
}
