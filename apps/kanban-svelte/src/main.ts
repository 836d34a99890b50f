// Starts the page.

import { createSessions } from "@opstate/kanban-page/sessions.ts";
import { mount } from "svelte";
import App from "./app.svelte";
import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "@opstate/ui/panes.css";
import "@opstate/ui/chat.css";
import "@opstate/ui/calls.css";
import "@opstate/ui/json.css";
import "@opstate/ui/lists.css";
import "@opstate/ui/tree.css";
import "@opstate/kanban-page/styles/index.css";

const target = document.getElementById("root");
if (!target) throw new Error('The page has no element with the id "root"');
mount(App, { target, props: { sessions: createSessions() } });
