import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const target = "http://localhost:2024";

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: {
      "/opstate": target,
      "/langgraph": { target, rewrite: (path) => path.replace("/langgraph", "") },
    },
  },
});
