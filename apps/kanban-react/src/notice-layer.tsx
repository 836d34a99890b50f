// Why an edit was refused, beside the card or column it is about.

import { useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";
import { noticeAnchor } from "@opstate/kanban-page/notices/notice-anchor.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import type { Notice } from "@opstate/kanban-page/notices/notices.ts";
import { keepBeside } from "@opstate/kanban-page/notices/place-beside.ts";
import { useSession } from "./session-context.ts";
import { Words } from "./words.tsx";

export function NoticeLayer() {
  const notices = useStore(useSession().notices);
  return notices.map((notice) => <NoticeNote key={notice.id} notice={notice} />);
}

function NoticeNote({ notice }: { notice: Notice }) {
  const { notices } = useSession();
  const note = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (note.current ? keepBeside(note.current, () => noticeAnchor(notice)) : undefined), [notice]);
  return (
    <div ref={note} className="notice" role="group" aria-label="Refused" data-testid="refusal">
      <p>
        <Words>{notice.message}</Words>
      </p>
      <button
        type="button"
        className="button quiet small icon"
        aria-label="Dismiss"
        onClick={() => notices.dismiss(notice.id)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
}
