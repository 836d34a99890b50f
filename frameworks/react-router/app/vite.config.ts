import { reactRouter } from "@react-router/dev/vite";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  plugins: [reactRouter()],
  resolve: { conditions: ["opstate-page", ...defaultClientConditions] },
});
