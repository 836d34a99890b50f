// Starts the page.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApi } from "./api.ts";
import { App } from "./app.tsx";
import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "../styles/speakers.css";
import "../styles/layout.css";
import "../styles/start.css";
import "../styles/room.css";
import "../styles/round.css";

const root = document.getElementById("root");
if (!root) throw new Error('The page has no element with the id "root"');
const api = createApi(document.baseURI);
createRoot(root).render(
  <StrictMode>
    <App api={api} />
  </StrictMode>,
);
