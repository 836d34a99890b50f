// The list of keyboard shortcuts.

export interface KeyHelp {
  readonly keys: readonly string[];
  readonly what: string;
}

export const KEYS_HELP: readonly KeyHelp[] = [
  { keys: ["n"], what: "New card, in the column you are in" },
  { keys: ["/"], what: "Write to the agent" },
  { keys: ["↑", "↓", "←", "→"], what: "Go from card to card" },
  { keys: ["Enter"], what: "Edit the card" },
  { keys: ["Space"], what: "Lift the card, or the column from its title; arrows choose the place, Space drops it" },
  { keys: ["w"], what: "Why is the card like this?" },
  { keys: ["z"], what: "Undo your own last edit; Ctrl+Z does too" },
  { keys: ["Shift", "z"], what: "Redo" },
  { keys: ["[", "]"], what: "Step through the versions of the board" },
  { keys: ["r"], what: "Restore the old version that is shown" },
  { keys: ["Esc"], what: "Cancel; from an old version, back to now" },
  { keys: ["?"], what: "This list" },
];
