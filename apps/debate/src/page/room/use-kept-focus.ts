// Keeps the focus in the debate when the focused form or button disappears.

import { type RefObject, useEffect, useRef } from "react";
import type { Room } from "./room.ts";
import { phaseOf } from "./transcript.ts";

/** Returns the ref of the element that takes the focus. It must be focusable. */
export function useKeptFocus({ session }: Room): RefObject<HTMLElement | null> {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const keep = () => {
      if (document.activeElement === document.body || document.activeElement === null)
        place.current?.focus({ preventScroll: true });
    };
    keep();
    let frame = 0;
    const unsubscribe = session.subscribe((chat, before) => {
      if (phaseOf(chat) === phaseOf(before)) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(keep);
    });
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame);
    };
  }, [session]);
  return place;
}
