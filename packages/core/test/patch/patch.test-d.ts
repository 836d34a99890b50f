import { applyPatch, diff, type Patch, type PatchError, type PatchOperation } from "@opstate/core/json-patch";
import { expectTypeOf, it } from "vitest";

it("an operation is narrowed by its op", () => {
  const operation = {} as PatchOperation;
  if (operation.op === "move" || operation.op === "copy") expectTypeOf(operation.from).toEqualTypeOf<string>();
  else if (operation.op === "remove") expectTypeOf(operation).not.toHaveProperty("value");
  else expectTypeOf(operation.value).toEqualTypeOf<unknown>();
  // @ts-expect-error: an add carries a value
  expectTypeOf<{ op: "add"; path: string }>().toExtend<PatchOperation>();
});

it("a result is narrowed by ok, and has its inverse unless it was declined", () => {
  const result = applyPatch({}, []);
  if (result.ok) expectTypeOf(result.inverse).toEqualTypeOf<Patch>();
  else expectTypeOf(result.error).toEqualTypeOf<PatchError>();
  const bare = applyPatch({}, [], { inverse: false });
  if (bare.ok) expectTypeOf(bare.inverse).toEqualTypeOf<Patch | undefined>();
  expectTypeOf(diff({}, {})).toEqualTypeOf<Patch>();
});
