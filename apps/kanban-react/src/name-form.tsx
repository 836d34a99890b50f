// The form for one's name on the board.

import { USER_NAME, USER_NAME_PROBLEM } from "@opstate/kanban-page/user.ts";
import { type FormEvent, useId, useState } from "react";
import { Board } from "./board-context.ts";

export function NameForm({ user, onName }: { user: string; onName: (name: string) => void }) {
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
