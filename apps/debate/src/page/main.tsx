// Starts the page.

import { indexedDbStorage } from "@opstate/client";
import { connectDevtools } from "@opstate/react/devtools";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createApi } from "./api.ts";
import { App } from "./app.tsx";
import { createDrafts } from "./drafts.ts";
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
const kept = createDrafts(indexedDbStorage({ name: "opstate-debate" }));
// While it is developed: what is typed shows in Redux DevTools, and its time travel in the form.
const drafts = import.meta.env.DEV ? { ...kept, plan: connectDevtools(kept.plan, { name: "plan of a debate" }) } : kept;
createRoot(root).render(
  <StrictMode>
    <App api={api} drafts={drafts} />
  </StrictMode>,
);
