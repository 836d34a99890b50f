// What a text of a page is read as.

import { expect, it } from "vitest";
import { credentialsSaidBy, readCall } from "../../src/socket/call.ts";

const first = (headers: unknown) => readCall(JSON.stringify({ call: 0, path: "/events", headers, body: {} }));

it("has the credentials that a page says, and not what its browser, the platform and proxies say", () => {
  const call = first({
    Authorization: "Bearer token",
    "x-tenant": "blue",
    Origin: "https://pages.example",
    "Sec-Fetch-Site": "same-origin",
    "CF-Connecting-IP": "10.0.0.1",
    "X-Forwarded-For": "10.0.0.1",
    "content-type": "text/plain",
  });
  expect(call && credentialsSaidBy(call)).toEqual({ authorization: "Bearer token", "x-tenant": "blue" });
});

it.each([
  ["names that are none", { "a b": "1" }],
  ["values that are none", { a: "1\n2" }],
  ["numbers", { a: 1 }],
  ["a list", ["a"]],
])("is none with headers that have %s", (_, headers) => {
  expect(first(headers)).toBeUndefined();
});
