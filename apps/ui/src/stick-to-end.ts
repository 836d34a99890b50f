// Keeps the newest line visible, unless the reader scrolled up. Takes the scrolling element and
// returns the function that stops it. Svelte attaches it directly, React by
// `react/stick-to-end.ts`.

/** Distance from the end that still counts as the end, in px: about one line. */
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
  const size = new ResizeObserver(stick);
  stick();
  size.observe(element);
  changes.observe(element, { childList: true, characterData: true, subtree: true });
  element.addEventListener("scroll", scrolled, { passive: true });
  return () => {
    changes.disconnect();
    size.disconnect();
    element.removeEventListener("scroll", scrolled);
  };
}
