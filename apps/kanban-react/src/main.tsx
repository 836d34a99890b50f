// Starts the page.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createSessions } from "./sessions.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/board.css";
import "./styles/chat.css";
import "./styles/timeline.css";
import "./styles/versions.css";
import "./styles/decisions.css";

const root = document.getElementById("root");
if (!root) throw new Error('The page has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App sessions={createSessions()} />
  </StrictMode>,
);
