// A page of a test as one script, as Vite builds it for production.

import { dirname } from "node:path";
import { build } from "vite";

/** `more`: conditions that it is built under, such as that of the page's build. */
export async function bundlePage(file: string, more: readonly string[] = []): Promise<string> {
  const result = await build({
    root: dirname(file),
    configFile: false,
    logLevel: "warn",
    resolve: { conditions: [...more, "@opstate/source", "module", "browser", "production"] },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: file, output: { codeSplitting: false } },
    },
  });
  const outputs = [result].flat().flatMap((each) => ("output" in each ? each.output : []));
  const chunk = outputs.find((each) => each.type === "chunk" && each.isEntry);
  if (chunk?.type !== "chunk") throw new Error("Vite made no script.");
  return chunk.code;
}
