// Keeps the focus in the debate when the focused form or button disappears.

import { type RefObject, useEffect, useRef } from "react";
import type { Phase } from "./transcript.ts";

/** Returns the ref of the element that takes the focus. It must be focusable. */
export function useKeptFocus(phase: Phase): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  const seen = useRef<Phase>(undefined);
  useEffect(() => {
    if (seen.current === phase) return;
    seen.current = phase;
    const { activeElement, body } = document;
    // A button that was disabled has the focus until the next frame.
    if (activeElement === null || activeElement === body || activeElement.matches(":disabled"))
      place.current?.focus({ preventScroll: true });
  }, [phase]);
  return place;
}
