// The form for an interrupt's answer, from whatever schema an agent sends.

import { describe, expect, it } from "vitest";
import { answerFields, readAnswer } from "../../src/answers/answer-fields.ts";

const schema = {
  type: "object",
  properties: {
    approved: { type: "boolean", title: "Go on?" },
    size: { type: "string", enum: ["small", "large"] },
    count: { type: "integer" },
    note: { type: "string" },
    extra: { type: "array" },
  },
  required: ["approved", "count"],
};

describe("the fields of an answer", () => {
  it("come from the schema's members", () => {
    expect(answerFields(schema).map(({ name, label, kind, required }) => [name, label, kind, required])).toEqual([
      ["approved", "Go on?", "boolean", true],
      ["size", "size", "choice", false],
      ["count", "count", "number", true],
      ["note", "note", "text", false],
      ["extra", "extra", "json", false],
    ]);
  });

  it.each([undefined, null, "text", 5, []])("are one text without a schema (%j)", (given) => {
    expect(answerFields(given)).toMatchObject([{ name: "", kind: "text", required: false }]);
  });

  it.each([{}, { type: "object" }, { type: "object", properties: {} }, { anyOf: [] }])(
    "are one JSON value for %j",
    (given) => {
      expect(answerFields(given)).toMatchObject([{ name: "", kind: "json", required: true }]);
    },
  );
});

describe("what was written", () => {
  const fields = answerFields(schema);

  it("becomes the payload, without what was left empty", () => {
    expect(readAnswer(fields, { approved: "false", count: " 6 ", note: "", extra: "[1]" })).toEqual({
      payload: { approved: false, count: 6, extra: [1] },
    });
  });

  it.each([
    [{ count: "1" }, '"Go on?" needs an answer.'],
    [{ approved: "true", count: "six" }, '"count" is a number.'],
    [{ approved: "true", count: "1", extra: "yes" }, '"extra" is JSON: text goes in quotes, such as "yes".'],
  ])("of %j is not accepted", (texts, problem) => expect(readAnswer(fields, texts)).toEqual({ problem }));

  it("is the whole payload when the schema is no object, and absent when nothing was written", () => {
    expect(readAnswer(answerFields({ type: "boolean" }), { "": "true" })).toEqual({ payload: true });
    expect(readAnswer(answerFields(undefined), { "": "go on" })).toEqual({ payload: "go on" });
    expect(readAnswer(answerFields(undefined), {})).toEqual({ payload: undefined });
  });
});
