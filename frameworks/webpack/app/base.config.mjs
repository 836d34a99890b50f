// A bundle of the page as a module, without zod, which an application has anyway.
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));

export const bundled = (name, config) => ({
  ...config,
  mode: "production",
  context: folder,
  entry: "./page.ts",
  output: { path: folder, filename: `${name}.bundle.mjs`, library: { type: "module" } },
  module: { rules: [{ test: /\.ts$/, use: "./types.cjs" }] },
  externals: [/^zod/],
  externalsType: "module",
});
