// The focus, when what had it is gone: the form that started the debate, or the button that was
// pressed.

import { type RefObject, useEffect, useRef } from "react";
import type { Room } from "./room.ts";
import { phaseOf } from "./transcript.ts";

/** The place that takes it over; it must be focusable. */
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
