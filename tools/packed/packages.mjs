// Packs every library as it would be published, lets publint and attw judge the result, reads what
// a registry shows (`published.ts`), and imports it where nothing else is installed
// (`bare-install.ts`).

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { importFaults, installBare, logFaults, typeFaults } from "./bare-install.ts";
import { packAll } from "./pack.ts";
import { faultsOf } from "./published.ts";

const REPOSITORY = "https://github.com/opstate/opstate";
const root = fileURLToPath(new URL("../..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);
// A checker is started for each package: what the first one compiled, the others read.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
const out = mkdtempSync(join(tmpdir(), "opstate-pack-"));

const store = join(out, "store");
const packed = packAll(out);
const around = {
  repository: REPOSITORY,
  has: (path) => existsSync(join(root, path)),
  manifests: new Map(packed.map(({ manifest }) => [manifest.name, manifest])),
};

let failed = 0;
const installed = [];
for (const one of packed) {
  const { manifest, folder, files } = one;
  const bare = installBare(store, one, packed);
  const faults = [
    ...judgedBy("publint", ["--strict", one.tarball], folder),
    ...judgedBy("attw", [one.tarball, "--profile", "esm-only", "--quiet"], folder),
    ...faultsOf({ manifest, files, directory: relative(root, folder) }, around),
    ...importFaults(bare, one),
    ...logFaults(bare, one),
  ];
  installed.push({ folder: bare, name: manifest.name });
  if (faults.length === 0) {
    console.log(`${manifest.name}: the packed tarball holds (publint, attw, manifest, files, links, imports)`);
  } else {
    failed++;
    console.error([`${manifest.name}, as packed. It should be so that`, ...faults].join("\n- "));
  }
}
const wrongTypes = typeFaults(installed, bin("tsc"));
if (wrongTypes.length > 0) {
  failed++;
  console.error(["Types of the packed packages, as the compiler sees them:", ...wrongTypes].join("\n- "));
}
rmSync(out, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;

/** What a tool finds wrong with a tarball: all that it printed. */
function judgedBy(tool, args, cwd) {
  try {
    execFileSync(bin(tool), args, { cwd, encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (error) {
    return [`${tool} is content:\n${error.stdout}${error.stderr}`];
  }
}
