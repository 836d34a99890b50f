// The form of a new or an existing card. Enter saves, Escape cancels.

import type { Card } from "@opstate/kanban-domain";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { PriorityIcon } from "./priority-icon.tsx";

export interface CardFormProps {
  readonly label: string;
  readonly submit: string;
  readonly card?: Card;
  readonly onSubmit: (wanted: { title: string; priority: number }) => void;
  readonly onCancel: () => void;
  readonly onRemove?: () => void;
}

export function CardForm({ label, submit, card, onSubmit, onCancel, onRemove }: CardFormProps) {
  const [title, setTitle] = useState(card?.title ?? "");
  const [priority, setPriority] = useState(card?.priority ?? 3);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  function save(event?: FormEvent) {
    event?.preventDefault();
    const wanted = title.trim();
    field.current?.focus();
    if (wanted === "") return;
    onSubmit({ title: wanted, priority });
    if (!card) setTitle("");
  }

  function press(event: KeyboardEvent) {
    if (event.key === "Escape") onCancel();
    else if (
      event.key === "Enter" &&
      !event.shiftKey &&
      event.target instanceof HTMLTextAreaElement &&
      !event.nativeEvent.isComposing
    )
      save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <form className="card-form" aria-label={label} data-still="" onSubmit={save} onKeyDown={press}>
      <textarea
        ref={field}
        className="field"
        aria-label="Title"
        placeholder="What is to be done?"
        rows={2}
        maxLength={200}
        value={title}
        autoFocus
        onFocus={(event) => event.target.setSelectionRange(event.target.value.length, event.target.value.length)}
        // A title is one line; pasted line breaks become spaces.
        onChange={(event) => setTitle(event.target.value.replace(/\s*\n\s*/g, " "))}
      />
      <fieldset className="priorities">
        <legend className="spoken">Priority, 1 is the most urgent</legend>
        {[1, 2, 3, 4].map((value) => (
          <label key={value} className="priority number" data-priority={value} title={`Priority ${value} of 4`}>
            <input
              className="spoken"
              type="radio"
              name={id}
              value={value}
              checked={priority === value}
              onChange={() => setPriority(value)}
            />
            <PriorityIcon priority={value} />
            {`P${value}`}
          </label>
        ))}
      </fieldset>
      <div className="card-form-row">
        <button type="submit" className="button primary small">
          {submit}
        </button>
        <button type="button" className="button quiet small" onClick={onCancel}>
          Cancel
        </button>
        {onRemove && (
          <>
            <span className="push" />
            <button type="button" className="button quiet small danger" onClick={onRemove}>
              Remove
            </button>
          </>
        )}
      </div>
    </form>
  );
}
