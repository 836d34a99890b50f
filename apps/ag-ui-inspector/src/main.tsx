// Starts the page.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "@opstate/ui/panes.css";
import "@opstate/ui/chat.css";
import "@opstate/ui/calls.css";
import "@opstate/ui/json.css";
import "@opstate/ui/lists.css";
import "@opstate/ui/tree.css";
import "./styles/layout.css";
import "./styles/header.css";
import "./styles/chat.css";
import "./styles/calls.css";
import "./styles/questions.css";
import "./styles/state.css";
import "./styles/events.css";

const root = document.getElementById("root");
if (!root) throw new Error('The page has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
