// The page's single-key shortcuts. They are silent while someone types.

import { useEffect, useEffectEvent } from "react";
import type { PaneName } from "./pane-tabs.tsx";

export function useKeys({ onHelp, onPane }: { onHelp: () => void; onPane: (pane: PaneName) => void }) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "?") onHelp();
    else if (event.key === "/") {
      onPane("chat");
      afterRender(() => document.querySelector<HTMLElement>("[data-key-target='chat']")?.focus());
    } else if (event.key === "n") {
      onPane("board");
      const column = event.target instanceof Element ? event.target.closest("[data-column-id]") : null;
      afterRender(() => (column ?? document).querySelector<HTMLElement>("[data-key-target='new-card']")?.click());
    } else return;
    event.preventDefault();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("input, textarea, select, dialog, [contenteditable]") !== null;
const afterRender = (then: () => void): void => void requestAnimationFrame(then);
