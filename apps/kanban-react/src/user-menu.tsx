// "You are ada": the name under which this browser's edits go into the log.

import { useEffect, useRef, useState } from "react";
import { NameForm } from "./late-parts.ts";
import { useSession } from "./session-context.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";

export function UserMenu({ onRename }: { onRename: (name: string) => void }) {
  const { user } = useSession();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener("pointerdown", away);
    return () => window.removeEventListener("pointerdown", away);
  }, [open]);

  return (
    <div
      className="who"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      <button type="button" className="button quiet small" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Mark kind="user" />
        <span className="you-are">You are </span>
        <span className="name">{user}</span>
      </button>
      {open && (
        <NameForm
          user={user}
          onName={(name) => {
            setOpen(false);
            if (name !== user) onRename(name);
          }}
        />
      )}
    </div>
  );
}
