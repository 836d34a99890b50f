import { describe, expect, it } from "vitest";
import { httpAccess } from "../../../src/connection/http/http-access.ts";
import { Requester } from "../../../src/connection/http/request.ts";

describe("a request that changes something", () => {
  // What a host such as SvelteKit refuses as a forged form: no type, or that of a form.
  it("is never read as a form, also where it has no body", async () => {
    const types: (readonly [string, string | null])[] = [];
    const requester = new Requester({
      url: "http://boards.test",
      fetch: async (input, init) => {
        const { method, headers } = new Request(input, init);
        if (method !== "GET") types.push([method, headers.get("content-type")]);
        return Response.json({ threadId: "b", floor: 0 });
      },
    });
    const access = httpAccess(requester, "a");
    await access.undo({ ids: ["1"] });
    await access.propose({ type: "add" });
    const branch = await access.branch();
    await branch.merge();
    await branch.discard();
    await access.compact({ keep: 1 });
    expect(types.map(([method]) => method)).toEqual(["POST", "POST", "POST", "POST", "DELETE", "POST"]);
    expect(new Set(types.map(([, type]) => type))).toEqual(new Set(["application/json"]));
  });
});
