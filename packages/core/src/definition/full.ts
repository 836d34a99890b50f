// A definition as an authority runs it: on the full engine, in every build.
//
// A server's bundle may have been made with the condition of a page's. Then its definitions were
// compiled for pages, and an authority compiles them anew.

import { run } from "../engine/run.ts";
import { OpstateError } from "../error.ts";
import { compile } from "./compile.ts";
import { definitionOf } from "./define-state.ts";
import type { AnyDefinition } from "./definition.ts";
import type { Written } from "./written.ts";

/** By the model that was compiled for a page. */
const compiled = new WeakMap<object, AnyDefinition>();

/**
 * The definition on the full engine: the same one when it is. Throws an `OpstateError`
 * (`page_build`) when it was compiled for a page by a version that does not say from what.
 */
export function fullDefinition<D extends AnyDefinition>(definition: D): D {
  const { model } = definition;
  if ("known" in model) return definition;
  const { written }: { readonly written?: Written } = model;
  if (written === undefined)
    throw new OpstateError(
      "page_build",
      `"${definition.name}" was defined by the page's build of @opstate/core, which decides for one page only. An authority needs the full build: leave the condition "opstate-page", or its alias, out of the server's bundle.`,
    );
  let full = compiled.get(model);
  if (full === undefined) compiled.set(model, (full = definitionOf(compile(written), run, written.schema)));
  // It is made from what `definition` was made from.
  return full as D;
}
