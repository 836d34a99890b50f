// The definition of the threads in the contract suites: small, with operations that reject, because
// of their input or because of the state.

import { defineState } from "../../definition/define-state.ts";
import { $ZodNumber, $ZodObject, type $ZodShape, $ZodString, globalRegistry } from "zod/v4/core";

function object<Shape extends $ZodShape>(shape: Shape): $ZodObject<Shape> {
  // The constructor of zod's core does not keep the type of the shape. Users have `z.object`.
  return new $ZodObject({ type: "object", shape }) as $ZodObject<Shape>;
}

/** As `z.string().meta({ freeText: true })`. */
const freeText = new $ZodString({ type: "string" });
globalRegistry.add(freeText, { freeText: true });

export const counter = defineState({
  name: "contract-counter",
  schema: object({ count: new $ZodNumber({ type: "number" }), note: new $ZodString({ type: "string" }) }),
  initial: { count: 0, note: "" },
  operations: {
    add: {
      input: object({ by: new $ZodNumber({ type: "number" }) }),
      apply(draft, { by }, { reject }) {
        if (by > 100) return reject("too_much", `${by} is more than 100`, { most: 100 });
        draft.count += by;
      },
    },
    note: {
      input: object({ text: freeText }),
      apply(draft, { text }) {
        draft.note = text;
      },
    },
    claim: {
      input: object({ text: new $ZodString({ type: "string" }) }),
      apply(draft, { text }, { reject }) {
        if (draft.note !== "") return reject("claimed", `It says "${draft.note}" already`);
        draft.note = text;
      },
    },
  },
});
