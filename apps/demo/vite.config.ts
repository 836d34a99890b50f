// The build of the start page, of the one that shows both boards, and of the one for addresses
// without a page, which is served at any of them. So the paths of their parts begin at the root.
// The start page is the board's page in React, so it is built as that one is.

import react from "@vitejs/plugin-react";
import { oneFile } from "../kanban-page/build/one-file.ts";
import { zodOfLateParts } from "../kanban-page/build/zod-of-late-parts.ts";
import { defineConfig } from "vite";
import { withStaticParts } from "./src/page/static-parts.ts";

/** The scripts of the board. Those of the pages alone, and styles, stay where they are. */
const BOARD = /^(?!\0).*(?<!\/src\/page\/(?:main|both|not-found))\.(?:[cm]?js|tsx?)(?:\?raw)?$/;

export default defineConfig({
  base: "/",
  publicDir: "../ui/public",
  plugins: [
    react(),
    zodOfLateParts(),
    oneFile({ test: BOARD }),
    { name: "static-parts", transformIndexHtml: { order: "pre", handler: withStaticParts } },
  ],
  resolve: { conditions: ["opstate-page", "@opstate/source", "module", "browser", "development|production"] },
  build: { target: "es2023", rolldownOptions: { input: ["index.html", "both/index.html", "404.html"] } },
});
