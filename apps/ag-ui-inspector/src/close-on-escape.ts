// What floats closes with Esc, and gives the focus back to what opened it.

import type { KeyboardEvent } from "react";

export function closeOnEscape(event: KeyboardEvent<HTMLDetailsElement>): void {
  const { key, currentTarget } = event;
  if (key !== "Escape" || !currentTarget.open) return;
  event.stopPropagation();
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}
