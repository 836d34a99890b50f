// The start page's build. It is served at the root, next to the pages of the other apps.

import { defineConfig } from "vite";

export default defineConfig({ base: "./", build: { target: "es2023" } });
