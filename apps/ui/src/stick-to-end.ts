// The newest line stays in sight, unless the reader scrolled up. Takes the element that scrolls,
// gives back how to stop: Svelte attaches it as it is, React by `react/stick-to-end.ts`.

/** Still counted as the end, in px: a line's worth of imprecision. */
const END_TOLERANCE_PX = 40;

export function stickToEnd(element: HTMLElement): () => void {
  let atEnd = true;
  const scrolled = () => {
    atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < END_TOLERANCE_PX;
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
}
