// The slider's element: how much fits along it, and when the hand that moves it lets go.

import { roomIn } from "./window.ts";

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

/** Calls once, when the pointer is released, wherever that is. */
export function onRelease(then: () => void): void {
  const controller = new AbortController();
  for (const name of ["pointerup", "pointercancel"])
    window.addEventListener(
      name,
      () => {
        controller.abort();
        then();
      },
      { signal: controller.signal, capture: true },
    );
}
