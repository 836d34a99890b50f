// Places a floating note beside its anchor.

/**
 * To the right of the anchor, or to its left if there is no room. On a narrow page below it, or
 * above it if there is no room.
 */
export function placeBeside(note: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = note;
  const gap = 8;
  const side =
    right + gap + width <= innerWidth - gap ? right + gap : left - gap - width >= gap ? left - gap - width : undefined;
  const x = side ?? Math.max(gap, Math.min(left, innerWidth - width - gap));
  const y = side !== undefined ? top : bottom + gap + height <= innerHeight - 88 ? bottom + gap : top - gap - height;
  Object.assign(note.style, { left: `${x}px`, top: `${Math.max(gap, Math.min(y, innerHeight - height - 40))}px` });
}

/** Keeps a note beside its anchor while things move. Returns the function that stops it. */
export function keepBeside(note: HTMLElement, anchor: () => DOMRect): () => void {
  const place = () => placeBeside(note, anchor());
  place();
  // Cards may still be moving when the note appears.
  const late = setTimeout(place, 360);
  // The note's content may arrive later.
  const grown = new ResizeObserver(place);
  grown.observe(note);
  window.addEventListener("resize", place);
  window.addEventListener("scroll", place, { capture: true, passive: true });
  return () => {
    clearTimeout(late);
    grown.disconnect();
    window.removeEventListener("resize", place);
    window.removeEventListener("scroll", place, { capture: true });
  };
}
