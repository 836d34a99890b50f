// Adds a card, at the foot of each column. The form stays open for the next card.

import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useSession } from "../session-context.ts";
import { CardForm } from "./card-form.tsx";

export function AddCard({ columnId, title }: { columnId: string; title: string }) {
  const { edits } = useSession();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  return (
    <div className="add-card" ref={root}>
      {open ? (
        <CardForm
          label={`New card in ${title}`}
          submit="Add card"
          onCancel={() => {
            flushSync(() => setOpen(false));
            root.current?.querySelector("button")?.focus();
          }}
          onSubmit={(wanted) => void edits.addCard(columnId, wanted.title, wanted.priority)}
        />
      ) : (
        <button
          type="button"
          className="button quiet"
          data-key-target="new-card"
          aria-label={`Add card to ${title}`}
          onClick={() => setOpen(true)}
        >
          <Icon name="plus" />
          Add card
        </button>
      )}
    </div>
  );
}
