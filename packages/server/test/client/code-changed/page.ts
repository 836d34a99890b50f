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

const step = Number(new URL(location.href).searchParams.get("by"));
const thread = createClient({ url: "/api", tabs: false }).thread(counterBy(step), "t");
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
