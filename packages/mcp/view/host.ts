// The host around the page: JSON-RPC by messages to the window that holds it, as the extension
// "MCP Apps" defines it (2026-01-26). It is written out here: the page then is one small file.

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

export interface Host {
  /** Rejects when the host or the server cannot be reached. */
  readonly callTool: (name: string, args: object) => Promise<ToolResult>;
  /** Opens it outside of the host's sandbox. */
  readonly openLink: (url: string) => Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly threadId?: unknown } };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** `onThread`: the host shows the page for a call that named this thread. */
export async function connectHost(onThread: (threadId: string, host: Host) => void): Promise<void> {
  const pending = new Map<unknown, (message: Message) => void>();
  let nextId = 1;
  const send = (message: object) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  function request(method: string, params: object): Promise<unknown> {
    const id = nextId++;
    send({ id, method, params });
    return new Promise((resolve, reject) =>
      pending.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result))),
    );
  }

  const host: Host = {
    // The host answers with what the server answered.
    callTool: (name, args) => request("tools/call", { name, arguments: args }) as Promise<ToolResult>,
    async openLink(url) {
      await request("ui/open-link", { url });
    },
  };

  addEventListener("message", ({ source, data }: MessageEvent<Message>) => {
    if (source !== parent) return;
    const { id, method, params } = data;
    if (method === undefined) {
      pending.get(id)?.(data);
      pending.delete(id);
    } else if (id !== undefined) {
      // "ping" and "ui/resource-teardown": there is nothing to save, for the thread has it.
      send({ id, result: {} });
    } else if (method === "ui/notifications/tool-input") {
      const threadId = params?.arguments?.threadId;
      if (typeof threadId === "string") onThread(threadId, host);
    }
  });

  await request("ui/initialize", {
    appInfo: { name: "opstate view", version: "1.0.0" },
    appCapabilities: {},
    protocolVersion: "2026-01-26",
  });
  send({ method: "ui/notifications/initialized" });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.documentElement);
}
