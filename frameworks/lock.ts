// Writes the lockfile of every framework's application anew, or of those that are named:
// `node frameworks/lock.ts next`. The libraries must be built, and pnpm be on the path.
// "starters" is the application in examples/.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanLock, forgetOwn } from "./harness/lock.ts";
import { packInto } from "./harness/packages.ts";

const frameworks = import.meta.dirname;
const asked = process.argv.slice(2);
const folders = readdirSync(frameworks).map((name) => [name, join(frameworks, name, "app")] as const);
const apps = new Map([...folders, ["starters", join(frameworks, "../examples")] as const]);
for (const [name, app] of apps) if (!existsSync(join(app, "package.json"))) apps.delete(name);

for (const name of asked.length > 0 ? asked : apps.keys()) {
  const app = apps.get(name);
  if (app === undefined) throw new Error(`There is no application "${name}": one of ${[...apps.keys()].join(", ")}.`);
  const folder = mkdtempSync(join(tmpdir(), `opstate-lock-${name}-`));
  for (const file of ["package.json", ".npmrc"])
    if (existsSync(join(app, file))) copyFileSync(join(app, file), join(folder, file));
  if (existsSync(join(app, "package-lock.json"))) {
    cpSync(join(app, "package-lock.json"), join(folder, "package-lock.json"));
    forgetOwn(folder);
  }
  packInto(join(folder, "packed"));
  execFileSync("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
  cleanLock(folder);
  copyFileSync(join(folder, "package-lock.json"), join(app, "package-lock.json"));
  rmSync(folder, { recursive: true });
}
