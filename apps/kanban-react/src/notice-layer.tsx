// Why an edit was refused, beside the card or column it is about.

import { useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { cardElement } from "@opstate/kanban-page/drag/drop-target.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import type { Notice } from "@opstate/kanban-page/notices.ts";
import { keepBeside } from "@opstate/kanban-page/place-beside.ts";
import { useSession } from "./session-context.ts";
import { Words } from "./words.tsx";

export function NoticeLayer() {
  const notices = useStore(useSession().notices);
  return notices.map((notice) => <NoticeNote key={notice.id} notice={notice} />);
}

function NoticeNote({ notice }: { notice: Notice }) {
  const { notices } = useSession();
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (note.current ? keepBeside(note.current, () => anchorOf(notice)) : undefined), [notice]);
  return (
    <div ref={note} className="notice" role="group" aria-label="Refused" data-testid="refusal">
      <p>
        <Words>{notice.message}</Words>
      </p>
      <button type="button" className="button quiet small icon" aria-label="Dismiss" onClick={() => notices.dismiss(notice.id)}>
        <Icon name="cross" />
      </button>
    </div>
  );
}

/** The card, if it is in sight; else the head of its column; else the board's own corner. */
function anchorOf({ cardId, columnId }: Notice): DOMRect {
  const board = document.querySelector<HTMLElement>("[data-board]");
  const reach = board?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  const card = cardId !== undefined && board ? cardElement(board, cardId) : undefined;
  const column = [...(board?.querySelectorAll<HTMLElement>("[data-column-id]") ?? [])].find(({ dataset }) => dataset.columnId === columnId);
  const seen = [card, column?.querySelector("[data-column-head]")]
    .map((element) => element?.getBoundingClientRect())
    .find((rect) => rect && inside(rect, reach));
  return seen ?? new DOMRect(reach.left, reach.top, 0, 0);
}

const inside = (rect: DOMRect, reach: DOMRect): boolean =>
  rect.left + rect.width / 2 > reach.left &&
  rect.left + rect.width / 2 < reach.right &&
  rect.top > reach.top - 8 &&
  rect.bottom < reach.bottom + 8;
