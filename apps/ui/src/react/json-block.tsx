// A value as indented JSON.

import { jsonText } from "../json-text.ts";

export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  return (
    <pre className="json" tabIndex={0} role="region" aria-label={label}>
      {jsonText(value)}
    </pre>
  );
}
