import { expect, it } from "vitest";
import { z } from "zod";
import { shapeOf } from "../../../src/engine/things/shape.ts";

it("has nothing for each key that a sender may choose", () => {
  const record = shapeOf(z.record(z.string(), z.object({ title: z.string() })));
  expect(record.key("one")).toBe(record.key("another"));
  const object = shapeOf(z.object({ title: z.string() }));
  expect(object.key("one")).toBe(object.key("another"));
  expect(object.key("title")).not.toBe(object.key("one"));
});

it("treats a key that some object of a union has as a fixed one", () => {
  const shape = shapeOf(z.union([z.object({ meta: z.array(z.string()) }), z.record(z.string(), z.string())]));
  expect(shape.key("meta").record).toBe(false);
  expect(shape.key("other").record).toBe(true);
  expect(shapeOf(z.object({ meta: z.string() }).catchall(z.string())).key("other").record).toBe(true);
});
