// What counts as an address, and what the page's own address asks for.

import { describe, expect, it } from "vitest";
import { parseUrl, readLocation, TOUR, toSearch } from "../../src/address/address.ts";

const origin = "http://127.0.0.1:4310";

describe("an address that a person typed", () => {
  it.each([
    ["http://localhost:8000/agent", "http://localhost:8000/agent"],
    ["  https://agents.example.com/a?b=c ", "https://agents.example.com/a?b=c"],
    ["/ag-ui/kanban", `${origin}/ag-ui/kanban`],
    ["localhost:8000/agent", "http://localhost:8000/agent"],
    [TOUR, TOUR],
  ])("accepts %s", (text, url) => expect(parseUrl(text, origin)).toEqual({ url }));

  it.each([
    "",
    "   ",
    "http://",
    "ftp://example.com/agent",
    "javascript:alert(1)",
    "http://me:secret@example.com/",
    "two words",
  ])("says what is wrong with %j", (text) =>
    expect(parseUrl(text, origin)).toHaveProperty("problem", expect.stringMatching(/\.$/)),
  );
});

describe("the page's own address", () => {
  it("leads to the demo board's agent when it names none", () => {
    expect(readLocation({ search: "", origin })).toMatchObject({ url: `${origin}/ag-ui/kanban`, threadId: "demo" });
  });

  it("comes back from what it was written as", () => {
    const address = { url: "http://localhost:8000/agent?x=1&y=%C3%BC", threadId: "t 1" };
    expect(readLocation({ search: toSearch(address), origin })).toEqual(address);
    expect(readLocation({ search: toSearch({ ...address, threadId: undefined }), origin })).toEqual({
      ...address,
      threadId: undefined,
    });
  });

  it("keeps what is no address, so that the form can say so", () => {
    expect(readLocation({ search: "?url=javascript%3Aalert(1)", origin }).url).toBe("javascript:alert(1)");
  });
});
