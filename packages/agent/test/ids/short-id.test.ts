import { createHash } from "node:crypto";
import { shortId, submissionOf } from "@opstate/agent";
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../../tools/runs.ts";

it("is the id itself where a thread accepts it, else 160 bits of its SHA-256", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      ),
      (id) => {
        const taken =
          id.length > 0 &&
          id.length <= 90 &&
          isWellFormed(id) &&
          !/\p{Cc}/u.test(id.replaceAll(/[\u0080-\u009f]/g, ""));
        const encoding = isWellFormed(id) ? "utf8" : "utf16le";
        expect(shortId(id)).toBe(taken ? id : createHash("sha256").update(id, encoding).digest("hex").slice(0, 40));
      },
    ),
    { numRuns: runs(300) },
  );
});

it("keeps ids that differ different, in all parts of a submission's id", () => {
  const long = "x".repeat(91);
  const ids = [
    submissionOf("m", "c"),
    submissionOf("m", "c", 2),
    submissionOf("m", "c", 3),
    submissionOf(long, "c"),
    submissionOf(`${long}y`, "c"),
    submissionOf("m", long),
    submissionOf("m", `${long}\ud800`),
    submissionOf("m", `${long}\ud801`),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}
