// A file of this folder as it is shown: without its header and its imports.

export const fewLines = (source: string): string => source.replace(/^(?:\/\/.*\n|import .*\n|\n)+/, "").trim();
