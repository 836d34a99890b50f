// The newest line stays in sight, unless the reader scrolled up.

import { useEffect, useRef } from "react";

export function useStickToEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let atEnd = true;
    const scrolled = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    const stick = () => {
      if (atEnd) element.scrollTop = element.scrollHeight;
    };
    const changes = new MutationObserver(stick);
    stick();
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      changes.disconnect();
      element.removeEventListener("scroll", scrolled);
    };
  }, []);
  return scroller;
}
