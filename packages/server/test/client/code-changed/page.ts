// The page of the test, on the page's build. Its code counts by what its address says, as that of
// the server which it comes from.

import { createClient } from "@opstate/client";
import type { Verdict } from "@opstate/core";
import { counterBy } from "../../support/pages/counter.ts";

/** What the test may ask of the page. */
export interface CounterPage {
  shown(): Promise<unknown>;
  /** Its verdict. */
  takeBack(id: string): Promise<Verdict>;
}

const { searchParams } = new URL(location.href);
const step = Number(searchParams.get("by"));
const threadId = searchParams.get("thread") ?? "";
const thread = createClient({ url: "/api", tabs: false }).thread(counterBy(step), threadId);
thread.subscribe(() => undefined);

const counterPage: CounterPage = {
  async shown() {
    await thread.ready();
    return thread.getState();
  },
  async takeBack(id) {
    await thread.ready();
    return thread.undo({ ids: [id] });
  },
};

Object.assign(globalThis, { counterPage });
