// The code of the thread that has the database. In a build its text stands here, with all that it
// imports (`bundle-worker.ts` puts it there). So it is found from a packed package, from a bundle
// of any bundler, and from a single file.

export const workerCode: string | URL = new URL("./entry.ts", import.meta.url);
