// Patches that did not fit the state. They were not applied.

import type { StateConflict } from "@opstate/ag-ui";
import { JsonBlock } from "@opstate/ui/react/json-block.tsx";

export function ConflictList({ conflicts }: { conflicts: readonly StateConflict[] }) {
  if (conflicts.length === 0)
    return (
      <p className="empty">No conflicts. A patch that does not fit the state is listed here. It changes nothing.</p>
    );
  // Conflicts are only added, or all cleared, so the index is a stable key.
  const numbered = conflicts.map((conflict, index) => ({ ...conflict, number: index + 1 }));
  return (
    <ul className="problems">
      {numbered.map(({ number, reason, patches, messageId, code }) => (
        <li key={number}>
          <h3>
            {messageId === undefined
              ? "A change to the state was not applied"
              : "A change to an activity was not applied"}
          </h3>
          <p>{reason}</p>
          <p className="quiet">None of the patch was applied ({code}).</p>
          <JsonBlock value={patches} label={`Patch of conflict ${number}`} />
        </li>
      ))}
    </ul>
  );
}
