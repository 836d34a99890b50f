// The providers of models that a page is offered, and what it may connect to.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createProviders } from "../src/providers.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

async function ollama(answer: string): Promise<string> {
  server = createServer(({ url }, response) => response.writeHead(url === "/api/tags" ? 200 : 404).end(answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("an Ollama on this machine is found, with its models, and needs no key", async () => {
  const url = await ollama(JSON.stringify({ models: [{ name: "qwen3:8b" }, { name: "llama3.2" }] }));
  const { list, origins } = createProviders({ ollama: url });
  const [first, ...rest] = await list();
  expect(first).toEqual({ name: "Ollama", url: `${url}/v1`, models: ["qwen3:8b", "llama3.2"], needsKey: false });
  expect(rest.every(({ needsKey }) => needsKey)).toBe(true);
  expect(origins).toContain(url);
});

test.each([
  ["nothing is there", undefined],
  ["something else is there", "<html>"],
  ["it has no model", JSON.stringify({ models: [] })],
])("none is offered where %s", async (_, answer) => {
  const url = await ollama(answer ?? "");
  if (answer === undefined) await new Promise((closed) => server?.close(closed));
  const names = (await createProviders({ ollama: url }).list()).map(({ name }) => name);
  expect(names).toEqual(["OpenAI", "OpenRouter"]);
});

test("one more provider is offered first; an address that is none is an error", async () => {
  const url = await ollama("");
  const { list, origins } = createProviders({ own: "http://localhost:8000/v1/", ollama: url });
  expect((await list())[0]).toMatchObject({ name: "localhost:8000", url: "http://localhost:8000/v1" });
  expect(origins[0]).toBe("http://localhost:8000");
  expect(() => createProviders({ own: "localhost" })).toThrow(TypeError);
});
