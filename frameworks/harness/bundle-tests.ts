// What the condition `opstate-page` does to an application whose server is its own: the page is
// smaller, the server decides as before.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BoardApp } from "./board-app.ts";
import { type Bundle, bundleIn } from "./bundle.ts";
import type { Project } from "./project.ts";

export interface BuiltApp {
  readonly project: () => Project;
  /** As it was built with the condition, and started. */
  readonly app: () => BoardApp;
  build(): Promise<void>;
  start(): Promise<BoardApp>;
  /** The folders of the page's scripts and of the server's. */
  readonly client: string;
  readonly server: string;
}

/** Registers the last tests of an application: they build it anew. */
export function bundleTests({ project, app, build, start, client, server }: BuiltApp): void {
  const scripts = (folder: string): Bundle => bundleIn(join(project().folder, folder));
  const engine = async ({ url }: BoardApp): Promise<unknown> => (await fetch(`${url}/engine`)).json();
  /** What only the full engine refuses is refused, by a thread and by the definition alone. */
  const FULL = { thread: false, definition: false };

  describe("its bundles", () => {
    it("are small for the page and full for the server, with the condition", async () => {
      expect(scripts(client).isFull).toBe(false);
      expect(await engine(app())).toEqual(FULL);
    });

    it("let the server end with streams that are open", async () => {
      const stream = await fetch(`${app().url}/opstate/events`, {
        method: "POST",
        headers: { cookie: "user=ada", "content-type": "application/json" },
        body: JSON.stringify({ threads: { launch: {} } }),
      });
      expect(stream.status).toBe(200);
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      await readUntil(reader, "event: snapshot");
      await app().server.stop();
      expect(await app().server.ended).toBe(0);
      // It ends, and does not break.
      await readUntil(reader, undefined);
    });

    it("are larger for the page without the condition, and the same for the server", async () => {
      const withCondition = scripts(client);
      const path = join(project().folder, "vite.config.ts");
      const config = readFileSync(path, "utf8");
      writeFileSync(path, config.replace('"opstate-page", ', ""));
      await build();
      writeFileSync(path, config);
      const without = scripts(client);
      expect(without.isFull).toBe(true);
      const saved = without.bytes - withCondition.bytes;
      console.log(`${client}: ${kilobytes(without)} KB, with the condition ${kilobytes(withCondition)} KB`);
      expect(saved).toBeGreaterThan(25_000);
    });

    it("have the full engine in a server that has no package beside it", async () => {
      const { folder } = project();
      const path = join(folder, "package.json");
      const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
      writeFileSync(path, JSON.stringify({ ...manifest, ...asBundled(manifest) }));
      const config = join(folder, "vite.config.ts");
      const text = readFileSync(config, "utf8");
      writeFileSync(config, text.replace("resolve: {", "ssr: { noExternal: true },\n  resolve: {"));
      await build();
      expect(scripts(client).isFull).toBe(false);
      expect(scripts(server).isFull).toBe(true);
      const packages = join(folder, "node_modules/@opstate");
      renameSync(packages, `${packages}-away`);
      const bundled = await start();
      expect(await engine(bundled)).toEqual(FULL);
      await bundled.server.stop();
      renameSync(`${packages}-away`, packages);
    });
  });
}

/** The libraries as what only a build needs, as many applications list them. */
function asBundled({ dependencies = {}, devDependencies = {} }: Record<string, unknown>): Record<string, unknown> {
  const own = Object.entries(dependencies as object).filter(([name]) => name.startsWith("@opstate/"));
  const rest = Object.entries(dependencies as object).filter(([name]) => !name.startsWith("@opstate/"));
  return {
    dependencies: Object.fromEntries(rest),
    devDependencies: { ...(devDependencies as object), ...Object.fromEntries(own) },
  };
}

const kilobytes = ({ bytes }: Bundle): string => (bytes / 1000).toFixed(1);

/** Reads until the text has come; undefined: to the end. */
async function readUntil(reader: ReadableStreamDefaultReader<string> | undefined, text: string | undefined) {
  let seen = "";
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done && text === undefined) return;
    if (done) throw new Error(`The stream ended without "${text}": ${seen}`);
    seen += value;
    if (text !== undefined && seen.includes(text)) return;
  }
}
