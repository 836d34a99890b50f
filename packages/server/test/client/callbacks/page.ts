// The page of the test, on the page's build: a thread for each write.

import type { Verdict } from "@opstate/core";
import { createClient } from "@opstate/client";
import { type Card, list, type Write } from "./list.ts";

/** What the test may ask of the page. */
export interface ListPage {
  /** Resolves to its verdict. */
  perform(write: Write): Promise<Verdict>;
  /** What is shown of its thread. */
  shown(write: Write): Promise<readonly Card[]>;
}

const client = createClient({ url: "/api", tabs: false });

function open(write: Write) {
  const thread = client.thread(list, write);
  thread.subscribe(() => undefined);
  return thread;
}

const listPage: ListPage = {
  async perform(write) {
    const thread = open(write);
    await thread.ready();
    return thread.submit({ type: write });
  },
  async shown(write) {
    const thread = open(write);
    await thread.ready();
    return thread.getState().cards as Card[];
  },
};

Object.assign(globalThis, { listPage });
