// Starts the page.

import { createSessions } from "@opstate/kanban-page/sessions.ts";
import { mount } from "svelte";
import App from "./app.svelte";
import "@opstate/ui/tokens.css";
import "@opstate/ui/base.css";
import "@opstate/kanban-page/styles/index.css";

const target = document.getElementById("root");
if (!target) throw new Error('The page has no element with the id "root"');
mount(App, { target, props: { sessions: createSessions() } });
