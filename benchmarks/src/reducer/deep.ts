// A document of objects inside one another, and an edit of the innermost.

import { defineState } from "@opstate/core";
import { createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { produceWithPatches } from "immer";
import { create } from "mutative";
import { z } from "zod";
import type { Run } from "../harness/measure.ts";
import { mutativePatches } from "../boards/peers.ts";

interface Deep {
  title: string;
  size: number;
  child: Deep | null;
}

const DeepSchema = z.object({
  title: z.string(),
  size: z.int().min(0),
  get child(): z.ZodNullable<typeof DeepSchema> {
    return DeepSchema.nullable();
  },
});

function makeDeep(depth: number): Deep {
  return { title: `Level ${depth}`, size: depth, child: depth === 1 ? null : makeDeep(depth - 1) };
}

function rename(draft: Deep, title: string): void {
  let innermost = draft;
  while (innermost.child !== null) innermost = innermost.child;
  innermost.title = title;
}

function renameBySpreads(deep: Deep, title: string): Deep {
  return deep.child === null ? { ...deep, title } : { ...deep, child: renameBySpreads(deep.child, title) };
}

const definition = defineState({
  name: "deep",
  schema: DeepSchema,
  initial: null,
  operations: {
    rename: { input: z.object({ title: z.string() }), apply: (draft, { title }) => rename(draft, title) },
  },
});

const slice = createSlice({
  name: "deep",
  initialState: makeDeep(1),
  reducers: { rename: (draft, { payload }: PayloadAction<string>) => rename(draft, payload) },
});

export const candidates = {
  "hand-written spreads": renamer(renameBySpreads),
  "**opstate**: operation parsed, applied, touched parts validated, both patches": renamer((deep, title) => {
    const result = definition.transition(deep, { type: "rename", title });
    if (!result.accepted || result.state === null)
      throw new Error(result.accepted ? "no document" : result.rejection.message);
    return result.state;
  }),
  "structuredClone, then a full zod parse": renamer((deep, title) => {
    const next = structuredClone(deep);
    rename(next, title);
    return DeepSchema.parse(next);
  }),
  "immer 11, both patches": renamer((deep, title) => produceWithPatches(deep, (draft) => rename(draft, title))[0]),
  "mutative 2, both patches": renamer(
    (deep, title) => create(deep, (draft) => rename(draft, title), mutativePatches)[0],
  ),
  "Redux Toolkit createSlice": renamer((deep, title) => slice.reducer(deep, slice.actions.rename(title))),
};

function renamer(step: (deep: Deep, title: string) => Deep): (args: { readonly depth: number }) => Run {
  return ({ depth }) => {
    let deep = makeDeep(depth);
    let n = 0;
    return (count) => {
      for (let i = 0; i < count; i++) {
        n = 1 - n;
        deep = step(deep, n === 0 ? "One" : "Other");
      }
    };
  };
}
