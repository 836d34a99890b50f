// A command for a terminal, which can be copied.

import { copyText } from "@opstate/kanban-page/copy-text.ts";
import { useSession } from "@opstate/kanban-react/session-context.ts";

export function Command({ label, text }: { label: string; text: string }) {
  const { announcer } = useSession();
  return (
    <div className="command">
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <button
        type="button"
        className="button small"
        onClick={() => void copyText(text, "The command is copied.", announcer)}
      >
        Copy
      </button>
    </div>
  );
}
