// All that the first board loads in one file: what repeats is compressed over all of it, and each
// file more is a request. It imports nothing of what is loaded later.

import type { Plugin } from "vite";

export interface OneFileOptions {
  /** What may be in the file. Default: all that is loaded first. */
  readonly test?: RegExp;
}

export function oneFile({ test = /./ }: OneFileOptions = {}): Plugin {
  return {
    name: "one-file",
    config: () => ({
      build: {
        rolldownOptions: {
          // Else the bundler's own helpers are put into a late part, which is then requested first.
          experimental: { chunkOptimization: { mergeCommonChunks: false } },
          output: {
            codeSplitting: {
              groups: [{ name: "board", tags: ["$initial"], test, includeDependenciesRecursively: false }],
            },
          },
        },
      },
    }),
  };
}
