// Packs every library as it would be published, lets publint and attw judge the result, and looks
// at the ranges of its dependencies.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);
const out = mkdtempSync(join(tmpdir(), "opstate-pack-"));

/**
 * An exact version would give an application a second copy of what it has, and keep a fix from it.
 */
function checkRanges(tarball) {
  const manifest = JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
  const wrong = Object.entries(manifest.dependencies ?? {}).filter(([, range]) => !range.startsWith("^"));
  if (wrong.length === 0) return;
  const named = wrong.map(([name, range]) => `${name} ${range}`).join(", ");
  throw new Error(`These runtime dependencies have no range that begins with "^": ${named}. Use "catalog:published".`);
}

let failed = 0;
for (const name of readdirSync(join(root, "packages"))) {
  const folder = join(root, "packages", name);
  try {
    const [packed] = JSON.parse(
      `[${execFileSync("pnpm", ["pack", "--json", "--pack-destination", out], { cwd: folder, encoding: "utf8" })}]`,
    );
    execFileSync(bin("publint"), ["--strict", packed.filename], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    execFileSync(bin("attw"), [packed.filename, "--profile", "esm-only", "--quiet"], {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    checkRanges(packed.filename);
    console.log(`@opstate/${name}: the packed tarball holds (publint, attw, ranges)`);
  } catch (error) {
    failed++;
    console.error(`@opstate/${name}:\n${error.stdout ?? ""}${error.stderr ?? error}`);
  }
}
rmSync(out, { recursive: true });
process.exit(failed === 0 ? 0 : 1);
