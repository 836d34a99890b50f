// A model of the person's own: its key goes to the provider alone, and the agent works on the board
// from the page.

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { BoardPage } from "../support/board-page.ts";
import { expect, test as withServer } from "../support/server.ts";

const KEY = "sk-secret-of-ada";

interface Asked {
  readonly authorization: string | undefined;
  readonly body: { readonly tools: readonly { readonly function: { readonly name: string } }[] };
  readonly text: string;
}

/** An API like OpenAI's: it moves T-1 to Done, and answers with what the board said. */
async function fakeProvider() {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      const allowed = {
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "authorization, content-type",
      };
      if (request.method === "OPTIONS") return response.writeHead(204, allowed).end();
      const body = JSON.parse(text) as Asked["body"] & { messages: readonly { role: string; content: string }[] };
      asked.push({ authorization: request.headers.authorization, body, text });
      const isKnown = request.headers.authorization === `Bearer ${KEY}`;
      response.writeHead(isKnown ? 200 : 401, { ...allowed, "content-type": "application/json" });
      const result = body.messages.findLast(({ role }) => role === "tool");
      const args = JSON.stringify({ cardId: "T-1", toColumn: "done" });
      const call = { id: "call-1", type: "function", function: { name: "move", arguments: args } };
      const message = result
        ? { content: `The board said: ${result.content.split("\n")[0]}` }
        : { content: null, tool_calls: [call] };
      return response.end(JSON.stringify(isKnown ? { choices: [{ message }] } : { error: `no such key: ${KEY}` }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => server.close() };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

const test = withServer.extend<{ provider: Awaited<ReturnType<typeof fakeProvider>> }>({
  // oxlint-disable-next-line no-empty-pattern -- the shape of a fixture that needs no other
  provider: async ({}, use) => {
    const provider = await fakeProvider();
    await use(provider);
    provider.close();
  },
  env: async ({ provider }, use) => use({ OPSTATE_PROVIDER: `${provider.url}/v1` }),
});

test("a person's own key goes to its provider, and to nothing else", async ({ page, server, provider }) => {
  const board = new BoardPage(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(provider.url))
      sent.push([request.url(), JSON.stringify(request.headers()), request.postData() ?? ""].join("\n"));
  });
  await board.open(server.page);
  const choose = async (key: string) => {
    await page.locator(".chip-button").click();
    const dialog = page.getByRole("dialog", { name: "Whose model answers?" });
    await dialog.getByLabel("Model", { exact: true }).fill("fake-1");
    await dialog.getByLabel("Your key").fill(key);
    await dialog.getByRole("button", { name: "Use it" }).click();
    await expect(page.locator(".chip-button")).toHaveText("fake-1");
  };

  await test.step("a wrong key is refused, and no message repeats it", async () => {
    await choose("sk-wrong");
    await board.say("Move the announcement to Done");
    await expect(board.conversation).toContainText(/refused the key \(401\)/);
    await expect(board.conversation).not.toContainText("sk-");
  });

  await test.step("with the right one the agent works in the page", async () => {
    await choose(KEY);
    await board.say("Move the announcement to Done");
    await expect(board.cardIn("Done", "T-1")).toBeVisible();
    await expect(board.conversation).toContainText("The board said: Accepted: board is now at version 2.");
    await expect(board.entry(2)).toContainText("(T-1): Backlog -> Done");
    const [{ authorization, body, text } = provider.asked[0]!] = provider.asked.slice(-1);
    expect(authorization).toBe(`Bearer ${KEY}`);
    expect(text).toContain("You look after a kanban board that people edit at the same time as you.");
    expect(body.tools.map((tool) => tool.function.name)).toEqual(
      expect.arrayContaining([
        "move",
        "addCard",
        "board_find",
        "buildBoard",
        "takeBack",
        "recentChanges",
        "offerReplies",
      ]),
    );
    expect(text).not.toContain("demo-agent");
  });

  await test.step("what the server got and what the browser keeps has no key", async () => {
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((request) => request.includes("sk-"))).toEqual([]);
    expect(JSON.stringify(await server.get("/threads/demo/history"))).not.toContain("sk-");
    expect(server.output()).not.toContain("sk-");
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
      "sk-",
    );
  });

  await test.step("a reload forgets it", async () => {
    await page.reload();
    await expect(page.locator(".chip-button")).toHaveText("Offline model");
  });
});

test("the page may connect to the providers that are named, and to no other", async ({ page, server, provider }) => {
  const response = await page.goto(server.page);
  const policy = response?.headers()["content-security-policy"] ?? "";
  const connect = /connect-src ([^;]*)/.exec(policy)?.[1]?.split(" ");
  expect(connect).toEqual([
    "'self'",
    provider.url,
    "https://api.openai.com",
    "https://openrouter.ai",
    "http://localhost:11434",
  ]);
});
