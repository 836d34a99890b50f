// The first board's schema needs a third of zod's core; the checks of an agent's events, which are
// loaded later, need all of it. A bundler keeps of a module what any part of the page uses, in one
// place. So what is loaded later gets a copy of its own.
//
// The copies work on each other's schemas: zod asks a schema what it is, not which class made it.

import type { Plugin } from "vite";

/** What uses the whole of zod and is only imported when it is used. */
const WHOLE = /\/(?:@ag-ui\/core|zod\/v4\/(?:classic|locales))\/|\/zod\/v4\/core\/(?:json-schema|to-json-schema)/;
const ZOD = /\/zod\/v4\//;
const LATE = "?late";

export function zodOfLateParts(): Plugin {
  return {
    name: "zod-of-late-parts",
    enforce: "pre",
    apply: "build",
    async resolveId(source, importer, options) {
      if (!importer || !(importer.endsWith(LATE) || WHOLE.test(importer))) return null;
      const found = await this.resolve(source, importer.replace(LATE, ""), { ...options, skipSelf: true });
      return found && !found.external && ZOD.test(found.id) ? { ...found, id: found.id + LATE } : found;
    },
  };
}
