// Writes what is computed into the vectors: what comes of each history, and the definition's
// schema. The tests hold them against the code; look at every difference before it is committed.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readVectors, vectorsPath } from "../../src/index.ts";
import { replayed, type History } from "./replayed.ts";
import { schemaOfDefinition } from "./schema-of-definition.ts";

function write(name: string, value: unknown): void {
  writeFileSync(join(vectorsPath, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
}

const histories = readVectors<readonly History[]>("histories");
write("histories", await Promise.all(histories.map(({ name, calls }) => replayed(name, calls))));
write("definition", schemaOfDefinition());
