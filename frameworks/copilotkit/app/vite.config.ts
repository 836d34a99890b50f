import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const proxy = {
  "/opstate": "http://localhost:4310",
  "/copilotkit": "http://localhost:4311",
};

export default defineConfig({ plugins: [react()], server: { proxy }, preview: { proxy } });
