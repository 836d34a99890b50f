// What one node signs for another: each part altered, sent again, too old, for another node.

import { describe, expect, it } from "vitest";
import { digestOf, SIGNED_HEADERS, signedHeaders, type SignedParts, Verifier } from "../../src/owners/signature.ts";

const SECRET = "s".repeat(32);
const OTHER = "t".repeat(32);
const NOW = 1_800_000_000_000;

const parts: SignedParts = {
  method: "POST",
  path: "/nodes/threads/launch?x=1",
  digest: digestOf('{"incarnation":"i","calls":[]}'),
  from: "node a",
  target: "node b",
  epoch: 7,
  time: NOW,
  nonce: "0123456789abcdef",
};

function verifier({ secrets = [SECRET], node = "node b", now = NOW } = {}) {
  return new Verifier({ secrets, node, now: () => now });
}

function signed(changed: Partial<SignedParts> = {}, secret = SECRET) {
  const given = { ...parts, ...changed };
  return { method: given.method, path: given.path, headers: new Headers(signedHeaders(given, secret)) };
}

describe("a signature", () => {
  it("is accepted as it was made", () => {
    expect(verifier().verify(signed())).toEqual(parts);
  });

  it.each(["from", "target", "epoch", "time", "nonce", "digest"] as const)("covers %s", (name) => {
    const request = signed();
    request.headers.set(SIGNED_HEADERS[name], name === "epoch" || name === "time" ? String(parts[name] + 1) : "other");
    expect(verifier({ node: name === "target" ? "other" : "node b" }).verify(request)).toBe("wrong_signature");
  });

  it.each([
    ["method", { method: "PUT" }],
    ["path", { path: "/nodes/threads/other?x=1" }],
    ["query", { path: "/nodes/threads/launch?x=2" }],
    ["no query", { path: "/nodes/threads/launch" }],
  ])("covers the %s", (_, changed) => {
    expect(verifier().verify({ ...signed(), ...changed })).toBe("wrong_signature");
  });

  it.each([...Object.values(SIGNED_HEADERS)])("is none without %s", (header) => {
    const request = signed();
    request.headers.delete(header);
    expect(verifier().verify(request)).toBe("not_signed");
  });

  it.each(["", "00", "g".repeat(64), "ä".repeat(32)])("is not %j", (signature) => {
    const request = signed();
    // A header holds bytes.
    request.headers.set(SIGNED_HEADERS.signature, signature);
    expect(verifier().verify(request)).toBe("wrong_signature");
  });

  it("is for one node, which starts under another name each time", () => {
    expect(verifier({ node: "node c" }).verify(signed())).toBe("wrong_node");
  });

  it("is good for 30 seconds of the database's clock, and not before its time", () => {
    for (const now of [NOW + 30_000, NOW - 30_000]) expect(verifier({ now }).verify(signed())).toEqual(parts);
    for (const now of [NOW + 30_001, NOW - 30_001]) expect(verifier({ now }).verify(signed())).toBe("too_old");
  });

  it("is good once, for as long as it is good", () => {
    let now = NOW - 30_000;
    const one = new Verifier({ secrets: [SECRET], node: "node b", now: () => now });
    expect(one.verify(signed())).toEqual(parts);
    for (; now <= NOW + 30_000; now += 5_000) {
      expect(one.verify(signed())).toBe("repeated");
      // Others go on, and push nothing out.
      expect(one.verify(signed({ nonce: `${now}`, time: now }))).toMatchObject({ nonce: `${now}` });
    }
    expect(one.verify(signed())).toBe("too_old");
  });

  it("that is wrong does not use up the nonce", () => {
    const one = verifier();
    expect(one.verify(signed({}, OTHER))).toBe("wrong_signature");
    expect(one.verify(signed())).toEqual(parts);
  });

  it("is made with the first of two secrets, and accepted with both", () => {
    const exchanging = { secrets: [OTHER, SECRET] };
    expect(verifier(exchanging).verify(signed({}, SECRET))).toEqual(parts);
    expect(verifier(exchanging).verify(signed({}, OTHER))).toEqual(parts);
    expect(verifier().verify(signed({}, OTHER))).toBe("wrong_signature");
    expect(verifier(exchanging).verify(signed({}, "u".repeat(32)))).toBe("wrong_signature");
  });
});
