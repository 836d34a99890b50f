// Compiles a definition for a page. In development its visible mistakes are reported as everywhere.

import { defined } from "../defined.ts";
import { faultsOf } from "../definition/faults.ts";
import type { Written } from "../definition/written.ts";
import type { DeriveRule } from "../engine/derive.ts";
import { printFailure } from "../engine/rejection/failure.ts";
import type { Model } from "../engine/model.ts";
import { OpstateError } from "../error.ts";
import { adopt } from "./run.ts";
import { copyJsonOnPage, tokensOf } from "./json.ts";
import { asModel, type PageModel } from "./model.ts";

export function compile(written: Written): Model {
  const { name, replace } = written;
  let settings = written;
  // Bundlers replace the second expression. In two conditions, production builds have nothing of
  // it: Rolldown keeps a part of what `?:` would leave out, and esbuild of what `&&` would.
  if (typeof process !== "undefined") {
    if (process.env.NODE_ENV !== "production") {
      settings = { onFailure: printFailure(name), ...written };
      const faults = faultsOf(written);
      if (faults.length > 0) throw invalid(name, faults.join("\n- "));
    }
  }
  const model: PageModel = {
    version: 1,
    patches: false,
    ...defined(settings),
    written,
    initial: null,
    looseSchema: written.schema,
    operations: new Map(
      Object.entries(written.operations).map(([type, operation]) => [type, { approve: [], ...operation, type }]),
    ),
    derive: Object.entries(written.derive ?? {})
      .map(([pointer, compute]) => {
        const container = tokensOf(pointer);
        // A function of the container that the pointer leads to.
        return { field: container.pop()!, container, compute: compute as DeriveRule["compute"] };
      })
      .sort((a, b) => b.container.length - a.container.length),
    replace: { allow: ["agent", "system"], approve: [], ...replace },
    adopted: new WeakMap(),
  };
  if (written.initial === null) return asModel(model);
  const { state, fault } = adopt(model, copyJsonOnPage(written.initial));
  if (fault) throw invalid(name, `initial: ${fault.message}`);
  return asModel({ ...model, initial: state });
}

function invalid(name: string, faults: string): OpstateError {
  return new OpstateError("invalid_definition", `The definition of "${name}" cannot work:\n- ${faults}`);
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
