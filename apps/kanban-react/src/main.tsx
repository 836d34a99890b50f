// Starts the page.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createSessions } from "@opstate/kanban-page/sessions.ts";
import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "@opstate/ui/panes.css";
import "@opstate/ui/chat.css";
import "@opstate/ui/calls.css";
import "@opstate/ui/json.css";
import "@opstate/ui/lists.css";
import "@opstate/ui/tree.css";
import "@opstate/kanban-page/styles/index.css";

const root = document.getElementById("root");
if (!root) throw new Error('The page has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App sessions={createSessions()} />
  </StrictMode>,
);
