// The board of a new demo: small, with the cards that the examples name (T-1, T-2, T-3, T-15,
// T-42). Missing numbers stand for removed cards.

import { boardFrom } from "./blueprint.ts";

export const sampleBoard = boardFrom({
  columns: [
    {
      title: "Backlog",
      cards: [
        { cardId: "T-42", title: "Let people undo an agent's whole run", priority: 1 },
        { cardId: "T-1", title: "Write the launch announcement", priority: 2 },
        { cardId: "T-2", title: "Dark mode for the settings page", priority: 3 },
        { cardId: "T-3", title: "Keyboard shortcuts, with a list of them", priority: 3 },
        { cardId: "T-38", title: "Ask ten customers about pricing", priority: 4 },
      ],
    },
    {
      title: "In Progress",
      cards: [
        { cardId: "T-15", title: "Keep edits made while offline", priority: 1 },
        { cardId: "T-27", title: "Import boards from a spreadsheet", priority: 2 },
        { cardId: "T-31", title: "Show who changed a card last", priority: 3 },
      ],
    },
    {
      title: "Review",
      cards: [
        { cardId: "T-23", title: "Rate limits per person", priority: 2 },
        { cardId: "T-36", title: "Shorter sign-up form", priority: 3 },
      ],
    },
    {
      title: "Done",
      cards: [
        { cardId: "T-8", title: "Search over all boards", priority: 2 },
        { cardId: "T-11", title: "Export as CSV", priority: 4 },
        { cardId: "T-19", title: "Fix the flicker when a card is dropped", priority: 1 },
      ],
    },
  ],
});
