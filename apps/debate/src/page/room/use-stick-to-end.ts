// Keeps the newest text visible, unless the reader scrolled up.

import { useEffect, useLayoutEffect, useRef } from "react";

const END_TOLERANCE_PX = 160;

export function useStickToEnd(isOn: boolean): void {
  const atEnd = useRef(true);
  const wasOn = useRef(isOn);
  useEffect(() => {
    const look = () => {
      atEnd.current = document.documentElement.scrollHeight - window.scrollY - window.innerHeight < END_TOLERANCE_PX;
    };
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  useLayoutEffect(() => {
    // Once more after the end, for the question that comes with it.
    if ((isOn || wasOn.current) && atEnd.current) window.scrollTo({ top: document.documentElement.scrollHeight });
    wasOn.current = isOn;
  });
}
