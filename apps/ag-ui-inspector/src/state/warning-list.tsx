// Warnings about what the agent sent and the page ignored.

import type { ChatWarning } from "@opstate/ag-ui";

export function WarningList({ warnings }: { warnings: readonly ChatWarning[] }) {
  if (warnings.length === 0)
    return (
      <p className="empty">
        No warnings. Events that this page does not know, such as those of a newer protocol, are listed here.
      </p>
    );
  return (
    <ul className="problems">
      {warnings.map(({ code, eventType, message, path }) => (
        <li key={`${code} ${eventType} ${path ?? ""} ${message}`} data-kind="warning">
          <h3 className="mono">{eventType}</h3>
          <p>{message}</p>
          <p className="quiet mono">
            {code}
            {path !== undefined && ` at ${path}`}
          </p>
        </li>
      ))}
    </ul>
  );
}
