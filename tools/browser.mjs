// Finds a Chromium for the browser tests: CHROMIUM_PATH, then PATH, then the usual places, then
// Playwright's own copy; else installs Debian's when it may. Run it to make sure that there is one;
// import `browserPath` to use it.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright";

// The browser obeys the last `--disable-features` alone, so Playwright's own list is repeated here.
// A window of Chromium 156 loads two pages for its address bar, as long as these features are on:
// more work than that of an empty page, for each of the contexts that tests make.
const DISABLED_FEATURES = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
];

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser, or undefined. */
export function browserPath() {
  const onPath = (process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [process.env.CHROMIUM_PATH, ...onPath, ...PLACES, playwrightCopy()].find((path) => path && runs(path));
}

/** What starts that browser in Playwright and in vitest's browser mode. */
export function launchOptions() {
  const executablePath = browserPath();
  const quiet = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
  ];
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { ...(executablePath ? { executablePath } : {}), args: [...quiet, ...sandbox] };
}

function playwrightCopy() {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log("No Chromium found: installing Debian's.");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update", "-qq"], { stdio: "inherit", env });
  execFileSync("apt-get", ["install", "-y", "-qq", "chromium"], { stdio: ["ignore", "ignore", "inherit"], env });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!browserPath()) install();
  const found = browserPath();
  if (!found) {
    console.error(
      "The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.",
    );
    process.exit(1);
  }
  console.log(`Browser: ${found}`);
}
