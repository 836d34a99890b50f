// The page's build. Its addresses are relative, so that it works at the root and under a prefix.
// Dependencies of this workspace come as sources, so a change in them needs no build of theirs.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  plugins: [react()],
  resolve: { conditions: ["@opstate/source", "module", "browser", "development|production"] },
  build: { target: "es2023", sourcemap: true },
  // `vite` alone serves the page with hot reload, in front of a running debate server.
  server: { proxy: { "/api": process.env["OPSTATE_SERVER"] ?? "http://127.0.0.1:4320" } },
});
