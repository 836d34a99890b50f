// The result of a frontend tool's call. In the inspector a person writes it.

import { useState } from "react";
import { Mark } from "@opstate/ui/react/mark.tsx";

export function ToolAnswerForm({ name, onAnswer }: { name: string; onAnswer: (content: string) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      className="question"
      aria-label={`Result of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(text);
      }}
    >
      <fieldset>
        <legend>
          <Mark kind="agent" />
          The agent called {name}, which has no result. You can write one.
        </legend>
        <label className="answer">
          Result (text or JSON)
          <textarea className="field mono" rows={2} value={text} onChange={({ target }) => setText(target.value)} />
        </label>
      </fieldset>
      <button type="submit" className="button primary" disabled={text.trim() === ""}>
        Send result
      </button>
    </form>
  );
}
