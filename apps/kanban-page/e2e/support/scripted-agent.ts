// An agent whose every word a test says: the page's runs are streams that the test writes to, and
// that stay open until the test ends them.

import type { Page } from "playwright/test";

export class ScriptedAgent {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** Before the page is opened. */
  static async on(page: Page): Promise<ScriptedAgent> {
    await page.addInitScript(() => {
      const { fetch } = globalThis;
      globalThis.fetch = (input, init) => {
        const url = input instanceof Request ? input.url : String(input);
        if (!url.includes("/ag-ui/")) return fetch(input, init);
        const body = new ReadableStream<Uint8Array>({
          start(stream) {
            const run: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
            Object.assign(globalThis, { scriptedRun: { stream, run } });
          },
        });
        return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
      };
    });
    return new ScriptedAgent(page);
  }

  /** The run that the page has begun. */
  async started(): Promise<{ readonly threadId: string; readonly runId: string }> {
    const handle = await this.#page.waitForFunction(() => (globalThis as { scriptedRun?: Scripted }).scriptedRun?.run);
    const run = await handle.jsonValue();
    if (run === undefined) throw new Error("No run has begun.");
    const { threadId, runId } = run;
    await this.send({ type: "RUN_STARTED", threadId, runId });
    return { threadId, runId };
  }

  async send(...events: readonly object[]): Promise<void> {
    await this.#page.evaluate(
      (texts) => {
        const { scriptedRun } = globalThis as { scriptedRun?: Scripted };
        for (const text of texts) scriptedRun?.stream.enqueue(new TextEncoder().encode(`data: ${text}\n\n`));
      },
      events.map((event) => JSON.stringify(event)),
    );
  }

  async finish(run: { readonly threadId: string; readonly runId: string }): Promise<void> {
    await this.send({ type: "RUN_FINISHED", ...run });
    await this.#page.evaluate(() => {
      (globalThis as { scriptedRun?: Scripted }).scriptedRun?.stream.close();
      Object.assign(globalThis, { scriptedRun: undefined });
    });
  }
}

interface Scripted {
  readonly stream: ReadableStreamDefaultController<Uint8Array>;
  readonly run: { readonly threadId: string; readonly runId: string };
}
