// The page of `host.ts` in a real browser, at the address of a server.

import type { Browser, FrameLocator, Page } from "playwright";
import { afterAll, onTestFinished } from "vitest";
import type { HostWindow } from "./host.ts";

let started: Promise<{ readonly browser: Browser; readonly script: string }> | undefined;
afterAll(async () => (await started)?.browser.close());

interface ViewAnswer {
  readonly result?: { readonly structuredContent?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly message: string };
}

export interface BrowserHost {
  readonly page: Page;
  /** The view that is shown. */
  readonly view: FrameLocator;
  show(token: string, tool: string, args: Record<string, unknown>): Promise<void>;
  /** Loads the view anew, as when the chat is opened again. */
  reload(): Promise<void>;
  links(): Promise<readonly string[]>;
  /** What any script in the view could send. */
  callFromView(name: string, args: object): Promise<ViewAnswer>;
}

export async function openHost(url: string): Promise<BrowserHost> {
  started ??= startBrowser();
  const { browser, script } = await started;
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(120_000);
  await page.route(`${url}/host`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Host</title><body></body>" }),
  );
  await page.goto(`${url}/host`);
  await page.addScriptTag({ content: script, type: "module" });
  await page.waitForFunction(() => "show" in window);
  return {
    page,
    view: page.frameLocator("iframe"),
    show: (...call) => page.evaluate((args) => (window as unknown as HostWindow).show(...args), call),
    reload: () => page.evaluate(() => (window as unknown as HostWindow).reload()),
    callFromView: (name, args) =>
      page
        .frameLocator("iframe")
        .locator("body")
        .evaluate(
          (_, params) =>
            new Promise<ViewAnswer>((resolve) => {
              const id = crypto.randomUUID();
              addEventListener("message", ({ data }) => data.id === id && resolve(data));
              parent.postMessage({ jsonrpc: "2.0", id, method: "tools/call", params }, "*");
            }),
          { name, arguments: args },
        ),
    links: () => page.evaluate(() => (window as unknown as HostWindow).links),
  };
}

// Loaded here: the short form imports this file and needs neither.
async function startBrowser() {
  const [{ chromium }, { launchOptions }] = await Promise.all([
    import("playwright"),
    import("../../../../tools/browser.mjs"),
  ]);
  return { browser: await chromium.launch(launchOptions()), script: await bundleHost() };
}

async function bundleHost(): Promise<string> {
  const { build } = await import("vite");
  const result = await build({
    configFile: false,
    logLevel: "error",
    root: import.meta.dirname,
    build: {
      write: false,
      target: "es2023",
      rolldownOptions: { input: `${import.meta.dirname}/host.ts`, output: { format: "es", codeSplitting: false } },
    },
  });
  const [chunk] = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  if (chunk?.type !== "chunk") throw new Error("The host is to be one script.");
  return chunk.code;
}
