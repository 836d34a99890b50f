// An error, shown after the last message.

import type { ChatError } from "@opstate/ag-ui";
import { explainError } from "../conversation/explain-error.ts";

export function ErrorCard({ error }: { error: ChatError }) {
  const { title, said, advice } = explainError(error, location.origin);
  return (
    <div className="error-card" role="alert">
      <h3>{title}</h3>
      <p>{said}</p>
      <p className="advice">{advice}</p>
    </div>
  );
}
