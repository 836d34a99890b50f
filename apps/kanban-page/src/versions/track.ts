// The slider's element: how much fits along it, and when the hand that moves it lets go.

import { roomIn, type VersionWindow } from "./window.ts";

/** Half of the thumb stays inside of either end. */
const ENDS_PX = 16;

/** Tells how many places fit, now and after each resize. Returns the function that stops it. */
export function watchRoom(track: HTMLElement, set: (room: number) => void): () => void {
  const measure = () => set(roomIn(track.clientWidth - ENDS_PX));
  measure();
  const resized = new ResizeObserver(measure);
  resized.observe(track);
  return () => resized.disconnect();
}

/**
 * Sets the slider's ends and then its place: the browser clamps what is beyond the ends, and leaves
 * the thumb where the hand put it.
 */
export function placeThumb(slider: HTMLInputElement, { min, max }: VersionWindow, at: number): void {
  Object.assign(slider, { min, max, value: at });
}

/**
 * Takes the slider in the hand until the pointer is released, wherever that is. Other buttons than
 * the first do not move it, and a menu may keep their release.
 */
export function hold({ button }: Pick<PointerEvent, "button">, begin: () => void, end: () => void): void {
  if (button !== 0) return;
  begin();
  const controller = new AbortController();
  for (const name of ["pointerup", "pointercancel"])
    window.addEventListener(
      name,
      () => {
        controller.abort();
        end();
      },
      { signal: controller.signal, capture: true },
    );
}
