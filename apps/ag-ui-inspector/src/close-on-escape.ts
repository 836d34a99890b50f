// Escape closes a floating panel, and moves the focus back to its button.

import type { KeyboardEvent } from "react";

export function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>): void {
  const { key, currentTarget } = event;
  if (key !== "Escape" || !currentTarget.open) return;
  event.stopPropagation();
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}
