// The last step of the build puts the text of the view into dist/app/page.js: a text needs no file,
// so no bundler and no package can lose it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildView } from "./build-view.ts";

writeFileSync(
  join(import.meta.dirname, "dist/app/page.js"),
  `// The generic view, from view/.\nexport const page = ${JSON.stringify(await buildView())};\n`,
);
