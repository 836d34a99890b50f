// A fetch that failed is told apart: nobody there, nobody let in, and somebody who speaks something
// else.

import { describe, expect, it } from "vitest";
import { explainError } from "../../src/conversation/explain-error.ts";
import { checkedFetch } from "../../src/conversation/checked-fetch.ts";

const page = "http://127.0.0.1:4310";
const agent = "http://localhost:8000/agent";

type Answer = () => Promise<Response>;
const fails: Answer = () => Promise.reject(new TypeError("Failed to fetch"));

/** `open` answers what needs no permission, `run` the run itself. */
function fetchFrom({ run, open = fails }: { run: Answer; open?: Answer }, url = agent) {
  const modes: (string | undefined)[] = [];
  const fetch = checkedFetch(page, async (_, init) => {
    modes.push(init?.mode);
    return init?.mode === "no-cors" ? open() : run();
  });
  return { modes, answer: fetch(url, { method: "POST" }) };
}

const stream = () => new Response("data: {}\n\n", { headers: { "content-type": "text/event-stream; charset=utf-8" } });

describe("a fetch that says why", () => {
  it("gives an event stream on as it is, after one request", async () => {
    const { answer, modes } = fetchFrom({ run: async () => stream() });
    expect(await (await answer).text()).toBe("data: {}\n\n");
    expect(modes).toEqual([undefined]);
  });

  it("gives a refusal on, which has a status of its own", async () => {
    const { answer } = fetchFrom({ run: async () => new Response("No", { status: 404 }) });
    expect((await answer).status).toBe(404);
  });

  it("knows a server that is there from one that is not", async () => {
    await expect(fetchFrom({ run: fails, open: async () => new Response() }).answer).rejects.toMatchObject({
      code: "cors",
    });
    await expect(fetchFrom({ run: fails }).answer).rejects.toMatchObject({ code: "unreachable" });
  });

  it("sends no second request on its own origin, which always lets it in", async () => {
    const { answer, modes } = fetchFrom({ run: fails, open: async () => new Response() }, `${page}/ag-ui/kanban`);
    await expect(answer).rejects.toMatchObject({ code: "unreachable" });
    expect(modes).toEqual([undefined]);
  });

  it("refuses what is no event stream", async () => {
    const html = async () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
    await expect(fetchFrom({ run: html }).answer).rejects.toMatchObject({
      code: "not_ag_ui",
      message: expect.stringContaining("text/html"),
    });
  });

  it("leaves a run that was stopped alone", async () => {
    const stopped = new DOMException("Stopped", "AbortError");
    const fetch = checkedFetch(page, () => Promise.reject(stopped));
    await expect(fetch(agent, { signal: AbortSignal.abort() })).rejects.toBe(stopped);
  });
});

describe("the words for an error", () => {
  const codes = [
    "unreachable",
    "cors",
    "not_ag_ui",
    "not_json",
    "no_body",
    "http_401",
    "http_404",
    "http_405",
    "http_418",
    "http_502",
    undefined,
  ];

  it("say what happened and what to do, whatever it was", () => {
    const kinds = ["agent", "malformed", "protocol", "truncated"] as const;
    const errors = [
      ...codes.map((code) => ({
        kind: "transport" as const,
        message: "As said.",
        ...(code !== undefined && { code }),
      })),
      ...kinds.map((kind) => ({ kind, message: "As said." })),
    ];
    for (const error of errors) {
      const { title, said, advice } = explainError(error, page);
      expect(said).toBe("As said.");
      for (const sentence of [title, advice]) expect(sentence, error.kind).toMatch(/^[A-Z].{10,}\.$/);
      expect(title + advice).not.toMatch(/something went wrong|undefined/i);
    }
  });
});
