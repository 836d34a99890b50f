// The build of the start page, and of the one that shows both boards. They are served at the root,
// next to the pages of the other apps.

import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  publicDir: "../ui/public",
  build: { target: "es2023", rolldownOptions: { input: ["index.html", "both/index.html"] } },
});
