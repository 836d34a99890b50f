// The build of the start page, of the one that shows both boards, and of the one for addresses
// without a page, which is served at any of them. So the paths of their parts begin at the root.
// The start page is the board's page in React, so it is built as that one is.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { withStaticParts } from "./src/page/static-parts.ts";

export default defineConfig({
  base: "/",
  publicDir: "../ui/public",
  plugins: [react(), { name: "static-parts", transformIndexHtml: { order: "pre", handler: withStaticParts } }],
  resolve: { conditions: ["opstate-page", "@opstate/source", "module", "browser", "development|production"] },
  build: { target: "es2023", rolldownOptions: { input: ["index.html", "both/index.html", "404.html"] } },
});
