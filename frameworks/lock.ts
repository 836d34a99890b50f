// Writes the lockfile of every framework's application anew, or of those that are named:
// `node frameworks/lock.ts next`. The libraries must be built, and pnpm be on the path.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanLock, forgetOwn } from "./harness/lock.ts";
import { packInto } from "./harness/packages.ts";

const frameworks = import.meta.dirname;
const asked = process.argv.slice(2);
const apps = readdirSync(frameworks).filter((name) => existsSync(join(frameworks, name, "app", "package.json")));

for (const name of asked.length > 0 ? asked : apps) {
  const app = join(frameworks, name, "app");
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
