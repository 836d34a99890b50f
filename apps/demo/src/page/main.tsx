// Starts the start page: on the visitor's own board, or on the shared one where there is none to
// be had.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createSessions } from "@opstate/kanban-page/sessions.ts";
import { beginVisit, isOpen, readVisit } from "@opstate/kanban-page/visit.ts";
import { Start } from "./start.tsx";
import { createTour, forgetTour } from "./tour/tour.ts";
import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "@opstate/ui/panes.css";
import "@opstate/ui/chat.css";
import "@opstate/ui/calls.css";
import "@opstate/ui/json.css";
import "@opstate/ui/lists.css";
import "@opstate/ui/tree.css";
import "@opstate/kanban-page/styles/index.css";
import "./site.css";
import "./start.css";

const root = document.getElementById("root");
if (!root) throw new Error('The page has no element with the id "root"');

const stored = readVisit();
const isKept = stored !== undefined && (await isOpen(stored));
if (!isKept) forgetTour();
const visit = isKept ? stored : await beginVisit();

const sessions = createSessions({
  ...(visit && { threadId: visit.threadId }),
  waitForHand() {
    const { current, isPlaying } = tour.getState();
    return current === "grab" && isPlaying;
  },
});
const tour = createTour(() => sessions.getState());

async function begin(): Promise<void> {
  await beginVisit();
  forgetTour();
  location.reload();
}

createRoot(root).render(
  <StrictMode>
    <Start sessions={sessions} tour={tour} visit={visit} onReset={() => void begin()} />
  </StrictMode>,
);
