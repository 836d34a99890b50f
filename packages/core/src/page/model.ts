// A definition as the page's engine runs it. To all other code it is a `Model` whose parts for
// judging are not there.

import type { $ZodType } from "zod/v4/core";
import type { DeriveRule } from "../engine/derive.ts";
import type { Written } from "../definition/written.ts";
import type { Model, OperationModel } from "../engine/model.ts";
import type { Permission } from "../engine/permission.ts";
import { OpstateError } from "../error.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";

/** A state as the definition has it now, or why it is none of its states. */
export type Adopted =
  | { readonly state: object; readonly fault?: undefined }
  | { readonly fault: Pick<Rejection, "message" | "path" | "issues">; readonly state?: undefined };

/** How a derived field is computed. */
export type PageRule = Omit<DeriveRule, "pointer">;

/** Without `allow`: every kind of actor. */
export type PagePermission = Pick<Permission, "approve"> & Partial<Permission>;

export interface PageModel
  extends Pick<Model, "name" | "version" | "replace" | "patches" | "looseSchema">, Pick<Written, "onFailure"> {
  /** What the authority compiles anew. */
  readonly written: Written;
  readonly derive: readonly PageRule[];
  readonly initial: object | null;
  readonly schema: $ZodType;
  readonly operations: ReadonlyMap<string, Pick<OperationModel, "type" | "input" | "apply"> & PagePermission>;
  /** By state: those that the engine made are as they must be. */
  readonly adopted: WeakMap<object, Adopted>;
}

/** The two are one object; only the engine of its own build reads more of it than both have. */
export function asModel(model: PageModel): Model {
  return model as unknown as Model;
}

/** Throws an OpstateError (`page_build`) for a model of the full engine, such as a thread's. */
export function pageModel(model: Model): PageModel {
  if ("adopted" in model) return model as unknown as PageModel;
  throw new OpstateError("page_build", `"${model.name}" is a thread's. Use that of defineState.`);
}
