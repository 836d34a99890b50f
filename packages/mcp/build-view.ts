// The generic view as one HTML file, from `view/`.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";

const folder = join(import.meta.dirname, "view");

export async function buildView(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    root: folder,
    build: {
      write: false,
      target: "es2023",
      rolldownOptions: { input: join(folder, "main.ts"), output: { format: "es", codeSplitting: false } },
    },
  });
  const [chunk, ...more] = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  if (chunk?.type !== "chunk" || more.length > 0) throw new Error("The view's script is to be one file.");
  const [html, css] = await Promise.all(["view.html", "view.css"].map((name) => readFile(join(folder, name), "utf8")));
  // By functions: what stands in a replacement has no meaning then.
  return (html ?? "")
    .replace("/* view.css */", () => css ?? "")
    .replace("/* main.ts */", () => chunk.code.replaceAll("</script", "<\\/script"));
}
