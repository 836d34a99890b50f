// The part of esbuild that is used here. It is size-limit's: both shall speak of the same bundles.

import { createRequire } from "node:module";

export interface Plugin {
  readonly name: string;
  setup(build: {
    onResolve(
      options: { readonly filter: RegExp },
      resolve: (args: { readonly kind: string; readonly path: string }) => object | undefined,
    ): void;
    onLoad(
      options: { readonly filter: RegExp },
      load: (args: { readonly path: string }) => { readonly contents: string },
    ): void;
  }): void;
}

interface BundlerOptions {
  readonly bundle: true;
  readonly minify: true;
  readonly format: "esm";
  readonly write: false;
  readonly metafile: true;
  readonly external: readonly string[];
  readonly define: Readonly<Record<string, string>>;
  readonly stdin?: { readonly contents: string; readonly resolveDir: string };
  readonly entryPoints?: readonly string[];
  readonly jsx?: "automatic";
  readonly conditions?: readonly string[];
  readonly plugins?: readonly Plugin[];
}

interface Bundler {
  build(options: BundlerOptions): Promise<{
    readonly outputFiles: readonly { readonly contents: Uint8Array; readonly text: string }[];
    readonly metafile: {
      readonly outputs: Readonly<
        Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
      >;
    };
  }>;
}

export const root = new URL("../../../", import.meta.url);
const sizeLimit = createRequire(new URL("package.json", root)).resolve("@size-limit/esbuild");
export const bundler = createRequire(sizeLimit)("esbuild") as Bundler;

/** Leaves out what is loaded when it is used. */
export const firstAlone: Plugin = {
  name: "what a page loads first",
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};
