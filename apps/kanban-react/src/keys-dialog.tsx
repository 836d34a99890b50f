// What the keys do.

import { useEffect, useRef } from "react";

const keys = [
  [["n"], "New card, in the column you are in"],
  [["/"], "Write to the agent"],
  [["↑", "↓", "←", "→"], "Go from card to card"],
  [["Enter"], "Edit the card"],
  [["Space"], "Lift the card; arrows choose the place, Space drops it"],
  [["w"], "Why is the card like this?"],
  [["z"], "Undo your own last edit; Ctrl+Z does too"],
  [["Shift", "z"], "Redo"],
  [["[", "]"], "Step through the versions of the board"],
  [["Esc"], "Leave it as it was; from an old version, back to now"],
  [["?"], "This list"],
] as const;

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="keys"
      aria-labelledby="keys-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl>
        {keys.map(([names, what]) => (
          <div key={what} className="key-row">
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="row">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  );
}
