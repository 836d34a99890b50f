// The page's build. Dependencies of this workspace come as sources, so a change in them needs no
// build of theirs. The server guards the board, so the page takes its own build of the engine.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { oneFile } from "../kanban-page/build/one-file.ts";
import { zodOfLateParts } from "../kanban-page/build/zod-of-late-parts.ts";
import { defineConfig } from "vite";

const server = process.env["OPSTATE_SERVER"] ?? "http://127.0.0.1:4310";

export default defineConfig({
  // Served under whatever path its host gives it.
  base: "./",
  publicDir: "../ui/public",
  plugins: [svelte(), zodOfLateParts(), oneFile()],
  resolve: { conditions: ["opstate-page", "@opstate/source", "module", "browser", "development|production"] },
  build: { target: "es2023", sourcemap: true },
  // `vite` alone serves the page with hot reload, in front of a running demo server.
  server: {
    proxy: Object.fromEntries(
      ["/threads", "/events", "/operations", "/presence", "/ag-ui", "/api"].map((path) => [path, server]),
    ),
  },
});
