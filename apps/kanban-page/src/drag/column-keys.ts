// Moving a column with the keyboard, from its title: Space lifts it, the left and right arrows
// choose the place, Space or Enter drops it, Escape cancels.

import type { Board } from "@opstate/kanban-domain";
import { columnLineOf, otherColumns } from "./column-target.ts";
import { columnElement } from "./drop-target.ts";
import { notMovedWords } from "./keyboard-drag.ts";
import type { Overlay } from "./overlay.ts";

export interface ColumnKeyHandlers {
  board(): Board | null;
  say(sentence: string): void;
  lifted(): void;
  /** `index`: the place among all columns. */
  dropped(columnId: string, index: number): void;
}

interface Lifted {
  readonly columnId: string;
  readonly title: string;
  /** The column that it would be before; undefined for the end. */
  readonly next: string | undefined;
  /** Its place among all columns when that was chosen. */
  readonly index: number;
}

/** Makes the columns of a board movable by keyboard. Returns the function that detaches it. */
export function attachColumnKeys(element: HTMLElement, overlay: Overlay, handlers: ColumnKeyHandlers): () => void {
  let lifted: Lifted | undefined;
  const controller = new AbortController();
  const { signal } = controller;

  const key = (event: KeyboardEvent) => {
    const title =
      event.target instanceof Element && event.target.matches("[data-column-head] button") ? event.target : undefined;
    const columnId = title?.closest<HTMLElement>("[data-column-id]")?.dataset.columnId;
    const columns = handlers.board()?.columns ?? [];
    if (columnId === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (lifted && (event.key === " " || event.key === "Enter")) drop();
    else if (event.key === " ") lift(columns, columnId);
    else if (lifted && event.key === "Escape") cancel();
    else if (lifted && step !== 0) aim(lifted, step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  function lift(columns: Board["columns"], columnId: string) {
    const index = columns.findIndex((each) => each.columnId === columnId);
    const title = columns[index]?.title;
    if (title === undefined) return;
    lifted = { columnId, title, index, next: columns[index + 1]?.columnId };
    handlers.lifted();
    columnElement(element, columnId)?.setAttribute("data-lifted", "");
    show();
    handlers.say(
      `${title} lifted, position ${index + 1} of ${columns.length}. Left and right arrow keys choose the place, Space drops, Escape cancels.`,
    );
  }

  function aim(from: Lifted, step: number) {
    const others = otherColumns(element, from.columnId);
    const index = Math.max(0, Math.min(placeOf(from) + step, others.length));
    lifted = { ...from, index, next: others[index]?.dataset.columnId };
    const beside = others[index] ?? others.at(-1);
    beside?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    show();
    handlers.say(`Position ${index + 1} of ${others.length + 1}.`);
  }

  /** The chosen place now: other actors may have added, moved or removed columns meanwhile. */
  function placeOf({ columnId, next, index }: Lifted): number {
    const others = otherColumns(element, columnId);
    if (next === undefined) return others.length;
    const at = others.findIndex(({ dataset }) => dataset.columnId === next);
    return at < 0 ? Math.min(index, others.length) : at;
  }

  // The line may be that of a lifted card.
  function show() {
    if (lifted) overlay.line(columnLineOf(element, placeOf(lifted), lifted.columnId));
  }

  function drop() {
    const dropped = lifted;
    end();
    if (dropped) handlers.dropped(dropped.columnId, placeOf(dropped));
  }

  function cancel() {
    const title = lifted?.title;
    end();
    if (title !== undefined) handlers.say(notMovedWords(title));
  }

  function end() {
    if (!lifted) return;
    columnElement(element, lifted.columnId)?.removeAttribute("data-lifted");
    lifted = undefined;
    overlay.line(undefined);
  }

  // Some browsers click a button when Space is released, whatever was done with the press.
  const release = (event: KeyboardEvent) => {
    if (event.key === " " && event.target instanceof Element && event.target.matches("[data-column-head] button"))
      event.preventDefault();
  };

  element.addEventListener("keydown", key, { signal });
  element.addEventListener("keyup", release, { signal });
  element.addEventListener("focusout", cancel, { signal });
  element.addEventListener("scroll", show, { signal, passive: true });
  return () => {
    end();
    controller.abort();
  };
}
