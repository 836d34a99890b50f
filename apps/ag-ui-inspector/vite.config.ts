// The page's build. Its addresses are relative, so it works under any prefix. Dependencies of this
// workspace come as sources.

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = process.env["OPSTATE_SERVER"] ?? "http://127.0.0.1:4310";

export default defineConfig({
  base: "./",
  publicDir: "../ui/public",
  plugins: [react()],
  resolve: { conditions: ["@opstate/source", "module", "browser", "development|production"] },
  build: { target: "es2023", sourcemap: true },
  // `vite` alone serves the page with hot reload, in front of a running demo server.
  server: { proxy: { "/ag-ui": server } },
});
