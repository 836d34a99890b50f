// A page on a socket, as the protocol has it: no code of the client is in between.

import { until } from "../../../client/test/tally.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into events of every shape
type Data = Record<string, any>;

export interface Page {
  /** What has come, in order: answers and pieces of the stream. */
  readonly got: readonly string[];
  /** The code with which the socket was closed. */
  readonly closed: number | undefined;
  say(message: object | string): void;
  /** Resolves to the answer. */
  call(path: string, body: unknown, headers?: object): Promise<Data>;
  /** The data of all events of this name. */
  events(name: string): readonly Data[];
  leave(): void;
}

/** `init`: of the upgrade; a page in a browser cannot choose it. */
export async function openPage(url: string, threadId: string, init?: { readonly headers: object }): Promise<Page> {
  // Node's takes headers in place of the names of protocols.
  const address = `${url.replace("http", "ws")}/threads/${threadId}/socket`;
  const socket = new WebSocket(address, init as unknown as string[]);
  const got: string[] = [];
  let closed: number | undefined;
  let calls = 0;
  socket.addEventListener("message", ({ data }) => got.push(String(data)));
  socket.addEventListener("close", ({ code }) => (closed = code));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("The socket could not be opened.")));
  });
  const say = (message: object | string): void =>
    socket.send(typeof message === "string" ? message : JSON.stringify(message));
  return {
    got,
    get closed() {
      return closed;
    },
    say,
    async call(path, body, headers) {
      const call = calls++;
      say({ call, path, body, headers });
      const answers = (): readonly Data[] =>
        got.flatMap((text) => (text.startsWith(`{"call":${call},`) ? [JSON.parse(text)] : []));
      await until(`the answer of ${path}`, () => answers().length === 1);
      return answers()[0] ?? {};
    },
    events: (name) =>
      got.flatMap((text) =>
        text.startsWith(`event: ${name}\n`) ? [JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "")] : [],
      ),
    leave: () => socket.close(),
  };
}

/** A page that has the state of the thread. */
export async function follow(url: string, threadId: string, headers: object): Promise<Page> {
  const page = await openPage(url, threadId);
  await page.call("/events", { threads: { [threadId]: {} } }, headers);
  await until("the snapshot", () => page.events("snapshot").length === 1);
  return page;
}
