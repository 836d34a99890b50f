// "You are ada": the name under which this browser's edits go into the log.

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { Board } from "./board-context.ts";
import { useSession } from "./session-context.ts";
import { USER_NAME, USER_NAME_PROBLEM } from "@opstate/kanban-page/user.ts";
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

function NameForm({ user, onName }: { user: string; onName: (name: string) => void }) {
  const waiting = Board.useSync(({ pending }) => pending.length);
  const [name, setName] = useState(user);
  const [problem, setProblem] = useState<string>();
  const id = useId();

  function save(event: FormEvent) {
    event.preventDefault();
    const wanted = name.trim().toLowerCase();
    if (USER_NAME.test(wanted)) onName(wanted);
    else setProblem(USER_NAME_PROBLEM);
  }

  return (
    <div className="who-card">
      <form onSubmit={save}>
        <label htmlFor={id}>Your name on this board</label>
        <div className="row">
          <input
            id={id}
            className="field"
            value={name}
            autoFocus
            autoComplete="off"
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" className="button primary" disabled={waiting > 0}>
            Save
          </button>
        </div>
        <p id={`${id}-note`} className={problem ? "problem" : undefined}>
          {waiting > 0
            ? "Edits made under this name are still waiting to be sent."
            : (problem ?? "The timeline shows it beside your edits. The demo asks for no password.")}
        </p>
      </form>
    </div>
  );
}
