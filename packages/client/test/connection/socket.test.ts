// The carrier over sockets, against sockets that a test holds in its hand.

import { createClient } from "@opstate/client";
import { socketCarrier } from "@opstate/client/carriers";
import { afterEach, expect, it, vi } from "vitest";
import { hello, snapshot, welcome } from "../fake-server.ts";
import { add, tally, until } from "../tally.ts";

/** One that a test opens, answers and closes. Its events come in the turn of the test's call. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into calls of every shape
  readonly calls: any[] = [];
  pings = 0;

  constructor() {
    super();
    FakeSocket.all.push(this);
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  send(text: string): void {
    if (text === "ping") this.pings += 1;
    else this.calls.push(JSON.parse(text));
  }

  give(...texts: readonly string[]): void {
    for (const data of texts) this.dispatchEvent(new MessageEvent("message", { data }));
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  FakeSocket.all = [];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function follow(...ids: readonly string[]) {
  vi.stubGlobal("WebSocket", FakeSocket);
  const client = createClient({
    url: "https://server.example",
    carrier: socketCarrier,
    onUnauthenticated: () => undefined,
  });
  ends.push(() => client.close());
  const threads = ids.map((id) => client.thread(tally, id));
  for (const thread of threads) thread.subscribe(() => undefined);
  return { client, threads };
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

const begin = (socket: FakeSocket, id: string) => {
  const { call } = socket.calls[0] as { call: number };
  socket.give(`{"call":${call},"status":200}`, ...[hello, welcome(id), snapshot(id)].map(event));
};

it("loses nothing that comes with the answer of the first call", async () => {
  const { threads } = follow("a");
  await until("the socket", () => FakeSocket.all.length === 1);
  const [socket] = FakeSocket.all as [FakeSocket];
  socket.open();
  await until("the first call", () => socket.calls.length === 1);
  begin(socket, "a");
  await until("it is online", () => threads[0]?.sync.getState().status === "online");
});

it("connects all threads again that nobody had credentials for, by one retry", async () => {
  const { threads } = follow("a", "b");
  await until("the sockets", () => FakeSocket.all.length === 2);
  for (const socket of FakeSocket.all) {
    socket.open();
    await until("the first call", () => socket.calls.length === 1);
    socket.give(`{"call":0,"status":401,"body":{"code":"unauthenticated"}}`);
  }
  await until("the end", () => threads.every((each) => each.sync.getState().status === "unauthenticated"));
  void threads[0]?.dispatch(add(1));
  await until("both sockets", () => FakeSocket.all.length === 4);
});

it("asks a server that was silent for a while whether it is there, each time behind its answer", async () => {
  const { threads } = follow("a");
  await until("the socket", () => FakeSocket.all.length === 1);
  const [socket] = FakeSocket.all as [FakeSocket];
  socket.open();
  await until("the first call", () => socket.calls.length === 1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  begin(socket, "a");
  vi.advanceTimersByTime(14_000);
  socket.give(": \n\n");
  vi.advanceTimersByTime(14_000);
  expect(socket.pings).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(socket.pings).toBe(1);
  socket.give("pong");
  vi.advanceTimersByTime(15_000);
  expect(socket.pings).toBe(2);
  expect(threads).toHaveLength(1);
});
